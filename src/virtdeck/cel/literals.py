"""Constants that can be seen to be wrong before an expression runs: patterns, durations, times."""

from collections.abc import Callable, Iterator

from virtdeck.cel.checker import Checked
from virtdeck.cel.patterns import compiled
from virtdeck.cel.syntax import Call, Literal, Node, children
from virtdeck.cel.times import parse_duration, parse_moment
from virtdeck.cel.values import EvaluationError

# The last argument is the constant.
_CHECKS: dict[str, tuple[str, Callable[[str], object]]] = {
    "matches": ("invalid matches argument", compiled),
    "duration": ("invalid duration argument", parse_duration),
    "timestamp": ("invalid timestamp argument", parse_moment),
}


def causes_of_literals(checked: Checked) -> list[tuple[int, str]]:
    """Offset and sentence of each."""
    return list(_faults(checked.root))


def _faults(root: Node) -> Iterator[tuple[int, str]]:
    left = [root]
    while left:
        node = left.pop()
        left += children(node)
        if not isinstance(node, Call) or node.name not in _CHECKS or not node.args:
            continue
        last = node.args[-1]
        sentence, check = _CHECKS[node.name]
        if isinstance(last, Literal) and isinstance(last.value, str):
            try:
                check(last.value)
            except EvaluationError:
                yield last.at, sentence
