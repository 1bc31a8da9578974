"""Elements to XML text and back; input is taken without document types and entities."""

import re
from collections.abc import Iterator
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from virtdeck.basis.errors import Bug, Invalid
from virtdeck.launcher.domain.elements.base import Element
from virtdeck.launcher.domain.tree import Node, parse_tree

E = TypeVar("E", bound=Element)
Place = Literal["attribute", "child", "children", "leaf", "text"]

# XML 1.0, section 2.2: all other characters cannot be written, not even escaped.
_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES: Final = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\t": "&#9;",
    "\n": "&#10;",
    "\r": "&#13;",
}
_SPECIAL: Final = re.compile('[&<>"\t\n\r]')


class _Slot(msgspec.Struct, frozen=True):
    field: str
    name: str
    place: Place
    kinds: tuple[Any, ...]
    required: bool


def render(tag: str, element: Element) -> str:
    """The element as indented XML. Raises: Invalid for characters that XML cannot carry."""
    return "\n".join(_lines(tag, element, "")) + "\n"


def parse(text: str, tag: str, kind: type[E]) -> E:
    """The element in the text; what ``kind`` has no field for is skipped. Raises: Invalid."""
    node = parse_tree(text)
    if node.tag != tag:
        raise Invalid(f"<{tag}> was expected, this is <{node.tag}>")
    return _build(node, kind)


def _lines(tag: str, element: Element, indent: str) -> Iterator[str]:
    attributes, body, text = [], [], ""
    for slot in _slots(type(element)):
        value = getattr(element, slot.field)
        if value is None:
            continue
        match slot.place:
            case "attribute":
                attributes.append(f' {slot.name}="{_escape(str(value))}"')
            case "text":
                text = _escape(str(value))
            case "leaf":
                body.append(f"{indent}  <{slot.name}>{_escape(str(value))}</{slot.name}>")
            case "child":
                body.extend(_lines(slot.name, value, indent + "  "))
            case "children":
                for item in value:
                    body.extend(_lines(slot.name, item, indent + "  "))
    start = f"{indent}<{tag}{''.join(attributes)}"
    if body:
        yield f"{start}>"
        yield from body
        yield f"{indent}</{tag}>"
    else:
        yield f"{start}>{text}</{tag}>" if text else f"{start}/>"


def _escape(text: str) -> str:
    if _FORBIDDEN.search(text):
        raise Invalid(f"{text[:40]!r} has characters that cannot be part of a domain")
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], text)


def _build(node: Node, kind: type[E]) -> E:
    values: dict[str, Any] = {}
    for slot in _slots(kind):
        value = _read(node, slot)
        if value is None and slot.required:
            raise Invalid(f"<{node.tag}> lacks {slot.name}")
        if value is not None:
            values[slot.field] = value
    return kind(**values)


def _read(node: Node, slot: _Slot) -> Any:
    if slot.place == "attribute":
        raw = node.attributes.get(slot.name)
        return int(raw) if raw is not None and int in slot.kinds else raw
    if slot.place == "text":
        return node.text
    children = [child for child in node.children if child.tag == slot.name]
    if slot.place == "children":
        return tuple(_build_one_of(child, slot.kinds) for child in children)
    if not children:
        return None
    return children[0].text if slot.place == "leaf" else _build_one_of(children[0], slot.kinds)


def _build_one_of(node: Node, kinds: tuple[Any, ...]) -> Any:
    """The first kind that the node has all required parts of."""
    for kind in kinds:
        try:
            return _build(node, kind)
        except Invalid:
            if kind is kinds[-1]:
                raise
    raise Bug(f"<{node.tag}> has no kind")


@cache
def _slots(kind: type[Element]) -> tuple[_Slot, ...]:
    return tuple(
        _Slot(item.name, item.encode_name, *_place(item.type), item.required)
        for item in msgspec.structs.fields(kind)
    )


def _place(hint: Any) -> tuple[Place, tuple[Any, ...]]:
    if get_origin(hint) is Annotated:
        base, *marks = get_args(hint)
        for mark in marks:
            if isinstance(mark, msgspec.Meta) and mark.extra:
                return mark.extra["xml"], (base,)
    if get_origin(hint) is tuple:
        return "children", (get_args(hint)[0],)
    if get_origin(hint) in (Union, UnionType):
        parts = [part for part in get_args(hint) if part is not type(None)]
        place, _ = _place(parts[0])
        return place, tuple(parts)
    if isinstance(hint, type) and issubclass(hint, Element):
        return "child", (hint,)
    return "attribute", (hint,)
