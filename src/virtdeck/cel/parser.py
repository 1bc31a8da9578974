"""An expression's tree from its text, by the language's grammar; macros are expanded on the way."""

from virtdeck.cel.lexer import Token, tokens_of
from virtdeck.cel.macros import expand
from virtdeck.cel.syntax import (
    Call,
    ExpressionError,
    Ident,
    ListOf,
    Literal,
    MapOf,
    Node,
    Select,
    children,
)

_MOST_CODE_POINTS = 100_000
_DEEPEST = 80  # nested brackets and calls; each takes up to eight of Python's own frames
_DEEPEST_TREE = 200  # operators of one chain nest to the left
_RESERVED = frozenset(
    [
        "as",
        "break",
        "const",
        "continue",
        "else",
        "for",
        "function",
        "if",
        "import",
        "let",
        "loop",
        "namespace",
        "package",
        "return",
        "var",
        "void",
        "while",
    ]
)
_LOGICAL = ("||", "&&")
_STRENGTH = (
    {"||": 1, "&&": 2}
    | dict.fromkeys(("<", "<=", ">=", ">", "==", "!=", "in"), 3)
    | dict.fromkeys(("+", "-"), 4)
    | dict.fromkeys(("*", "/", "%"), 5)
)


def parse(text: str) -> Node:
    """The tree. Raises: ExpressionError."""
    if len(text) > _MOST_CODE_POINTS:
        size = f"size: {len(text)}, limit: {_MOST_CODE_POINTS}"
        raise ExpressionError("", [(0, f"expression code point size exceeds limit: {size}")])
    node = _Parser(text).whole()
    if _depth(node) > _DEEPEST_TREE:
        raise ExpressionError(text, [(0, "expression recursion limit exceeded")])
    return node


def _depth(node: Node) -> int:
    level, depth = [node], 0
    while level:
        level = [child for one in level for child in children(one)]
        depth += 1
    return depth


def _balanced(name: str, terms: list[Node], marks: list[Token]) -> Node:
    if len(terms) == 1:
        return terms[0]
    middle = len(marks) // 2
    left = _balanced(name, terms[: middle + 1], marks[:middle])
    right = _balanced(name, terms[middle + 1 :], marks[middle + 1 :])
    return Call(marks[middle].at, name, None, (left, right))


class _Parser:
    """Recursive descent, one token ahead."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokens_of(text)
        self._place = 0
        self._depth = 0

    def whole(self) -> Node:
        node = self._expression()
        if self._now.kind != "end":
            raise self._unexpected("extraneous")
        return node

    @property
    def _now(self) -> Token:
        return self._tokens[self._place]

    def _take(self) -> Token:
        token = self._now
        self._place += 1
        return token

    def _accept(self, *kinds: str) -> Token | None:
        return self._take() if self._now.kind in kinds else None

    def _require(self, kind: str) -> Token:
        if self._now.kind != kind:
            raise self._unexpected("mismatched")
        return self._take()

    def _unexpected(self, how: str) -> ExpressionError:
        token = self._now
        shown = (
            "<EOF>"
            if token.kind == "end"
            else self._text[token.at : self._tokens[self._place + 1].at].strip()
        )
        return self._fault(token.at, f"Syntax error: {how} input '{shown}'")

    def _fault(self, at: int, sentence: str) -> ExpressionError:
        return ExpressionError(self._text, [(at, sentence)])

    def _expression(self) -> Node:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._fault(self._now.at, "expression recursion limit exceeded")
        node = self._binary(1)
        if mark := self._accept("?"):
            then = self._binary(1)
            self._require(":")
            node = Call(mark.at, "_?_:_", None, (node, then, self._expression()))
        self._depth -= 1
        return node

    def _binary(self, weakest: int) -> Node:
        """Operators that bind at least as strongly as ``weakest``, those of a kind from the left."""
        node = self._unary()
        while (strength := _STRENGTH.get(self._now.kind, 0)) >= weakest:
            if self._now.kind in _LOGICAL:
                node = self._logical(self._now.kind, strength, node)
                continue
            mark = self._take()
            name = "@in" if mark.kind == "in" else f"_{mark.kind}_"
            node = Call(mark.at, name, None, (node, self._binary(strength + 1)))
        return node

    def _logical(self, kind: str, strength: int, first: Node) -> Node:
        """A chain of one logical operator as a balanced tree, so that long ones do not get deep."""
        terms, marks = [first], []
        while mark := self._accept(kind):
            marks.append(mark)
            terms.append(self._binary(strength + 1))
        return _balanced(f"_{kind}_", terms, marks)

    def _unary(self) -> Node:
        first = self._accept("!", "-")
        marks = [first] if first else []
        while first and (mark := self._accept(first.kind)):
            marks.append(mark)
        # A minus right before a number is part of it; of the marks, all of one kind, two cancel each other.
        number = self._now.value if type(self._now.value) in (int, float) else None
        if marks and marks[-1].kind == "-" and number is not None:
            self._take()
            node = self._member(Literal(marks.pop().at, -number))
        else:
            node = self._member(self._primary())
        if len(marks) % 2:
            node = Call(marks[0].at, f"{marks[0].kind}_", None, (node,))
        return node

    def _member(self, node: Node) -> Node:
        while mark := self._accept(".", "["):
            optional = self._accept("?") is not None
            if mark.kind == "[":
                index = self._expression()
                self._require("]")
                node = Call(mark.at, "_[?_]" if optional else "_[_]", None, (node, index))
                continue
            name = self._name()
            if not optional and self._now.kind == "(":
                node = self._called(name, node)
            else:
                node = Select(mark.at, node, name.value, optional)
        return node

    def _name(self) -> Token:
        if self._now.kind != "name":
            raise self._unexpected("mismatched")
        return self._take()

    def _called(self, name: Token, target: Node | None) -> Node:
        at = self._require("(").at
        args = self._listed(")")
        return expand(Call(at, name.value, target, args), self._text)

    def _listed(self, end: str) -> tuple[Node, ...]:
        found: list[Node] = []
        while not self._accept(end):
            if found:
                self._require(",")
            found.append(self._expression())
        return tuple(found)

    def _primary(self) -> Node:
        token = self._now
        match token.kind:
            case "literal":
                return Literal(self._take().at, token.value)
            case "(":
                self._take()
                node = self._expression()
                self._require(")")
                return node
            case "[":
                return self._list()
            case "{":
                return self._map()
            case ".":
                self._take()
                return self._named(self._name(), ".")
            case "name":
                return self._named(self._take(), "")
        raise self._unexpected("mismatched")

    def _named(self, name: Token, dot: str) -> Node:
        if name.value in _RESERVED:
            raise self._fault(name.at, f"reserved identifier: {name.value}")
        if self._now.kind == "(":
            return self._called(Token("name", dot + name.value, name.at), None)
        return Ident(name.at, dot + name.value)

    def _list(self) -> Node:
        at = self._take().at
        items: list[Node] = []
        optional = set()
        while not self._accept("]"):
            if items:
                self._require(",")
                if self._accept("]"):
                    break
            if self._accept("?"):
                optional.add(len(items))
            items.append(self._expression())
        return ListOf(at, tuple(items), frozenset(optional))

    def _map(self) -> Node:
        at = self._take().at
        entries: list[tuple[Node, Node]] = []
        optional = set()
        while not self._accept("}"):
            if entries:
                self._require(",")
                if self._accept("}"):
                    break
            if self._accept("?"):
                optional.add(len(entries))
            key = self._expression()
            self._require(":")
            entries.append((key, self._expression()))
        return MapOf(at, tuple(entries), frozenset(optional))
