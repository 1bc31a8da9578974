"""ValidatingAdmissionPolicies and their bindings."""

import re
from collections.abc import Iterator
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.crds.names import faults_of_qualified_name
from virtdeck.standalone.apiserver.resources.kinds.webhook_checks import causes_of_rule
from virtdeck.standalone.apiserver.resources.rules import Obj, Rules, required, unsupported

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_REASONS = ("Unauthorized", "Forbidden", "Invalid", "RequestEntityTooLarge")
_ACTIONS = ("Deny", "Warn", "Audit")


def _default_match(match: Obj) -> None:
    match.setdefault("matchPolicy", "Equivalent")
    match.setdefault("namespaceSelector", {})
    match.setdefault("objectSelector", {})
    for rules in ("resourceRules", "excludeResourceRules"):
        for rule in match.get(rules) or ():
            rule.setdefault("scope", "*")


class PolicyRules(Rules):
    """Policies: their expressions compile, or they are refused."""

    has_status = True
    has_generation = True

    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        spec.setdefault("failurePolicy", "Fail")
        if isinstance(match := spec.get("matchConstraints"), dict):
            _default_match(match)

    def causes(self, obj: Obj) -> list[Cause]:
        return list(_causes_of_policy(obj["spec"]))


def _causes_of_policy(spec: Obj) -> Iterator[Cause]:
    if not spec.get("matchConstraints"):
        yield required("spec.matchConstraints")
    elif not spec["matchConstraints"].get("resourceRules"):
        yield required("spec.matchConstraints.resourceRules")
    yield from _causes_of_match(spec.get("matchConstraints") or {}, "spec.matchConstraints")
    if not spec.get("validations") and not spec.get("auditAnnotations"):
        text = "Required value: validations or auditAnnotations must be specified"
        yield Cause("spec.validations", text, "FieldValueRequired")
    if spec["failurePolicy"] not in ("Fail", "Ignore"):
        yield unsupported("spec.failurePolicy", spec["failurePolicy"], ("Fail", "Ignore"))
    if (kind := spec.get("paramKind")) is not None:
        yield from (
            required(f"spec.paramKind.{name}") for name in ("apiVersion", "kind") if not kind.get(name)
        )
    yield from _causes_of_expressions(spec)


def _causes_of_match(match: Obj, path: str) -> Iterator[Cause]:
    for part in ("resourceRules", "excludeResourceRules"):
        for index, rule in enumerate(match.get(part) or ()):
            yield from causes_of_rule(rule, f"{path}.{part}[{index}]")
    if (given := match.get("matchPolicy")) not in (None, "Equivalent", "Exact"):
        yield unsupported(f"{path}.matchPolicy", str(given), ("Equivalent", "Exact"))


def _causes_of_expressions(spec: Obj) -> Iterator[Cause]:
    # CEL's rooms are entered by those alone who have expressions.
    from virtdeck.standalone.apiserver.schema.admission_types import policy_variables, with_variable
    from virtdeck.standalone.apiserver.schema.expressions import (
        causes_of_conditions,
        causes_of_expression,
        type_of_expression,
    )

    types = policy_variables(has_params=bool(spec.get("paramKind")))
    yield from causes_of_conditions(spec.get("matchConditions") or (), "spec.matchConditions", types)
    for index, one in enumerate(spec.get("variables") or ()):
        path, text = f"spec.variables[{index}]", one.get("expression") or ""
        yield from _causes_of_name(one.get("name") or "", f"{path}.name", types["variables"].fields)
        yield from causes_of_expression(text, types, (), f"{path}.expression")
        types = with_variable(types, one.get("name") or "", type_of_expression(text, types))
    for index, one in enumerate(spec.get("validations") or ()):
        path = f"spec.validations[{index}]"
        yield from causes_of_expression(one.get("expression") or "", types, ("bool",), f"{path}.expression")
        if message := one.get("messageExpression"):
            yield from causes_of_expression(message, types, ("string",), f"{path}.messageExpression")
        if "\n" in (one.get("message") or "").strip():
            yield Cause(f"{path}.message", "Invalid value: must not contain line breaks")
        if (reason := one.get("reason")) is not None and reason not in _REASONS:
            yield unsupported(f"{path}.reason", reason, _REASONS)
    yield from _causes_of_annotations(spec.get("auditAnnotations") or (), types)


def _causes_of_name(name: str, path: str, before: Any) -> Iterator[Cause]:
    if not name:
        yield required(path)
    elif not _NAME.fullmatch(name):
        yield Cause(path, f'Invalid value: "{name}": name is not a valid CEL identifier')
    elif name in before:
        yield Cause(path, f'Duplicate value: "{name}"', "FieldValueDuplicate")


def _causes_of_annotations(annotations: Any, types: Any) -> Iterator[Cause]:
    from virtdeck.standalone.apiserver.schema.expressions import causes_of_expression

    seen = set()
    for index, one in enumerate(annotations):
        path, key = f"spec.auditAnnotations[{index}]", one.get("key") or ""
        if key in seen:
            yield Cause(f"{path}.key", f'Duplicate value: "{key}"', "FieldValueDuplicate")
        yield from (
            Cause(f"{path}.key", f'Invalid value: "{key}": {fault}')
            for fault in faults_of_qualified_name(key)
        )
        seen.add(key)
        wanted = ("string", "null_type", "dyn")
        yield from causes_of_expression(
            one.get("valueExpression") or "", types, wanted, f"{path}.valueExpression"
        )


class BindingRules(Rules):
    """Bindings: what a policy is bound to, and what follows when it does not hold."""

    has_generation = True

    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        if isinstance(match := spec.get("matchResources"), dict):
            _default_match(match)

    def causes(self, obj: Obj) -> list[Cause]:
        return list(_causes_of_binding(obj["spec"]))


def _causes_of_binding(spec: Obj) -> Iterator[Cause]:
    if not spec.get("policyName"):
        yield required("spec.policyName")
    actions = spec.get("validationActions") or []
    if not actions:
        yield required("spec.validationActions")
    for index, action in enumerate(actions):
        if action not in _ACTIONS:
            yield unsupported(f"spec.validationActions[{index}]", action, _ACTIONS)
        elif action in actions[:index]:
            path = f"spec.validationActions[{index}]"
            yield Cause(path, f'Duplicate value: "{action}"', "FieldValueDuplicate")
    yield from _causes_of_match(spec.get("matchResources") or {}, "spec.matchResources")
    if "Deny" in actions and "Warn" in actions:
        yield Cause("spec.validationActions", "Invalid value: must not contain both Deny and Warn")
    if (ref := spec.get("paramRef")) is not None:
        if bool(ref.get("name")) == (ref.get("selector") is not None):
            text = "Required value: one of name or selector must be specified"
            yield Cause("spec.paramRef", text, "FieldValueRequired")
        if (found := ref.get("parameterNotFoundAction")) not in ("Allow", "Deny"):
            path = "spec.paramRef.parameterNotFoundAction"
            yield unsupported(path, found, ("Allow", "Deny")) if found else required(path)
