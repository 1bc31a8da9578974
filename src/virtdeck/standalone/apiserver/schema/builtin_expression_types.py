"""Kubernetes' own types as the types of expressions."""

from virtdeck.cel import types
from virtdeck.cel.names import escaped
from virtdeck.cel.types import Type
from virtdeck.standalone.apiserver.schema.kubernetes_types import fields_of, is_type, item_type

_PLAIN = {
    "s": types.STRING,
    "i": types.INT,
    "b": types.BOOL,
    "f": types.DOUBLE,
    "t": types.TIMESTAMP,
    "y": types.BYTES,
    "q": types.STRING,
    "n": types.DYN,
    "o": types.DYN,
}


def type_of_builtin(name: str, above: tuple[str, ...] = ()) -> Type:
    """The type of a kind's objects; where a type holds itself, what is inside is dynamic."""
    if name in above:
        return types.DYN
    fields = {
        spelled: _type_of(kind, (*above, name))
        for field, kind in fields_of(name).items()
        if (spelled := escaped(field)) is not None
    }
    return types.object_of(name, fields)


def _type_of(kind: str, above: tuple[str, ...]) -> Type:
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind[0] == "[":
        return types.list_of(_type_of(item_type(kind), above))
    if kind[0] == "{":
        return types.map_of(types.STRING, _type_of(item_type(kind), above))
    return type_of_builtin(kind, above) if is_type(kind) else types.DYN
