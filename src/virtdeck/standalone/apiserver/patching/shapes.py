"""How the lists and maps of a kind merge: by its structural schema or by its built-in type."""

from typing import Any
from weakref import WeakKeyDictionary

from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.schema.kubernetes_types import fields_of, is_type, item_type
from virtdeck.standalone.apiserver.schema.merging import (
    apply_keys,
    is_atomic,
    is_granular,
    is_set,
    key_defaults,
)

Obj = dict[str, Any]


class Shape:
    """What is known of one place in an object; as it stands, nothing: maps merge, lists are one value.

    keys: of a list, the fields that make two items the same. is_set: a list of plain values, each once.
    is_atomic: a map that is one value. Places below are made when they are asked for first.
    """

    keys: tuple[str, ...] = ()
    defaults: Obj = {}  # noqa: RUF012 - shared and never changed: of keys that an item may leave out
    is_set = False
    is_atomic = False

    def field(self, name: str) -> "Shape":
        """The place of a field or of a map's value."""
        return self

    def item(self) -> "Shape":
        """The place of a list's item."""
        return self

    def has(self, name: str) -> bool:
        """Whether the field is one of a fixed set, not a key that the writer chose."""
        return False


_UNKNOWN = Shape()


class _Known(Shape):
    """A place that is described; keeps the places below it."""

    def __init__(self) -> None:
        self._below: dict[str, Shape] = {}
        self._item: Shape | None = None

    def field(self, name: str) -> Shape:
        found = self._below.get(name)
        if found is None:
            found = self._make_field(name)
            if self.has(name):  # keys that writers choose would never end
                self._below[name] = found
        return found

    def item(self) -> Shape:
        if self._item is None:
            self._item = self._make_item()
        return self._item

    def _make_field(self, name: str) -> Shape:
        raise NotImplementedError

    def _make_item(self) -> Shape:
        raise NotImplementedError


class Structural(_Known):
    """A place in a CRD's schema."""

    def __init__(self, schema: Obj) -> None:
        super().__init__()
        self._properties: Obj = schema.get("properties") or {}
        self._others = _structural(schema.get("additionalProperties"))
        self._items = schema.get("items")
        kind = schema.get("x-kubernetes-list-type")
        if kind == "map":
            self.keys = tuple(schema.get("x-kubernetes-list-map-keys") or ())
            self.defaults = _defaults(self._items, self.keys)
        self.is_set = kind == "set"
        self.is_atomic = schema.get("x-kubernetes-map-type") == "atomic"

    def has(self, name: str) -> bool:
        return name in self._properties

    def _make_field(self, name: str) -> Shape:
        return _structural(self._properties[name]) if name in self._properties else self._others

    def _make_item(self) -> Shape:
        return _structural(self._items)


def _structural(schema: Any) -> Shape:
    return Structural(schema) if isinstance(schema, dict) else _UNKNOWN


def _defaults(items: Any, keys: tuple[str, ...]) -> Obj:
    properties = (items.get("properties") or {}) if isinstance(items, dict) else {}
    return {key: properties[key]["default"] for key in keys if "default" in (properties.get(key) or {})}


class Typed(_Known):
    """A place in a built-in type. kind: as in ``schema.kubernetes_types``."""

    def __init__(self, kind: str, owner: str = "", name: str = "") -> None:
        super().__init__()
        self._kind = kind
        self._fields = fields_of(kind) if is_type(kind) and kind[0] not in "[{" else {}
        self.keys = apply_keys(owner, name)
        self.defaults = key_defaults(owner, name)
        self.is_set = is_set(owner, name)
        self.is_atomic = is_atomic(kind) and not is_granular(owner, name)

    def has(self, name: str) -> bool:
        return name in self._fields

    def _make_field(self, name: str) -> Shape:
        if self._kind.startswith("{"):
            return _typed(item_type(self._kind))
        found = self._fields.get(name)
        return _UNKNOWN if found is None else Typed(found, self._kind, name)

    def _make_item(self) -> Shape:
        return _typed(item_type(self._kind)) if self._kind.startswith("[") else _UNKNOWN


_typed_shapes: dict[str, Typed] = {}


def _typed(kind: str) -> Typed:
    found = _typed_shapes.get(kind)
    if found is None:
        found = _typed_shapes[kind] = Typed(kind)
    return found


class _Root(_Known):
    """A custom object: its metadata is Kubernetes' own, the rest is the schema's."""

    def __init__(self, schema: Obj) -> None:
        super().__init__()
        self._schema = Structural(schema)

    def has(self, name: str) -> bool:
        return name == "metadata" or self._schema.has(name)

    def _make_field(self, name: str) -> Shape:
        return _typed("meta.v1.ObjectMeta") if name == "metadata" else self._schema.field(name)

    def _make_item(self) -> Shape:
        return _UNKNOWN


_shapes: WeakKeyDictionary[Resource, Shape] = WeakKeyDictionary()


def shape_of(resource: Resource) -> Shape:
    """The shape of the resource's objects, made once for as long as the resource is served."""
    found = _shapes.get(resource)
    if found is None:
        found = _Root(resource.schema) if resource.schema is not None else _typed(resource.type_name)
        _shapes[resource] = found
    return found
