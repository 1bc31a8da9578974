"""Quantities that may be nonsense: read them without failing, or say what is wrong."""

from collections.abc import Mapping

from virtdeck.basis.errors import Invalid
from virtdeck.crds.quantity import parse_bytes, parse_milli
from virtdeck.crds.scalars import Quantity

Amounts = Mapping[str, Quantity]


def bytes_or_none(quantity: Quantity | None) -> int | None:
    """The amount in bytes; None when absent or unreadable (a rule of its own says so)."""
    try:
        return None if quantity is None else parse_bytes(quantity)
    except Invalid:
        return None


def milli_or_none(quantity: Quantity | None) -> int | None:
    """The amount in thousandths; None when absent or unreadable."""
    try:
        return None if quantity is None else parse_milli(quantity)
    except Invalid:
        return None


def of(amounts: Amounts | None, name: str) -> Quantity | None:
    """The named resource's amount."""
    return (amounts or {}).get(name)


def why_unreadable(quantity: Quantity | None) -> str | None:
    """What is wrong with a quantity, None when nothing is."""
    try:
        if quantity is not None:
            parse_bytes(quantity)
    except Invalid as fault:
        return fault.message
    return None
