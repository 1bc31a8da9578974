"""Which writes a webhook or policy is about: rules, selectors, and the same object in another version."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from virtdeck.standalone.apiserver.objects.selectors import LabelSelector, selector_from_object
from virtdeck.standalone.apiserver.resources.registry import Registry
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.storage.store import Store
from virtdeck.standalone.apiserver.verbs.attributes import Attributes

Obj = dict[str, Any]


@dataclass(frozen=True)
class Criteria:
    """What a write must be like. exact: a rule must name the version that the request used."""

    rules: tuple[Obj, ...]
    but: tuple[Obj, ...]
    namespaces: LabelSelector
    objects: LabelSelector
    exact: bool


def parse_criteria(given: Obj, rules: str) -> Criteria:
    """The criteria of a webhook, or of a policy's ``matchConstraints``. rules: the field that has them."""
    return Criteria(
        rules=tuple(given.get(rules) or ()),
        but=tuple(given.get("excludeResourceRules") or ()),
        namespaces=selector_from_object(given.get("namespaceSelector")),
        objects=selector_from_object(given.get("objectSelector")),
        exact=given.get("matchPolicy") == "Exact",
    )


@dataclass(frozen=True)
class Subject:
    """A write as criteria see it. namespace_labels: None when the object stands in no namespace.

    labels: of the new and the old object. others: the same kind in other groups and versions.
    """

    resource: Resource
    name: str
    subresource: str
    operation: str
    namespace_labels: dict[str, str] | None
    labels: tuple[dict[str, str], ...]
    others: tuple[Resource, ...] = ()


def concerned(criteria: Criteria, subject: Subject) -> Resource | None:
    """The resource as which the write is concerned; None when it is not."""
    shown = (subject.resource,) if criteria.exact else (subject.resource, *subject.others)
    found = next((one for one in shown if _any_rule(criteria.rules, one, subject)), None)
    if found is None or any(_any_rule(criteria.but, one, subject) for one in shown):
        return None
    if subject.namespace_labels is not None and not criteria.namespaces.matches(subject.namespace_labels):
        return None
    if criteria.objects and not any(criteria.objects.matches(labels) for labels in subject.labels):
        return None
    return found


def _any_rule(rules: tuple[Obj, ...], resource: Resource, subject: Subject) -> bool:
    return any(_rule_matches(rule, resource, subject) for rule in rules)


def _rule_matches(rule: Obj, resource: Resource, subject: Subject) -> bool:
    scope = rule.get("scope") or "*"
    if scope != "*" and (scope == "Namespaced") != resource.namespaced:
        return False
    names = rule.get("resourceNames")
    return (
        _has(rule.get("operations"), subject.operation)
        and _has(rule.get("apiGroups"), resource.group)
        and _has(rule.get("apiVersions"), resource.version)
        and any(_resource_matches(one, resource, subject) for one in rule.get("resources") or ())
        and (not names or subject.name in names)
    )


def _has(values: Iterable[str] | None, wanted: str) -> bool:
    return any(value in ("*", wanted) for value in values or ())


def _resource_matches(pattern: str, resource: Resource, subject: Subject) -> bool:
    named, slash, subresource = pattern.partition("/")
    if pattern == "*/*":
        return True
    if named not in ("*", resource.plural):
        return False
    if not slash:
        return not subject.subresource
    return subresource in ("*", subject.subresource)


class Matcher:
    """Sees writes as criteria do: with their namespace's labels and with what is served beside their kind."""

    def __init__(self, store: Store, registry: Registry) -> None:
        self._namespaces = store.shelf("/namespaces")
        self._registry = registry
        self._others: dict[str, tuple[Resource, ...]] = {}
        self._generation = -1

    def subject(self, attributes: Attributes, obj: Obj | None, old: Obj | None) -> Subject:
        """The write as criteria see it."""
        labels = tuple((one["metadata"].get("labels") or {}) for one in (obj, old) if one is not None)
        return Subject(
            attributes.resource,
            attributes.name,
            attributes.subresource,
            attributes.operation,
            self._namespace_labels(attributes, labels),
            labels,
            self._served_beside(attributes.resource),
        )

    def _namespace_labels(
        self, attributes: Attributes, labels: tuple[dict[str, str], ...]
    ) -> dict[str, str] | None:
        if attributes.plural == "namespaces" and not attributes.group:
            return labels[0] if labels else {}
        if not attributes.resource.namespaced:
            return None
        row = self._namespaces.get(("", attributes.namespace))
        return row.labels if row is not None else {}

    def _served_beside(self, resource: Resource) -> tuple[Resource, ...]:
        if self._generation != self._registry.generation:
            self._others.clear()
            self._generation = self._registry.generation
        key = f"{resource.api_version}/{resource.plural}"
        if key not in self._others:
            self._others[key] = tuple(
                one for one in self._registry.all() if one.shelf == resource.shelf and one is not resource
            )
        return self._others[key]
