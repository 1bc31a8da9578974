"""Kubernetes' quantities."""

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from virtdeck.basis.errors import Invalid
from virtdeck.cel.costs import Traversal
from virtdeck.cel.signatures import Library, function, method
from virtdeck.cel.types import BOOL, DOUBLE, INT, STRING, opaque
from virtdeck.cel.values import INT_MAX, INT_MIN, EvaluationError
from virtdeck.crds.quantity import parse_quantity

_QUANTITY = opaque("kubernetes.Quantity")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of something; equal when the numbers are, however they were written."""

    cel_type: ClassVar[str] = "kubernetes.Quantity"
    number: Decimal

    def cel_compare(self, other: "Quantity") -> int:
        return (self.number > other.number) - (self.number < other.number)


def _parsed(text: str) -> Quantity:
    try:
        return Quantity(parse_quantity(text))
    except Invalid as fault:
        raise EvaluationError(str(fault)) from fault


def _is_quantity(text: str) -> bool:
    try:
        parse_quantity(text)
    except Invalid:
        return False
    return True


def _is_integer(quantity: Quantity) -> bool:
    number = quantity.number
    return number == number.to_integral_value() and INT_MIN <= number <= INT_MAX


def _as_integer(quantity: Quantity) -> int:
    if not _is_integer(quantity):
        raise EvaluationError("cannot convert value to integer")
    return int(quantity.number)


def _sign(quantity: Quantity) -> int:
    return (quantity.number > 0) - (quantity.number < 0)


def _sum(quantity: Quantity, other: "Quantity | int") -> Quantity:
    return Quantity(quantity.number + (other.number if isinstance(other, Quantity) else other))


def _difference(quantity: Quantity, other: "Quantity | int") -> Quantity:
    return Quantity(quantity.number - (other.number if isinstance(other, Quantity) else other))


QUANTITIES: Library = {
    "quantity": (function(_QUANTITY, STRING, run=_parsed, cost=Traversal()),),
    "isQuantity": (function(BOOL, STRING, run=_is_quantity, cost=Traversal()),),
    "isInteger": (method(BOOL, _QUANTITY, run=_is_integer),),
    "asInteger": (method(INT, _QUANTITY, run=_as_integer),),
    "asApproximateFloat": (method(DOUBLE, _QUANTITY, run=lambda quantity: float(quantity.number)),),
    "sign": (method(INT, _QUANTITY, run=_sign),),
    "add": (
        method(_QUANTITY, _QUANTITY, _QUANTITY, run=_sum),
        method(_QUANTITY, _QUANTITY, INT, run=_sum),
    ),
    "sub": (
        method(_QUANTITY, _QUANTITY, _QUANTITY, run=_difference),
        method(_QUANTITY, _QUANTITY, INT, run=_difference),
    ),
    "isGreaterThan": (method(BOOL, _QUANTITY, _QUANTITY, run=lambda one, other: one.number > other.number),),
    "isLessThan": (method(BOOL, _QUANTITY, _QUANTITY, run=lambda one, other: one.number < other.number),),
    "compareTo": (method(INT, _QUANTITY, _QUANTITY, run=Quantity.cel_compare),),
}
