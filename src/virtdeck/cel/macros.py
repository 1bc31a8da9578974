"""Calls that are more than calls: has, all, exists, map, filter and their kin."""

from collections.abc import Callable

from virtdeck.cel.syntax import Call, ExpressionError, Ident, Let, Loop, Node, Select

_PREDICATES = {"all": "all", "exists": "exists", "exists_one": "exists_one", "existsOne": "exists_one"}


def expand(call: Call, text: str) -> Node:
    """What the call means; itself when it is no macro. Raises: ExpressionError."""
    if call.target is None:
        return _has(call, text) if call.name == "has" and len(call.args) == 1 else call
    make = _MACROS.get((call.name, len(call.args)))
    return make(call, call.target, text) if make is not None else call


def _has(call: Call, text: str) -> Node:
    field = call.args[0]
    if not isinstance(field, Select) or field.optional:
        raise ExpressionError(text, [(field.at, "invalid argument to has() macro")])
    return Select(field.at, field.operand, field.field, test=True)


def _names(call: Call, count: int, text: str) -> tuple[str, ...]:
    found = []
    for node in call.args[:count]:
        if not isinstance(node, Ident) or node.name.startswith("."):
            raise ExpressionError(text, [(node.at, "argument must be a simple name")])
        if node.name in ("__result__", "@result"):
            raise ExpressionError(text, [(node.at, "iteration variable overwrites accumulator variable")])
        found.append(node.name)
    if len(set(found)) < len(found):
        raise ExpressionError(text, [(call.args[1].at, "duplicate variable name")])
    return tuple(found)


def _predicate(call: Call, target: Node, text: str) -> Node:
    names = _names(call, len(call.args) - 1, text)
    return Loop(call.at, _PREDICATES[call.name], target, names, call.args[-1])


def _filter(call: Call, target: Node, text: str) -> Node:
    return Loop(call.at, "filter", target, _names(call, 1, text), call.args[1])


def _map(call: Call, target: Node, text: str) -> Node:
    when = call.args[1] if len(call.args) == 3 else None
    return Loop(call.at, "map", target, _names(call, 1, text), when, call.args[-1:])


def _transform(call: Call, target: Node, text: str) -> Node:
    when = call.args[2] if len(call.args) == 4 else None
    return Loop(call.at, call.name, target, _names(call, 2, text), when, call.args[-1:])


def _optional(call: Call, target: Node, text: str) -> Node:
    (name,) = _names(call, 1, text)
    return Let(call.at, target, name, call.args[1], flat=call.name == "optFlatMap")


_MACROS: dict[tuple[str, int], Callable[[Call, Node, str], Node]] = {
    **{
        (name, count): _predicate for name in ("all", "exists", "exists_one", "existsOne") for count in (2, 3)
    },
    ("filter", 2): _filter,
    ("map", 2): _map,
    ("map", 3): _map,
    **{
        (name, count): _transform
        for name in ("transformList", "transformMap", "transformMapEntry")
        for count in (3, 4)
    },
    ("optMap", 2): _optional,
    ("optFlatMap", 2): _optional,
}
