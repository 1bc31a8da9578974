"""What an expression costs at worst, by the bounds that its types put on values."""

from virtdeck.cel.checker import Checked
from virtdeck.cel.compiled_loops import macro_costs
from virtdeck.cel.costs import LIST, MAP, NOTHING, ONE, Range, one
from virtdeck.cel.syntax import (
    Call,
    Ident,
    Let,
    ListOf,
    Literal,
    Loop,
    MapOf,
    Node,
    Select,
)
from virtdeck.cel.types import Type

_SIZED = ("string", "bytes", "list", "map", "dyn", "free", "param")
# Makers of lists and maps are as long as what they go over; the others give one value.
_GROWING = ("filter", "map", "transformList", "transformMap", "transformMapEntry")

_Found = tuple[Range, Range]  # cost, size of the result


def worst_cost(checked: Checked) -> int:
    """The most that evaluating the expression once can cost."""
    return _Estimator(checked).of(checked.root, {})[0].most


class _Estimator:
    """Sizes of macros' variables are known by name where they are what the macro goes over."""

    def __init__(self, checked: Checked) -> None:
        self._checked = checked

    def of(self, node: Node, sizes: dict[str, Range]) -> _Found:  # noqa: PLR0911 - one for each kind of node
        if node in self._checked.constants:
            return ONE, ONE
        match node:
            case Literal():
                return NOTHING, one(len(node.value)) if isinstance(node.value, str | bytes) else ONE
            case Ident():
                return ONE, sizes.get(node.name) or self._size(node)
            case Select():
                return self._select(node, sizes)
            case Call():
                return self._call(node, sizes)
            case ListOf():
                return self._parts(node.items, sizes, LIST), one(len(node.items))
            case MapOf():
                parts = tuple(part for entry in node.entries for part in entry)
                return self._parts(parts, sizes, MAP), one(len(node.entries))
            case Loop():
                return self._loop(node, sizes)
            case Let():
                over, then = self.of(node.over, sizes)[0], self.of(node.then, sizes)
                return Range(over.least, over.plus(then[0]).most).plus(ONE), then[1]
        raise TypeError(node)

    def _size(self, node: Node) -> Range:
        return _size_of_type(self._checked.types[node])

    def _parts(self, nodes: tuple[Node, ...], sizes: dict[str, Range], base: int) -> Range:
        total = one(base)
        for node in nodes:
            total = total.plus(self.of(node, sizes)[0])
        return total

    def _select(self, node: Select, sizes: dict[str, Range]) -> _Found:
        if node in self._checked.named:
            return ONE, self._size(node)
        below = self.of(node.operand, sizes)[0]
        return (below, ONE) if node.test else (below.plus(ONE), self._size(node))

    def _call(self, node: Call, sizes: dict[str, Range]) -> _Found:
        args = list(node.args)
        if node.target is not None and node not in self._checked.qualified:
            args.insert(0, node.target)
        parts = [self.of(arg, sizes) for arg in args]
        costs = [cost for cost, _size in parts]
        if node.target is None and node.name in ("_&&_", "_||_"):
            return Range(costs[0].least, costs[0].plus(costs[1]).most), ONE
        if node.target is None and node.name == "_?_:_":
            return _conditional(parts)
        own, size = self._overloads(node, [size for _cost, size in parts])
        for cost in costs:
            own = own.plus(cost)
        return own, size or self._size(node)

    def _overloads(self, node: Call, sizes: list[Range]) -> tuple[Range, Range | None]:
        found = [overload.cost.estimated(sizes) for overload in self._checked.calls[node]]
        cost = Range(min(cost.least for cost, _size in found), max(cost.most for cost, _size in found))
        known = [size for _cost, size in found if size is not None]
        if len(known) < len(found):
            return cost, None
        return cost, Range(min(size.least for size in known), max(size.most for size in known))

    def _loop(self, node: Loop, sizes: dict[str, Range]) -> _Found:
        over, count = self.of(node.over, sizes)
        inner = {name: size for name, size in sizes.items() if name not in node.names}
        setup, turn = macro_costs(node.macro)
        each = one(turn)
        for part in (*((node.when,) if node.when is not None else ()), *node.then):
            each = each.plus(self.of(part, inner)[0])
        size = ONE
        if node.macro in _GROWING:
            size = count if node.when is None else Range(0, count.most)
        return over.plus(one(setup)).plus(count.times(Range(min(each.least, turn), each.most))), size


def _conditional(parts: list[_Found]) -> _Found:
    (condition, _), (then, size), (otherwise, other) = parts
    cost = Range(min(then.least, otherwise.least), max(then.most, otherwise.most))
    return condition.plus(cost), Range(min(size.least, other.least), max(size.most, other.most))


def _size_of_type(of: Type) -> Range:
    return Range(0, of.most) if of.kind in _SIZED else ONE
