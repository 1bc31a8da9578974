"""The tree of an expression. A node is its own identity: what is found out about it stands beside it."""

from dataclasses import dataclass
from typing import Any


class ExpressionError(Exception):
    """An expression that cannot be compiled. ``faults``: offset in the text and sentence of each."""

    def __init__(self, text: str, faults: list[tuple[int, str]]) -> None:
        self.faults = faults
        super().__init__("\n".join(_shown(text, at, sentence) for at, sentence in faults))


def _shown(text: str, at: int, sentence: str) -> str:
    before = text[:at]
    line = before.count("\n") + 1
    column = at - (before.rfind("\n") + 1)
    source = text.split("\n")[line - 1] if text else ""
    return f"ERROR: <input>:{line}:{column + 1}: {sentence}\n | {source}\n | {'.' * column}^"


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """at: offset in the text."""

    at: int


@dataclass(frozen=True, slots=True, eq=False)
class Literal(Node):
    """A constant: int, Uint, float, str, bytes, bool or None."""

    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class Ident(Node):
    """A name; with a leading dot it is looked up from the root."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Select(Node):
    """A field. optional: ``a.?b``. test: ``has(a.b)``."""

    operand: Node
    field: str
    optional: bool = False
    test: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Call(Node):
    """A function, method or operator; operators have names like ``_+_``."""

    name: str
    target: Node | None
    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ListOf(Node):
    """``[a, ?b]``. optional: places of the items that may be absent."""

    items: tuple[Node, ...]
    optional: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class MapOf(Node):
    """``{a: b, ?c: d}``. optional: places of the entries that may be absent."""

    entries: tuple[tuple[Node, Node], ...]
    optional: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Loop(Node):
    """A comprehension by its macro's name.

    names: one variable, or two (key or index, and value). when: the condition, None where there is none.
    then: what is made of each item, None where there is nothing.
    """

    macro: str
    over: Node
    names: tuple[str, ...]
    when: Node | None
    then: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Let(Node):
    """``optMap`` and ``optFlatMap``: an optional's value under a name. flat: what comes is optional."""

    over: Node
    name: str
    then: Node
    flat: bool


def children(node: Node) -> tuple[Node, ...]:  # noqa: PLR0911 - one for each kind of node
    """The nodes right below."""
    match node:
        case Select():
            return (node.operand,)
        case Call():
            return ((node.target,) if node.target is not None else ()) + node.args
        case ListOf():
            return node.items
        case MapOf():
            return tuple(part for entry in node.entries for part in entry)
        case Loop():
            return (node.over, *((node.when,) if node.when is not None else ()), *node.then)
        case Let():
            return (node.over, node.then)
    return ()
