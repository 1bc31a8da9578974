"""Fields that no type knows: refused, for what is misspelt and left out in silence protects nobody."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from virtdeck.gateway.admission.rule import INVALID, Place, Rules, at

RULES: Rules["Written"] = Rules("VM, VMI")

# None: a scalar, or anything goes. A dict: the fields of an object. A list: the shape of every item or value.
Shape = dict[str, Any] | list[Any] | None
Path = tuple[str | int, ...]
Paths = Sequence[Path]
_ABSENT: Shape = {}
# Kubernetes' own metadata is the API server's to check.
_NOT_OURS = frozenset({"metadata"})


class Written(msgspec.Struct, frozen=True):
    """A part of an object as its author wrote it, and the type it must have."""

    value: Any
    kind: type[msgspec.Struct]


@RULES.rule("", "spec{…}", INVALID, "is not a field of this kind; check its spelling and its place")
def fields_are_known(written: Written) -> Iterator[Place]:
    """The type has no such field."""
    for path in _unknown(written.value, shape_of(written.kind)):
        yield at("".join(f".{name}" if isinstance(name, str) else f"[{name}]" for name in path))


@cache
def shape_of(kind: type[msgspec.Struct]) -> Shape:
    """The fields of a type and of everything below it."""
    return {
        field.encode_name: None if field.encode_name in _NOT_OURS else _shape(field.type)
        for field in msgspec.structs.fields(kind)
    }


def _shape(found: Any) -> Shape:
    kind = inspect.type_info(found)
    return _of(kind)


def _of(kind: inspect.Type) -> Shape:
    match kind:
        case inspect.Metadata(type=inner):
            return _of(inner)
        case inspect.UnionType(types=types):
            return next((shape for shape in map(_of, types) if shape is not None), None)
        case inspect.StructType(cls=cls):
            return shape_of(cls)
        case inspect.VarTupleType(item_type=inner) | inspect.ListType(item_type=inner):
            return _items(inner)
        case inspect.DictType(value_type=inner):
            return _items(inner)
        case _:
            return None


def _items(inner: inspect.Type) -> Shape:
    shape = _of(inner)
    return None if shape is None else [shape]


def _unknown(value: Any, shape: Shape) -> Paths:
    """Paths to fields that the shape does not have. No generator: every part of a manifest comes through."""
    if isinstance(shape, dict):
        return _of_object(value, shape) if type(value) is dict else ()
    if shape is None:
        return ()
    found: list[Path] = []
    inner = shape[0]
    for key, item in _entries(value):
        if item:
            found += [(key, *path) for path in _unknown(item, inner)]
    return found


def _entries(value: Any) -> Iterable[tuple[str | int, Any]]:
    if type(value) is dict:
        return value.items()
    return enumerate(value) if type(value) is list else ()


def _of_object(value: dict[str, Any], shape: dict[str, Shape]) -> Paths:
    found: list[Path] = []
    for name, item in value.items():
        below = shape.get(name, _ABSENT)
        if below is _ABSENT:
            found.append((name,))
        elif below is not None and item:
            found += [(name, *path) for path in _unknown(item, below)]
    return found
