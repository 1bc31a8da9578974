"""What the expressions of a policy get wrong about the kinds that it names; objects have no type there."""

from collections.abc import Iterator, Mapping
from typing import Any

from virtdeck.cel.environment import checked
from virtdeck.cel.syntax import ExpressionError
from virtdeck.cel.types import Type
from virtdeck.standalone.apiserver.schema.admission_types import policy_variables, with_variable

Obj = dict[str, Any]


def type_warnings(spec: Obj, kinds: Mapping[str, Type], params: Type | None) -> list[dict[str, str]]:
    """The warnings of each expression. kinds: what objects may be, by how the kind is shown."""
    found: dict[str, list[str]] = {}
    for shown, of in kinds.items():
        types = policy_variables(has_params=bool(spec.get("paramKind")))
        types |= {"object": of, "oldObject": of}
        if params is not None:
            types["params"] = params
        for place, fault in _faults(spec, types):
            found.setdefault(place, []).append(f"{shown}: {fault}")
    return [{"fieldRef": place, "warning": "\n".join(texts)} for place, texts in found.items()]


def _faults(spec: Obj, types: dict[str, Type]) -> Iterator[tuple[str, str]]:
    for index, one in enumerate(spec.get("matchConditions") or ()):
        yield from _fault(f"spec.matchConditions[{index}].expression", one["expression"], types)
    for index, one in enumerate(spec.get("variables") or ()):
        yield from _fault(f"spec.variables[{index}].expression", one["expression"], types)
        try:
            of = checked(one["expression"], types).type
        except ExpressionError:
            of = None
        types = with_variable(types, one["name"], of)
    for index, one in enumerate(spec.get("validations") or ()):
        for field in ("expression", "messageExpression"):
            if one.get(field):
                yield from _fault(f"spec.validations[{index}].{field}", one[field], types)
    for index, one in enumerate(spec.get("auditAnnotations") or ()):
        yield from _fault(f"spec.auditAnnotations[{index}].valueExpression", one["valueExpression"], types)


def _fault(place: str, text: str, types: Mapping[str, Type]) -> Iterator[tuple[str, str]]:
    try:
        checked(text, types)
    except ExpressionError as fault:
        yield place, str(fault)
