"""Kubernetes quantities: ``500m``, ``1Gi``, ``1e3``."""

import re
from decimal import ROUND_CEILING, Decimal

from virtdeck.basis.errors import Invalid

_FORM = re.compile(
    r"(?P<number>[+-]?(?:\d+\.?\d*|\.\d+))(?P<suffix>[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,3})?", re.ASCII
)
_BINARY = {f"{letter}i": Decimal(1024) ** power for power, letter in enumerate("KMGTPE", start=1)}
_DECIMAL = {
    suffix: Decimal(10) ** power
    for suffix, power in zip("numkMGTPE", (-9, -6, -3, 3, 6, 9, 12, 15, 18), strict=True)
}
_FACTORS = {**_BINARY, **_DECIMAL}
_MOST_DIGITS = 64


def parse_quantity(text: str | int | float) -> Decimal:
    """The amount. Raises: Invalid."""
    text = str(text)
    found = _FORM.fullmatch(text) if len(text) <= _MOST_DIGITS else None
    if not found:
        raise Invalid(f"{text[:_MOST_DIGITS]!r} is not a quantity; write it as 500m, 2, 1.5Gi or 1e3")
    number, suffix = Decimal(found["number"]), found["suffix"] or ""
    if suffix in _FACTORS:
        return number * _FACTORS[suffix]
    return number.scaleb(int(suffix[1:])) if suffix else number


def parse_bytes(text: str | int | float) -> int:
    """The amount as whole bytes, rounded up as Kubernetes does. Raises: Invalid."""
    amount = parse_quantity(text)
    if abs(amount) >= Decimal(2) ** 63:
        raise Invalid(f"{text!r} is more than 8 EiB")
    return int(amount.to_integral_value(ROUND_CEILING))


def parse_milli(text: str | int | float) -> int:
    """The amount in thousandths (of a processor), rounded up. Raises: Invalid."""
    return int((parse_quantity(text) * 1000).to_integral_value(ROUND_CEILING))


def format_bytes(amount: int) -> str:
    """The amount in the largest binary unit that keeps it whole: ``1Gi``, ``1536Mi``, ``1000``."""
    for suffix, factor in reversed(_BINARY.items()):
        if amount and amount % int(factor) == 0:
            return f"{amount // int(factor)}{suffix}"
    return str(amount)


def format_milli(amount: int) -> str:
    """Thousandths as Kubernetes writes them: ``100m``, ``2``."""
    return str(amount // 1000) if amount % 1000 == 0 else f"{amount}m"
