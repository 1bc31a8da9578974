"""What is wrong with an expression that an object brings, as causes at its field."""

from collections.abc import Mapping, Sequence

from virtdeck.basis.errors import Cause
from virtdeck.cel.environment import checked
from virtdeck.cel.syntax import ExpressionError
from virtdeck.cel.types import Type
from virtdeck.crds.names import faults_of_qualified_name
from virtdeck.standalone.apiserver.schema.admission_types import CONDITION_VARIABLES
from virtdeck.standalone.apiserver.schema.validation import show

_MOST_CONDITIONS = 64


def causes_of_expression(
    text: str, variables: Mapping[str, Type], wanted: Sequence[str], path: str
) -> list[Cause]:
    """What is wrong with an expression that must come to one of the wanted types; to any, where none are."""
    if not text.strip():
        return [Cause(path, "Required value", "FieldValueRequired")]
    try:
        found = checked(text, variables)
    except ExpressionError as fault:
        return [Cause(path, f"Invalid value: {show(text)}: compilation failed: {fault}")]
    if not wanted or found.type.kind in wanted:
        return []
    return [Cause(path, f"Invalid value: {show(text)}: must evaluate to {' or '.join(wanted)}")]


def type_of_expression(text: str, variables: Mapping[str, Type]) -> Type | None:
    """What the expression comes to; None if it does not compile."""
    try:
        return checked(text, variables).type
    except ExpressionError:
        return None


def causes_of_conditions(
    conditions: Sequence[Mapping[str, str]],
    path: str,
    variables: Mapping[str, Type] = CONDITION_VARIABLES,
) -> list[Cause]:
    """What is wrong with ``matchConditions``."""
    causes: list[Cause] = []
    if len(conditions) > _MOST_CONDITIONS:
        text = f"Too many: {len(conditions)}: must have at most {_MOST_CONDITIONS} items"
        causes.append(Cause(path, text, "FieldValueTooMany"))
    seen = set()
    for index, condition in enumerate(conditions[:_MOST_CONDITIONS]):
        name, place = condition.get("name") or "", f"{path}[{index}]"
        if not name:
            causes.append(Cause(f"{place}.name", "Required value", "FieldValueRequired"))
        elif name in seen:
            causes.append(Cause(f"{place}.name", f"Duplicate value: {show(name)}", "FieldValueDuplicate"))
        else:
            faults = faults_of_qualified_name(name)
            causes += [Cause(f"{place}.name", f"Invalid value: {show(name)}: {fault}") for fault in faults]
        seen.add(name)
        causes += causes_of_expression(
            condition.get("expression") or "", variables, ("bool",), f"{place}.expression"
        )
    return causes
