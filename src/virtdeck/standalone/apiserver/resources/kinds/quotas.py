"""ResourceQuotas and LimitRanges."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.crds.quantity import parse_quantity
from virtdeck.standalone.apiserver.resources.rules import Obj, Rules, required, unsupported

_SCOPES = (
    "Terminating",
    "NotTerminating",
    "BestEffort",
    "NotBestEffort",
    "PriorityClass",
    "CrossNamespacePodAffinity",
)
_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")
_OPPOSITES = (("Terminating", "NotTerminating"), ("BestEffort", "NotBestEffort"))
_TYPES = ("Container", "Pod", "PersistentVolumeClaim")
_LIMITS = ("min", "defaultRequest", "default", "max")  # each at most the next


class QuotaRules(Rules):
    """ResourceQuotas: what a namespace may have at most."""

    has_status = True

    def causes(self, obj: Obj) -> list[Cause]:
        spec = obj.get("spec") or {}
        return [*_causes_of_amounts(spec.get("hard"), "spec.hard"), *_causes_of_scopes(spec)]


def _causes_of_amounts(amounts: Any, path: str) -> Iterator[Cause]:
    for name, text in (amounts or {}).items():
        try:
            negative = parse_quantity(text) < 0
        except Invalid as fault:
            yield Cause(f"{path}[{name}]", f'Invalid value: "{text}": {fault}')
            continue
        if negative:
            yield Cause(f"{path}[{name}]", f'Invalid value: "{text}": must be greater than or equal to 0')


def _causes_of_scopes(spec: Obj) -> Iterator[Cause]:
    scopes = list(spec.get("scopes") or ())
    for index, scope in enumerate(scopes):
        if scope not in _SCOPES:
            yield unsupported(f"spec.scopes[{index}]", scope, _SCOPES)
    for one, other in _OPPOSITES:
        if one in scopes and other in scopes:
            yield Cause("spec.scopes", f'Invalid value: ["{one}","{other}"]: conflicting scopes')
    for index, term in enumerate((spec.get("scopeSelector") or {}).get("matchExpressions") or ()):
        path = f"spec.scopeSelector.matchExpressions[{index}]"
        if term.get("scopeName") not in _SCOPES:
            yield unsupported(f"{path}.scopeName", str(term.get("scopeName")), _SCOPES)
        if term.get("operator") not in _OPERATORS:
            yield unsupported(f"{path}.operator", str(term.get("operator")), _OPERATORS)
        elif term["operator"] in ("In", "NotIn") and not term.get("values"):
            yield required(f"{path}.values")
        elif term["operator"] in ("Exists", "DoesNotExist") and term.get("values"):
            text = "Invalid value: must be no value when `operator` is 'Exists' or 'DoesNotExist'"
            yield Cause(f"{path}.values", text)


class LimitRangeRules(Rules):
    """LimitRanges: what each container, pod or claim of a namespace gets and may ask for."""

    def default(self, obj: Obj) -> None:
        for item in (obj.get("spec") or {}).get("limits") or ():
            if item.get("type") == "Container":
                _default_container(item)

    def causes(self, obj: Obj) -> list[Cause]:
        return list(_causes_of_limits((obj.get("spec") or {}).get("limits") or ()))


def _default_container(item: Obj) -> None:
    """What is not said follows from the rest: a limit from the maximum, a request from limit or minimum."""
    for kind, sources in (("default", ("max",)), ("defaultRequest", ("default", "min"))):
        found = dict(item.get(kind) or {})
        for source in sources:
            found = {**(item.get(source) or {}), **found}
        if found:
            item[kind] = found


def _causes_of_limits(items: Any) -> Iterator[Cause]:
    seen = set()
    for index, item in enumerate(items):
        path, kind = f"spec.limits[{index}]", str(item.get("type") or "")
        if kind in seen:
            yield Cause(f"{path}.type", f'Duplicate value: "{kind}"', "FieldValueDuplicate")
        seen.add(kind)
        if kind not in _TYPES and "/" not in kind:
            yield unsupported(f"{path}.type", kind, _TYPES)
        faults = [
            cause
            for name in (*_LIMITS, "maxLimitRequestRatio")
            for cause in _causes_of_amounts(item.get(name), f"{path}.{name}")
        ]
        yield from faults
        if not faults:
            yield from _causes_of_item(item, kind, path)


def _causes_of_item(item: Obj, kind: str, path: str) -> Iterator[Cause]:
    if kind == "Pod":
        for name in ("default", "defaultRequest"):
            if item.get(name):
                text = "Forbidden: may not be specified when `type` is 'Pod'"
                yield Cause(f"{path}.{name}", text, "FieldValueForbidden")
    if kind == "PersistentVolumeClaim" and not any(
        "storage" in (item.get(name) or {}) for name in ("min", "max")
    ):
        text = "Required value: either minimum or maximum storage value is required, but neither was provided"
        yield Cause(f"{path}.limits", text, "FieldValueRequired")
    for place, lower in enumerate(_LIMITS):
        for upper in _LIMITS[place + 1 :]:
            yield from _causes_of_order(item, lower, upper, path)
    for name, text in (item.get("maxLimitRequestRatio") or {}).items():
        if parse_quantity(text) < 1:
            yield Cause(
                f"{path}.maxLimitRequestRatio[{name}]",
                f'Invalid value: "{text}": ratio {text} is less than 1',
            )


def _causes_of_order(item: Obj, lower: str, upper: str, path: str) -> Iterator[Cause]:
    for name, text in (item.get(lower) or {}).items():
        bound = (item.get(upper) or {}).get(name)
        if bound is not None and _amount(text) > _amount(bound):
            why = f"{lower} value {text} is greater than {upper} value {bound}"
            yield Cause(f"{path}.{lower}[{name}]", f'Invalid value: "{text}": {why}')


def _amount(text: Any) -> Decimal:
    return parse_quantity(text)
