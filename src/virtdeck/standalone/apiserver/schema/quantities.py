"""Quantities of built-in kinds in the one form that Kubernetes stores: ``500m`` is 0.5, ``1Gi`` 1024Mi."""

from decimal import ROUND_CEILING, Decimal
from functools import cache, lru_cache
from typing import Any

from virtdeck.basis.errors import Invalid
from virtdeck.crds.quantity import parse_quantity
from virtdeck.standalone.apiserver.schema.kubernetes_types import all_types, fields_of, is_type, item_type

_DECIMAL = (
    (18, "E"),
    (15, "P"),
    (12, "T"),
    (9, "G"),
    (6, "M"),
    (3, "k"),
    (0, ""),
    (-3, "m"),
    (-6, "u"),
    (-9, "n"),
)
_BINARY = ((6, "Ei"), (5, "Pi"), (4, "Ti"), (3, "Gi"), (2, "Mi"), (1, "Ki"), (0, ""))
_NANO = Decimal(1).scaleb(-9)


@lru_cache(maxsize=4096)
def canonical(text: str) -> str:
    """The quantity as Kubernetes writes it. Raises: Invalid."""
    amount = parse_quantity(text).quantize(_NANO, ROUND_CEILING)
    if not amount:
        return "0"
    if text.endswith("i") and abs(amount) >= 1024:
        for power, suffix in _BINARY:
            unit = Decimal(1024) ** power
            if amount % unit == 0:
                return f"{int(amount // unit)}{suffix}"
    exponent = "e" in text or "E" in text[:-1]
    for power, suffix in _DECIMAL:
        scaled = amount.scaleb(-power)
        if scaled == scaled.to_integral_value():
            return f"{int(scaled)}{_written(power) if exponent else suffix}"
    return text


def _written(power: int) -> str:
    return f"e{power}" if power else ""


def canonicalise(obj: dict[str, Any], type_name: str) -> None:
    """Every quantity in the object is in the one form. Raises: Invalid, naming the field."""
    if _holds(type_name):
        _walk(obj, type_name, "")


@cache
def _holds(kind: str, above: tuple[str, ...] = ()) -> bool:
    """Whether there is a quantity anywhere in a value of this type."""
    if kind == "q":
        return True
    if kind[0] in "[{":
        return _holds(item_type(kind), above)
    if not is_type(kind) or kind in above or kind not in all_types():
        return False
    return any(_holds(below, (*above, kind)) for below in fields_of(kind).values())


def _walk(value: Any, kind: str, path: str) -> None:
    for name, below in list(_parts(value, kind)):
        here = f"{path}.{name}" if path and isinstance(name, str) else f"{path}{name}"
        found = value[name]
        if below != "q":
            _walk(found, below, here)
            continue
        try:
            value[name] = canonical(str(found))
        except Invalid as fault:
            raise Invalid(f"{here}: {fault.message}") from fault


def _parts(value: Any, kind: str) -> list[tuple[Any, str]]:
    """Where quantities may be below the value."""
    if isinstance(value, list) and kind[0] == "[":
        inner = item_type(kind)
        return [(index, inner) for index in range(len(value))] if _holds(inner) else []
    if not isinstance(value, dict):
        return []
    if kind[0] == "{":
        inner = item_type(kind)
        return [(name, inner) for name, item in value.items() if item is not None] if _holds(inner) else []
    fields = fields_of(kind) if kind in all_types() else {}
    return [(name, fields[name]) for name in value if name in fields and _holds(fields[name])]
