"""A ValidatingAdmissionPolicy's status says what its expressions get wrong about the kinds that it names."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from virtdeck.standalone.apiserver.background.internal import change
from virtdeck.standalone.apiserver.background.worker import Worker
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.timeline import Change, Event

Obj = dict[str, Any]

_POLICIES = "admissionregistration.k8s.io/validatingadmissionpolicies"
_DEFINITIONS = "apiextensions.k8s.io/customresourcedefinitions"
_MOST_KINDS = 10  # as many as Kubernetes looks at


class PolicyTypes(Worker[str]):
    """Checks policies when they or the kinds of CRDs change."""

    def __init__(self, service: Service) -> None:
        self._shelf = service.store.shelf(_POLICIES)
        super().__init__(service)

    def start(self) -> None:
        for row in self._shelf.rows.values():
            status = row.decode().get("status") or {}
            if status.get("observedGeneration") is None:
                self.due(row.name)

    def hear(self, shelf: Shelf, event: Event) -> None:
        if shelf is self._shelf and event.change is not Change.DELETED:
            self.due(event.row.name)
        elif shelf.resource == _DEFINITIONS:
            for row in self._shelf.rows.values():
                self.due(row.name)

    async def handle(self, key: str) -> None:
        row = self._shelf.get(("", key))
        if row is not None:
            await change(self.store, self._shelf, row, self._judge)

    def _judge(self, policy: Obj) -> None:
        # CEL's rooms are entered by those alone who have expressions.
        from virtdeck.standalone.apiserver.schema.policy_checks import type_warnings

        spec = policy.get("spec") or {}
        kinds = {_shown(one): type_of_resource(one) for one in islice(self._named(spec), _MOST_KINDS)}
        warnings = type_warnings(spec, {name: of for name, of in kinds.items() if of}, self._params(spec))
        policy["status"] = {
            **(policy.get("status") or {}),
            "observedGeneration": policy["metadata"].get("generation", 1),
            "typeChecking": {"expressionWarnings": warnings} if warnings else {},
        }

    def _named(self, spec: Obj) -> Iterator[Resource]:
        """The kinds that the policy's rules name, without those that stand for any."""
        for rule in (spec.get("matchConstraints") or {}).get("resourceRules") or ():
            for group in rule.get("apiGroups") or ():
                for version in rule.get("apiVersions") or ():
                    for plural in rule.get("resources") or ():
                        found = self.service.registry.find(group, version, plural)
                        if found is not None:
                            yield found

    def _params(self, spec: Obj) -> Any:
        kind = spec.get("paramKind") or {}
        found = self.service.registry.of_kind(kind.get("apiVersion") or "", kind.get("kind") or "")
        return type_of_resource(found) if found is not None else None


def _shown(resource: Resource) -> str:
    return f"{resource.api_version}, Kind={resource.kind}"


def type_of_resource(resource: Resource) -> Any:
    """The type of a resource's objects in expressions."""
    from virtdeck.cel.types import object_of
    from virtdeck.standalone.apiserver.schema.builtin_expression_types import type_of_builtin
    from virtdeck.standalone.apiserver.schema.expression_types import type_of_schema

    if resource.schema is None:
        return type_of_builtin(resource.type_name)
    found = type_of_schema(resource.schema, root=True)
    if found is None:
        return None
    fields = {**found.fields, "metadata": type_of_builtin("meta.v1.ObjectMeta")}
    return object_of(resource.kind, fields)
