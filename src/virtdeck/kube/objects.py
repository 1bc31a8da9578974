"""What this package must know of any object: its kind, its identity, and how its bytes are read."""

from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from virtdeck.basis.errors import Bug
from virtdeck.crds.codec import decoder, encode

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Kind(Protocol[T_co]):
    """A row of ``crds.kinds``: where the API serves it and what its objects are decoded to."""

    @property
    def group(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def plural(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def namespaced(self) -> bool: ...
    @property
    def subresources(self) -> tuple[str, ...]: ...
    @property
    def api_version(self) -> str: ...
    @property
    def type(self) -> type[T_co]: ...


@dataclass(frozen=True)
class RawKind:
    """A kind whose objects stay dicts as JSON has them."""

    group: str
    version: str
    plural: str
    kind: str
    namespaced: bool
    subresources: tuple[str, ...]
    api_version: str

    @property
    def type(self) -> type[dict[str, Any]]:
        return dict[str, Any]


def raw(kind: Kind[Any]) -> RawKind:
    """The same kind, its objects as dicts: for whoever hands them on whole."""
    return RawKind(
        kind.group,
        kind.version,
        kind.plural,
        kind.kind,
        kind.namespaced,
        kind.subresources,
        kind.api_version,
    )


class Key(NamedTuple):
    """Names one object of a kind; ``namespace`` is empty for cluster-wide kinds."""

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


class Identity(NamedTuple):
    """What a cache compares objects by; ``version`` grows with every write of the whole store."""

    key: Key
    uid: str
    version: int


def identity(obj: Any) -> Identity:
    """Who this object is. Raises: Bug when it has no name."""
    meta = obj["metadata"] if isinstance(obj, dict) else obj.metadata
    if isinstance(meta, dict):
        name, namespace, uid = meta.get("name"), meta.get("namespace"), meta.get("uid")
        version = meta.get("resourceVersion")
    else:
        name, namespace, uid, version = meta.name, meta.namespace, meta.uid, meta.resource_version
    if not name:
        raise Bug(f"an object without a name came from the API server: {type(obj).__name__}")
    return Identity(Key(namespace or "", name), uid or "", version_number(version))


def version_number(text: str | None) -> int:
    """The resource version as a number: etcd's always were, Kubernetes promises it since 1.35."""
    return int(text) if text and text.isdigit() else 0


def decode_object(kind: Kind[T], body: bytes | msgspec.Raw) -> T:
    """The object in these bytes.

    Raises: Bug when the server sent what does not fit the kind.
    """
    try:
        found: T = decoder(kind.type).decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise Bug(
            f"the API server's {kind.kind} cannot be read: {fault}", reason="UndecodableObject"
        ) from fault
    return found


class _Outline(msgspec.Struct):
    kind: str = ""
    metadata: dict[str, Any] = {}


def decode_left(kind: Kind[T], body: bytes) -> T | None:
    """What a delete answered with, if that is an object that still has to end."""
    try:
        outline = msgspec.json.decode(body, type=_Outline)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    if outline.kind != kind.kind or not outline.metadata.get("deletionTimestamp"):
        return None
    return decode_object(kind, body)


def encode_body(body: object) -> bytes:
    """JSON of a dict, list or typed object; bytes pass as they are."""
    return body if isinstance(body, bytes) else encode(body)


class Listing(list[T], Generic[T]):
    """The objects that a list found, and the version of the store that they show."""

    def __init__(self, items: list[T], resource_version: str) -> None:
        super().__init__(items)
        self.resource_version = resource_version
