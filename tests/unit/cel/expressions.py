"""How the tests evaluate an expression."""

from collections.abc import Mapping
from typing import Any

from virtdeck.cel.environment import MOST_PER_CALL, MOST_PER_REQUEST, compiled
from virtdeck.cel.programs import Meter
from virtdeck.cel.types import DYN, Type


def value_of(
    text: str, values: Mapping[str, Any] | None = None, types: Mapping[str, Type] | None = None
) -> Any:
    """What the expression comes to; variables without a type are dynamic."""
    values = values or {}
    program = compiled(text, {**dict.fromkeys(values, DYN), **(types or {})})
    return program.evaluate(values, Meter(MOST_PER_REQUEST, MOST_PER_CALL))
