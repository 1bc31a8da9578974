"""The shape of compiled expressions."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from virtdeck.cel.syntax import Node
from virtdeck.cel.types import Type
from virtdeck.cel.values import CostExceeded

Frame = list[Any]
Run = Callable[[Frame], Any]
# A part of a program, and what it costs whatever the values are.
Compiled = tuple[Run, int]

# Places in a frame.
SPENT, LIMIT, VARIABLES = 0, 1, 2


class Compiler(Protocol):
    """What parts of a program need to compile those below them."""

    def compiled(self, node: Node, scope: Mapping[str, int]) -> Compiled:
        """The node as a function."""

    def place(self) -> int:
        """A place of the frame that nothing else uses."""

    def type_of(self, node: Node) -> Type:
        """As the checker found it."""


def constant(value: Any) -> Compiled:
    """A part that is always the same, for nothing."""
    return (lambda _frame: value), 0


def spend(frame: Frame, cost: int) -> None:
    """The cost is counted. Raises: CostExceeded."""
    frame[SPENT] += cost
    if frame[SPENT] > frame[LIMIT]:
        raise CostExceeded
