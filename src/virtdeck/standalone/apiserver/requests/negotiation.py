"""Which form of an answer a client wants."""

from dataclasses import dataclass
from enum import Enum

from virtdeck.standalone.apiserver.problems import StatusError, not_acceptable


class Shape(Enum):
    """What is sent in place of an object."""

    OBJECT = "object"
    TABLE = "Table"
    PARTIAL = "PartialObjectMetadata"
    PARTIAL_LIST = "PartialObjectMetadataList"


@dataclass(frozen=True)
class Media:
    """One entry of an Accept header."""

    kind: str
    parameters: dict[str, str]


_PROTOBUF = "application/vnd.kubernetes.protobuf"
_JSON = ("application/json", "*/*", "application/*", "application/yaml")


def parse_accept(header: str) -> list[Media]:
    """The entries in the client's order."""
    found = []
    for entry in header.split(","):
        kind, *parameters = (part.strip() for part in entry.split(";"))
        pairs = (part.partition("=") for part in parameters)
        found.append(Media(kind, {name: value for name, _, value in pairs}))
    return found


def wanted_shape(header: str) -> Shape:
    """The first shape in an Accept header that this server can send. Raises: StatusError 406."""
    if not header or header in ("application/json", "*/*"):
        return Shape.OBJECT
    for media in parse_accept(header):
        if media.kind not in _JSON:
            continue
        asked = media.parameters.get("as")
        if asked is None:
            return Shape.OBJECT
        if media.parameters.get("g") == "meta.k8s.io" and media.parameters.get("v") in ("v1", "v1beta1"):
            for shape in (Shape.TABLE, Shape.PARTIAL, Shape.PARTIAL_LIST):
                if asked == shape.value:
                    return shape
    if any(media.kind in _JSON or media.kind == _PROTOBUF for media in parse_accept(header)):
        raise not_acceptable(("application/json", "application/yaml"))
    raise StatusError("406: Not Acceptable", "NotAcceptable", 406, {})


def shape_of_many(header: str) -> Shape:
    """The shape of a list. Raises: StatusError 406, also for the shape of one object."""
    shape = wanted_shape(header)
    if shape is Shape.PARTIAL:
        raise _unlike("PartialObjectMetadata", "a list")
    return shape


def shape_of_one(header: str) -> Shape:
    """The shape of one object. Raises: StatusError 406, also for the shape of a list."""
    shape = wanted_shape(header)
    if shape is Shape.PARTIAL_LIST:
        raise _unlike("PartialObjectMetadataList", "not a list")
    return shape


def _unlike(asked: str, found: str) -> StatusError:
    return StatusError(f"you requested {asked}, but the requested object is {found}", "NotAcceptable", 406)


def wants_json_stream(header: str) -> bool:
    """Whether a watch may be answered in JSON, line by line: the only form that there is."""
    kinds = {media.kind for media in parse_accept(header)} if header else {"*/*"}
    return not kinds.isdisjoint(("application/json", "application/*", "*/*"))


def wants_discovery(header: str, kind: str) -> str | None:
    """The version (``v2``, ``v2beta1``) of aggregated discovery that is wanted; None for plain lists."""
    for media in parse_accept(header):
        if media.kind != "application/json":
            continue
        asked = media.parameters
        if "as" not in asked:
            return None
        if asked["as"] == kind and asked.get("g") == "apidiscovery.k8s.io":
            return asked.get("v") if asked.get("v") in ("v2", "v2beta1") else None
    return None
