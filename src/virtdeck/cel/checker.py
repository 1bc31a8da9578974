"""Finds every node's type, and what is wrong with an expression before it ever runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from virtdeck.cel.signatures import Library, Overload
from virtdeck.cel.syntax import (
    Call,
    ExpressionError,
    Ident,
    Let,
    ListOf,
    Literal,
    Loop,
    MapOf,
    Node,
    Select,
)
from virtdeck.cel.types import (
    ANY_TYPE,
    BOOL,
    BYTES,
    DOUBLE,
    DYN,
    FREE,
    INT,
    NULL,
    STRING,
    UINT,
    Bindings,
    Type,
    filled,
    fits,
    joined,
    list_of,
    map_of,
    optional_of,
)
from virtdeck.cel.values import TypeName, Uint

_LITERALS: dict[type, Type] = {
    bool: BOOL, int: INT, Uint: UINT, float: DOUBLE, str: STRING, bytes: BYTES, type(None): NULL,
}  # fmt: skip
_TYPE_NAMES = frozenset(
    [
        "bool",
        "int",
        "uint",
        "double",
        "string",
        "bytes",
        "list",
        "map",
        "null_type",
        "type",
        "optional_type",
        "google.protobuf.Duration",
        "google.protobuf.Timestamp",
        "net.URL",
        "kubernetes.Quantity",
        "kubernetes.NamedFormat",
        "net.IP",
        "net.CIDR",
    ]
)


@dataclass(frozen=True)
class Checked:
    """An expression and what was found out about its nodes.

    calls: the overloads that a call may come to. constants: names that are types. qualified: calls of
    functions with dots in their names. named: nodes that are variables.
    """

    root: Node
    types: dict[Node, Type] = field(default_factory=dict)
    calls: dict[Node, tuple[Overload, ...]] = field(default_factory=dict)
    constants: dict[Node, Any] = field(default_factory=dict)
    qualified: set[Node] = field(default_factory=set)
    named: dict[Node, str] = field(default_factory=dict)

    @property
    def variables(self) -> set[str]:
        """The variables that the expression names."""
        return set(self.named.values())

    @property
    def type(self) -> Type:
        return self.types[self.root]


def check(text: str, root: Node, variables: Mapping[str, Type], library: Library) -> Checked:
    """The checked expression. Raises: ExpressionError with every fault."""
    checker = _Checker(root, variables, library)
    checker.type_of(root, {})
    if checker.faults:
        raise ExpressionError(text, sorted(checker.faults, key=lambda fault: fault[0]))
    return checker.found


Scope = dict[str, Type]


class _Checker:
    def __init__(self, root: Node, variables: Mapping[str, Type], library: Library) -> None:
        self.found = Checked(root)
        self.faults: list[tuple[int, str]] = []
        self._variables = variables
        self._library = library

    def type_of(self, node: Node, scope: Scope) -> Type:
        found = self._find(node, scope)
        self.found.types[node] = found
        return found

    def _fault(self, at: int, sentence: str) -> Type:
        self.faults.append((at, sentence))
        return DYN

    def _find(self, node: Node, scope: Scope) -> Type:  # noqa: PLR0911 - one for each kind of node
        match node:
            case Literal():
                return _LITERALS[type(node.value)]
            case Ident():
                return self._named(node, node.name, scope)
            case Select():
                return self._select(node, scope)
            case Call():
                return self._call(node, scope)
            case ListOf():
                return list_of(self._items(node, scope))
            case MapOf():
                return self._map(node, scope)
            case Loop():
                return self._loop(node, scope)
            case Let():
                return self._let(node, scope)
        raise TypeError(node)

    def _known(self, node: Node, name: str, scope: Scope) -> Type | None:
        plain = name.removeprefix(".")
        if plain == name and name in scope:
            return scope[name]
        if plain in self._variables:
            self.found.named[node] = plain
            return self._variables[plain]
        if plain in _TYPE_NAMES:
            self.found.constants[node] = TypeName(plain)
            return ANY_TYPE
        return None

    def _named(self, node: Node, name: str, scope: Scope) -> Type:
        found = self._known(node, name, scope)
        return found or self._fault(node.at, f"undeclared reference to '{name}' (in container '')")

    def _select(self, node: Select, scope: Scope) -> Type:
        name = _dotted(node)
        if name and self._is_whole_name(node, name, scope) and (found := self._known(node, name, scope)):
            return found
        operand = self.type_of(node.operand, scope)
        chained = operand.kind == "optional_type"
        found = self._field(node, operand.params[0] if chained else operand)
        if node.test:
            return BOOL
        return optional_of(found) if (chained or node.optional) else found

    def _is_whole_name(self, node: Select, name: str, scope: Scope) -> bool:
        """Whether dots may be part of a name: of a variable, or of a type where no variable begins so."""
        if node.test or node.optional or name.partition(".")[0] in scope:
            return False
        return name in self._variables or not self._is_variable(name, scope)

    def _is_variable(self, name: str, scope: Scope) -> bool:
        first = name.partition(".")[0]
        return first in scope or first in self._variables

    def _field(self, node: Select, operand: Type) -> Type:
        match operand.kind:
            case "object":
                found = operand.fields.get(node.field)
                return found or self._fault(node.at, f"undefined field '{node.field}'")
            case "map":
                return operand.params[1]
            case "dyn" | "free":
                return DYN
        return self._fault(node.at, f"type '{operand}' does not support field selection")

    def _call(self, node: Call, scope: Scope) -> Type:
        args = list(node.args)
        if node.target is not None:
            name = f"{_dotted(node.target)}.{node.name}"
            if name in self._library and not self._is_variable(name, scope):
                self.found.qualified.add(node)
                return self._resolved(node, name, [self.type_of(one, scope) for one in args], member=False)
            args.insert(0, node.target)
        given = [self.type_of(one, scope) for one in args]
        return self._resolved(node, node.name.removeprefix("."), given, member=node.target is not None)

    def _resolved(self, node: Call, name: str, given: list[Type], *, member: bool) -> Type:
        overloads = self._library.get(name)
        if overloads is None:
            return self._fault(node.at, f"undeclared reference to '{name}' (in container '')")
        matches: list[Overload] = []
        results: list[Type] = []
        for one in overloads:
            bound: Bindings = {}
            if one.member is member and _all_fit(one.params, given, bound):
                matches.append(one)
                results.append(filled(one.result, bound))
        if not matches:
            shown = ", ".join(map(str, given))
            applied = f"{given[0]}.({', '.join(map(str, given[1:]))})" if member else f"({shown})"
            return self._fault(node.at, f"found no matching overload for '{name}' applied to '{applied}'")
        self.found.calls[node] = tuple(matches)
        return results[0] if all(one == results[0] for one in results) else DYN

    def _items(self, node: ListOf, scope: Scope) -> Type:
        types = [self._maybe(item, index in node.optional, scope) for index, item in enumerate(node.items)]
        return self._one_type(list(node.items), types)

    def _maybe(self, node: Node, optional: bool, scope: Scope) -> Type:
        """The type of an item; of what is in it when it is given as optional."""
        found = self.type_of(node, scope)
        if not optional or found.kind in ("dyn", "free"):
            return found
        if found.kind == "optional_type":
            return found.params[0]
        return self._fault(node.at, f"expected type 'optional_type(dyn)' but found '{found}'")

    def _one_type(self, nodes: list[Node], types: list[Type]) -> Type:
        for count in range(2, len(types) + 1):
            if joined(types[:count]) is None:
                expected = joined(types[: count - 1])
                text = f"expected type '{expected}' but found '{types[count - 1]}'"
                return self._fault(nodes[count - 1].at, text)
        return joined(types) or FREE

    def _map(self, node: MapOf, scope: Scope) -> Type:
        keys = [self.type_of(key, scope) for key, _value in node.entries]
        values = [
            self._maybe(value, index in node.optional, scope)
            for index, (_key, value) in enumerate(node.entries)
        ]
        return map_of(
            self._one_type([key for key, _value in node.entries], keys),
            self._one_type([value for _key, value in node.entries], values),
        )

    def _loop(self, node: Loop, scope: Scope) -> Type:
        over = self.type_of(node.over, scope)
        keys, items = self._ranged(node, over)
        first = keys if over.kind == "map" else items
        named = (first,) if len(node.names) == 1 else (keys, items)
        inner = {**scope, **dict(zip(node.names, named, strict=True))}
        if node.when is not None:
            self._require_bool(node.when, inner)
        then = [self.type_of(one, inner) for one in node.then]
        match node.macro:
            case "filter":
                return list_of(first)
            case "map" | "transformList":
                return list_of(then[0])
            case "transformMap":
                return map_of(keys, then[0])
            case "transformMapEntry":
                return then[0] if then[0].kind == "map" else map_of(DYN, DYN)
        return BOOL

    def _ranged(self, node: Loop, over: Type) -> tuple[Type, Type]:
        match over.kind:
            case "list":
                return INT, over.params[0]
            case "map":
                return over.params[0], over.params[1]
            case "dyn" | "free":
                return DYN, DYN
        text = (
            f"expression of type '{over}' cannot be range of a comprehension (must be list, map, or dynamic)"
        )
        self._fault(node.over.at, text)
        return DYN, DYN

    def _require_bool(self, node: Node, scope: Scope) -> None:
        found = self.type_of(node, scope)
        if not fits(BOOL, found, {}):
            self._fault(node.at, f"expected type 'bool' but found '{found}'")

    def _let(self, node: Let, scope: Scope) -> Type:
        over = self.type_of(node.over, scope)
        if over.kind not in ("optional_type", "dyn", "free"):
            self._fault(node.at, f"expected type 'optional_type(dyn)' but found '{over}'")
        inner = {**scope, node.name: over.params[0] if over.params else DYN}
        found = self.type_of(node.then, inner)
        if not node.flat:
            return optional_of(found)
        if found.kind not in ("optional_type", "dyn", "free"):
            self._fault(node.then.at, f"expected type 'optional_type(dyn)' but found '{found}'")
        return found


def _all_fit(wanted: tuple[Type, ...], given: list[Type], bound: Bindings) -> bool:
    return len(wanted) == len(given) and all(
        fits(one, other, bound) for one, other in zip(wanted, given, strict=True)
    )


def _dotted(node: Node) -> str:
    """``a.b.c`` of nested selections, empty for anything else."""
    if isinstance(node, Ident):
        return node.name
    if isinstance(node, Select) and not node.optional and not node.test:
        below = _dotted(node.operand)
        return f"{below}.{node.field}" if below else ""
    return ""
