"""Which webhooks a write concerns. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from virtdeck.standalone.apiserver.objects.ca_bundle import decode_bundle
from virtdeck.standalone.apiserver.objects.selectors import LabelSelector, selector_from_object

Obj = dict[str, Any]


@dataclass(frozen=True)
class Webhook:
    """One webhook of a configuration, parsed."""

    name: str
    configuration: str
    client: Obj
    ca: bytes
    rules: tuple[Obj, ...]
    namespaces: LabelSelector
    objects: LabelSelector
    fails_closed: bool
    timeout_seconds: float
    reinvoked: bool
    review_versions: tuple[str, ...]
    quiet: bool  # without side effects on a dry run


def parse_webhooks(configuration: Obj) -> list[Webhook]:
    """The webhooks of a Mutating- or ValidatingWebhookConfiguration."""
    name = configuration["metadata"]["name"]
    return [_parse(webhook, name) for webhook in configuration.get("webhooks") or ()]


def _parse(given: Obj, configuration: str) -> Webhook:
    client = given.get("clientConfig") or {}
    return Webhook(
        name=given["name"],
        configuration=configuration,
        client=client,
        ca=decode_bundle(client.get("caBundle") or ""),
        rules=tuple(given.get("rules") or ()),
        namespaces=selector_from_object(given.get("namespaceSelector")),
        objects=selector_from_object(given.get("objectSelector")),
        fails_closed=given.get("failurePolicy", "Fail") != "Ignore",
        timeout_seconds=float(given.get("timeoutSeconds") or 10),
        reinvoked=given.get("reinvocationPolicy") == "IfNeeded",
        review_versions=tuple(given.get("admissionReviewVersions") or ("v1",)),
        quiet=given.get("sideEffects") in ("None", "NoneOnDryRun"),
    )


@dataclass(frozen=True)
class Subject:
    """The write as rules see it."""

    group: str
    version: str
    resource: str
    subresource: str
    operation: str
    namespaced: bool
    namespace_labels: dict[str, str] | None  # None: the object stands in no namespace
    labels: tuple[dict[str, str], ...]  # of the new and the old object


def concerns(webhook: Webhook, subject: Subject) -> bool:
    """Whether the webhook must be asked."""
    if not any(_rule_matches(rule, subject) for rule in webhook.rules):
        return False
    if subject.namespace_labels is not None and not webhook.namespaces.matches(subject.namespace_labels):
        return False
    return not webhook.objects or any(webhook.objects.matches(labels) for labels in subject.labels)


def _rule_matches(rule: Obj, subject: Subject) -> bool:
    scope = rule.get("scope") or "*"
    if scope != "*" and (scope == "Namespaced") != subject.namespaced:
        return False
    return (
        _has(rule.get("operations"), subject.operation)
        and _has(rule.get("apiGroups"), subject.group)
        and _has(rule.get("apiVersions"), subject.version)
        and any(_resource_matches(one, subject) for one in rule.get("resources") or ())
    )


def _has(values: Iterable[str] | None, wanted: str) -> bool:
    return any(value in ("*", wanted) for value in values or ())


def _resource_matches(pattern: str, subject: Subject) -> bool:
    resource, slash, subresource = pattern.partition("/")
    if pattern == "*/*":
        return True
    if resource not in ("*", subject.resource):
        return False
    if not slash:
        return not subject.subresource
    return subresource in ("*", subject.subresource)
