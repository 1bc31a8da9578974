"""ValidatingAdmissionPolicies: found for a write, evaluated, enforced as their bindings say."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from virtdeck.standalone.apiserver.access.rbac import Authorizer
from virtdeck.standalone.apiserver.admission.matching import (
    Criteria,
    Matcher,
    Subject,
    concerned,
    parse_criteria,
)
from virtdeck.standalone.apiserver.admission.policy_params import Params, ParamsMissing
from virtdeck.standalone.apiserver.admission.webhook_call import review_of
from virtdeck.standalone.apiserver.conversion.conversions import Conversions
from virtdeck.standalone.apiserver.problems import StatusError, forbidden
from virtdeck.standalone.apiserver.resources.registry import Registry
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.store import Store
from virtdeck.standalone.apiserver.storage.timeline import Event
from virtdeck.standalone.apiserver.verbs.attributes import Attributes

if TYPE_CHECKING:
    from virtdeck.standalone.apiserver.admission.policy_programs import Failure, Policy

Obj = dict[str, Any]

GROUP = "admissionregistration.k8s.io"
POLICIES, BINDINGS = "validatingadmissionpolicies", "validatingadmissionpolicybindings"
_AUDIT_KEY = "validation.policy.admission.k8s.io/validation_failure"
_CODES = {"Unauthorized": 401, "Forbidden": 403, "Invalid": 422, "RequestEntityTooLarge": 413}


@dataclass(frozen=True)
class _Binding:
    """criteria: None where the binding does not narrow what its policy is about."""

    name: str
    criteria: Criteria | None
    params: Obj | None
    actions: tuple[str, ...]


@dataclass(frozen=True)
class _Bound:
    """A policy with its bindings; compiled when a write concerns it for the first time."""

    spec: Obj
    name: str
    criteria: Criteria
    bindings: tuple[_Binding, ...]
    compiled: list["Policy"] = field(default_factory=list)

    def policy(self) -> "Policy":
        if not self.compiled:
            # CEL's rooms are entered by those alone who have expressions.
            from virtdeck.standalone.apiserver.admission.policy_programs import compile_policy

            self.compiled.append(compile_policy(self.name, self.spec))
        return self.compiled[0]


@dataclass
class _Outcome:
    """What has been found so far for one write."""

    denial: StatusError | None = None
    audited: list[Obj] = field(default_factory=list)
    notes: dict[str, list[str]] = field(default_factory=dict)


class Policies:
    """The policies that are bound; read again after one of them or a binding changed."""

    def __init__(
        self,
        store: Store,
        registry: Registry,
        matcher: Matcher,
        authorizer: Authorizer,
        conversions: Conversions,
    ) -> None:
        self._conversions = conversions
        self._policies = store.shelf(f"{GROUP}/{POLICIES}")
        self._bindings = store.shelf(f"{GROUP}/{BINDINGS}")
        self._namespaces = store.shelf("/namespaces")
        self._params = Params(store, registry)
        self._matcher = matcher
        self._authorizer = authorizer
        self._bound: list[_Bound] | None = None
        store.listen(self._hear)

    def _hear(self, shelf: Shelf, _event: Event) -> None:
        if shelf in (self._policies, self._bindings):
            self._bound = None

    def _all(self) -> list[_Bound]:
        if self._bound is None:
            self._bound = _read(self._policies, self._bindings)
        return self._bound

    async def validate(self, attributes: Attributes, obj: Obj | None, old: Obj | None) -> None:
        """Returns if no policy denies the write. Raises: StatusError."""
        if not self._all() or (attributes.group == GROUP and attributes.plural in (POLICIES, BINDINGS)):
            return
        subject = self._matcher.subject(attributes, obj, old)
        outcome = _Outcome()
        for bound in self._all():
            if (resource := concerned(bound.criteria, subject)) is not None:
                await self._evaluate(bound, resource, subject, (attributes, obj, old), outcome)
        self._conclude(attributes, outcome)

    async def _evaluate(
        self,
        bound: _Bound,
        resource: Resource,
        subject: Subject,
        write: tuple[Attributes, Obj | None, Obj | None],
        outcome: _Outcome,
    ) -> None:
        values: Obj | None = None
        for binding in bound.bindings:
            if binding.criteria is not None and concerned(binding.criteria, subject) is None:
                continue
            if values is None:
                values = await self._values(bound.policy(), resource, *write)
            for failure in self._failures(bound, binding, values, write[0], outcome):
                _enforce(failure, bound.name, binding, write[0], outcome)

    def _failures(
        self, bound: _Bound, binding: _Binding, values: Obj, attributes: Attributes, outcome: _Outcome
    ) -> list["Failure"]:
        policy = bound.policy()
        try:
            found = self._params.find(bound.spec.get("paramKind"), binding.params, attributes)
        except ParamsMissing as fault:
            return policy.misconfigured(str(fault))
        failures = []
        for params in found:
            given = {**values, "params": params}
            failures += policy.judge(given)
            for name, text in policy.notes(given):
                texts = outcome.notes.setdefault(f"{bound.name}/{name}", [])
                if text not in texts:
                    texts.append(text)
        return failures

    async def _values(
        self, policy: "Policy", resource: Resource, attributes: Attributes, obj: Obj | None, old: Obj | None
    ) -> Obj:
        from virtdeck.standalone.apiserver.admission.request_values import request_values

        shown, before = await self._conversions.both(obj, old, attributes.resource, resource)
        review = review_of(attributes, resource, shown, before)
        values = request_values(attributes, review, self._authorizer)
        if "namespaceObject" in policy.uses and attributes.resource.namespaced:
            row = self._namespaces.get(("", attributes.namespace))
            values["namespaceObject"] = row.decode() if row is not None else None
        return values

    @staticmethod
    def _conclude(attributes: Attributes, outcome: _Outcome) -> None:
        for name, texts in outcome.notes.items():
            attributes.annotate(name, ", ".join(texts))
        if outcome.audited:
            attributes.annotate(_AUDIT_KEY, orjson.dumps(outcome.audited).decode())
        if outcome.denial is not None:
            raise outcome.denial


def _enforce(
    failure: "Failure", policy: str, binding: _Binding, attributes: Attributes, outcome: _Outcome
) -> None:
    """The failure has the consequences that the binding names."""
    if "Deny" in binding.actions and outcome.denial is None:
        outcome.denial = _denial(failure, policy, binding.name, attributes)
    if "Warn" in binding.actions:
        where = f"ValidatingAdmissionPolicy '{policy}' with binding '{binding.name}'"
        attributes.warn(f"Validation failed for {where}: {failure.message}")
    if "Audit" in binding.actions:
        outcome.audited.append(
            {
                "message": failure.message,
                "policy": policy,
                "binding": binding.name,
                "expressionIndex": failure.index,
                "validationActions": list(binding.actions),
            }
        )


def _denial(failure: "Failure", policy: str, binding: str, attributes: Attributes) -> StatusError:
    why = f"ValidatingAdmissionPolicy '{policy}' with binding '{binding}' denied request: {failure.message}"
    fault = forbidden(attributes.plural, attributes.group, attributes.name, why)
    fault.reason = failure.reason
    fault.code = _CODES.get(failure.reason, 422)
    fault.details = {**(fault.details or {}), "causes": [{"message": failure.message}]}
    return fault


def _read(policies: Shelf, bindings: Shelf) -> list[_Bound]:
    by_policy: dict[str, list[_Binding]] = {}
    for row in bindings.in_order(None):
        spec = row.decode().get("spec") or {}
        by_policy.setdefault(spec.get("policyName", ""), []).append(_parse_binding(row.name, spec))
    return [
        _Bound(
            spec := row.decode().get("spec") or {},
            row.name,
            parse_criteria(spec.get("matchConstraints") or {}, rules="resourceRules"),
            tuple(by_policy[row.name]),
        )
        for row in policies.in_order(None)
        if row.name in by_policy
    ]


def _parse_binding(name: str, spec: Obj) -> _Binding:
    narrowed = spec.get("matchResources")
    criteria = None
    if narrowed is not None:
        everything = [
            {part: ["*"] for part in ("operations", "apiGroups", "apiVersions")} | {"resources": ["*/*"]}
        ]
        rules = narrowed.get("resourceRules") or everything
        criteria = parse_criteria({**narrowed, "resourceRules": rules}, rules="resourceRules")
    return _Binding(name, criteria, spec.get("paramRef"), tuple(spec.get("validationActions") or ()))
