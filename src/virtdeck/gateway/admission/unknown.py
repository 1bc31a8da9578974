"""Fields that no type knows: refused, for what is misspelt and left out in silence protects nobody."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from virtdeck.gateway.admission.rule import INVALID, Place, Rules, at

RULES: Rules["Written"] = Rules("VM, VMI")

# None: a scalar, or anything goes. A dict: the fields of an object. A list: the shape of every item or value.
Shape = dict[str, Any] | list[Any] | None
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


def _unknown(value: Any, shape: Shape) -> Iterator[tuple[str | int, ...]]:
    """Paths to fields that the shape does not have."""
    if isinstance(shape, dict):
        if isinstance(value, dict):
            yield from _of_object(value, shape)
    elif shape is not None:
        items = (
            value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ())
        )
        for key, item in items:
            for path in _unknown(item, shape[0]):
                yield (key, *path)


def _of_object(value: dict[str, Any], shape: dict[str, Any]) -> Iterator[tuple[str | int, ...]]:
    for name, item in value.items():
        if name not in shape:
            yield (name,)
        elif shape[name] is not None and item:
            for path in _unknown(item, shape[name]):
                yield (name, *path)
