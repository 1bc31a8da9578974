"""The types of expressions: what they are called, and which value may stand where."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

# What is known of a size when nothing is known.
UNBOUNDED = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Type:
    """A type. kind: the name of a simple one, ``list``, ``map``, ``optional_type``, ``type``, ``object``,
    ``opaque``, ``param`` (a placeholder in signatures) or ``free`` (the items of an empty literal).

    name: of an object, an opaque type or a parameter.
    most: the largest size that a value from a schema can have; not part of the type's identity.
    """

    kind: str
    params: tuple["Type", ...] = ()
    name: str = ""
    fields: Mapping[str, "Type"] = field(default_factory=dict, compare=False, repr=False)
    most: int = field(default=UNBOUNDED, compare=False, repr=False)

    def __str__(self) -> str:
        if self.kind in ("object", "opaque", "param"):
            return self.name
        named = _SHOWN.get(self.kind, self.kind)
        return f"{named}({', '.join(map(str, self.params))})" if self.params else named


_SHOWN = {"null_type": "null", "free": "dyn"}

BOOL, INT, UINT, DOUBLE = Type("bool"), Type("int"), Type("uint"), Type("double")
STRING, BYTES, NULL, DYN = Type("string"), Type("bytes"), Type("null_type"), Type("dyn")
DURATION, TIMESTAMP = Type("google.protobuf.Duration"), Type("google.protobuf.Timestamp")
FREE = Type("free")
ANY_TYPE = Type("type")
A, B = Type("param", name="A"), Type("param", name="B")


def list_of(items: Type, most: int = UNBOUNDED) -> Type:
    return Type("list", (items,), most=most)


def map_of(keys: Type, values: Type, most: int = UNBOUNDED) -> Type:
    return Type("map", (keys, values), most=most)


def optional_of(value: Type) -> Type:
    return Type("optional_type", (value,))


def opaque(name: str) -> Type:
    return Type("opaque", name=name)


def object_of(name: str, fields: Mapping[str, Type], most: int = UNBOUNDED) -> Type:
    """An object with these fields; objects are the same when their names are."""
    return Type("object", name=name, fields=fields, most=most)


Bindings = dict[str, Type]

_NULLABLE = frozenset({"object", "opaque", "optional_type", DURATION.kind, TIMESTAMP.kind})


def fits(wanted: Type, given: Type, bound: Bindings) -> bool:  # noqa: PLR0911 - a table
    """Whether a value of the given type may stand where ``wanted`` is asked for; parameters are bound."""
    if wanted.kind == "param":
        return _fits_param(wanted, given, bound)
    if "dyn" in (wanted.kind, given.kind) or given.kind == "free":
        return True
    if given.kind == "null_type" and wanted.kind in _NULLABLE:
        return True
    if wanted.kind != given.kind:
        return False
    if wanted.kind in ("object", "opaque"):
        return wanted.name == given.name
    if wanted.kind == "type":
        return True
    return all(fits(one, other, bound) for one, other in zip(wanted.params, given.params, strict=False))


def _fits_param(wanted: Type, given: Type, bound: Bindings) -> bool:
    before = bound.get(wanted.name)
    if before is None or before.kind == "free":
        bound[wanted.name] = given
        return True
    if fits(before, given, bound):
        if before.kind == "null_type" or given.kind == "dyn":
            bound[wanted.name] = given
        return True
    if fits(given, before, bound):
        bound[wanted.name] = given
        return True
    return False


def filled(of: Type, bound: Bindings) -> Type:
    """The type with its parameters as they were bound."""
    if of.kind == "param":
        return bound.get(of.name, DYN)
    if not of.params:
        return of
    return Type(of.kind, tuple(filled(one, bound) for one in of.params), of.name)


def joined(types: Iterable[Type]) -> Type | None:
    """The one type of all; None when they have none in common. Without any: free."""
    bound: Bindings = {}
    return bound.get("A", FREE) if all(_fits_param(A, one, bound) for one in types) else None
