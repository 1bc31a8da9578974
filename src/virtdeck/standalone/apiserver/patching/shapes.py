"""How the lists and maps of a kind merge: by its structural schema or by its built-in type."""

from dataclasses import dataclass
from typing import Any, Protocol

from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.schema.kubernetes_types import (
    fields_of,
    is_set,
    is_type,
    item_type,
    merge_keys,
)


class Shape(Protocol):
    """What is known of one place in an object."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Of a list: the fields that make two items the same."""

    @property
    def is_set(self) -> bool:
        """Whether a list holds plain values, each once."""

    @property
    def is_atomic(self) -> bool:
        """Whether a map is one value."""

    def field(self, name: str) -> "Shape":
        """The place of a field."""

    def item(self) -> "Shape":
        """The place of a list's item."""


@dataclass(frozen=True)
class Unknown:
    """A place that nothing is known of: maps merge, lists are one value."""

    keys: tuple[str, ...] = ()
    is_set: bool = False
    is_atomic: bool = False

    def field(self, name: str) -> Shape:
        return self

    def item(self) -> Shape:
        return self


_UNKNOWN = Unknown()


class Structural:
    """A place in a CRD's schema."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = schema
        mapped = schema.get("x-kubernetes-list-type") == "map"
        self.keys: tuple[str, ...] = tuple(schema.get("x-kubernetes-list-map-keys") or ()) if mapped else ()
        self.is_set = schema.get("x-kubernetes-list-type") == "set"
        self.is_atomic = schema.get("x-kubernetes-map-type") == "atomic"

    def field(self, name: str) -> Shape:
        below = (self._schema.get("properties") or {}).get(name, self._schema.get("additionalProperties"))
        return Structural(below) if isinstance(below, dict) else _UNKNOWN

    def item(self) -> Shape:
        below = self._schema.get("items")
        return Structural(below) if isinstance(below, dict) else _UNKNOWN


@dataclass(frozen=True)
class Typed:
    """A place in a built-in type. kind: as in ``schema.kubernetes_types``."""

    kind: str
    keys: tuple[str, ...] = ()
    is_set: bool = False

    @property
    def is_atomic(self) -> bool:
        return self.kind in ("core.v1.ObjectReference", "meta.v1.LabelSelector", "core.v1.SecretReference")

    def field(self, name: str) -> Shape:
        if self.kind.startswith("{"):
            return Typed(item_type(self.kind))
        if not is_type(self.kind) or self.kind.startswith("["):
            return _UNKNOWN
        kind = fields_of(self.kind).get(name)
        if kind is None:
            return _UNKNOWN
        return Typed(kind, merge_keys(self.kind, name), is_set(self.kind, name))

    def item(self) -> Shape:
        return Typed(item_type(self.kind)) if self.kind.startswith("[") else _UNKNOWN


class _Root:
    """A custom object: its metadata is Kubernetes' own, the rest is the schema's."""

    keys: tuple[str, ...] = ()
    is_set = False
    is_atomic = False

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = Structural(schema)

    def field(self, name: str) -> Shape:
        return Typed("meta.v1.ObjectMeta") if name == "metadata" else self._schema.field(name)

    def item(self) -> Shape:
        return _UNKNOWN


def shape_of(resource: Resource) -> Shape:
    """The shape of the resource's objects."""
    return _Root(resource.schema) if resource.schema is not None else Typed(resource.type_name)
