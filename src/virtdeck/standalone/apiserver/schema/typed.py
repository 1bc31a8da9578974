"""Decodes objects of built-in kinds: wrong types are refused, unknown fields are dropped and told."""

import re
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.schema.kubernetes_types import fields_of, is_type, item_type, required_of

_PLAIN: dict[str, tuple[type, ...]] = {
    "s": (str,),
    "i": (int,),
    "b": (bool,),
    "f": (int, float),
    "t": (str,),
    "y": (str,),
    "q": (str, int, float),
    "n": (str, int),
}
# Not required, and yet written when it is empty.
_SHOWN_EMPTY = (("rbac.v1.Role", "rules"), ("rbac.v1.ClusterRole", "rules"))
_GO_NAMES = {
    "s": "string",
    "i": "int64",
    "b": "bool",
    "f": "float64",
    "t": "time",
    "y": "[]byte",
    "q": "quantity",
}


_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


class Mismatch(Exception):
    """A value whose JSON type does not fit its field."""


def drop_unknown(obj: dict[str, Any], type_name: str) -> list[str]:
    """Fields that the type does not have, and nulls, are gone from the object; the unknown ones are answered.

    Raises: Mismatch.
    """
    unknown: list[str] = []
    _walk(obj, type_name, "", unknown)
    return unknown


def _walk(value: dict[str, Any], type_name: str, path: str, unknown: list[str]) -> None:
    fields = fields_of(type_name)
    for name in list(value):
        below = f"{path}.{name}" if path else name
        kind = fields.get(name)
        if kind is None:
            del value[name]
            unknown.append(below)
        elif value[name] is None or (
            kind[0] in "[{" and value[name] in ([], {}) and _may_lack(type_name, name)
        ):
            del value[name]
        else:
            _check(value[name], kind, below, type_name, unknown)


def _may_lack(type_name: str, name: str) -> bool:
    """Whether an empty list or map there says as much as none."""
    return name not in required_of(type_name) and (type_name, name) not in _SHOWN_EMPTY


def _check(value: Any, kind: str, path: str, owner: str, unknown: list[str]) -> None:
    if kind == "o":
        return
    if is_type(kind) and kind[0] not in "[{":
        _require(isinstance(value, dict), value, path, owner, kind.rpartition(".")[2])
        _walk(value, kind, path, unknown)
    elif kind[0] == "[":
        _require(isinstance(value, list), value, path, owner, "[]" + _named(item_type(kind)))
        for index, item in enumerate(value):
            _check(item, item_type(kind), f"{path}[{index}]", owner, unknown)
    elif kind[0] == "{":
        _require(isinstance(value, dict), value, path, owner, "map[string]" + _named(item_type(kind)))
        for name, item in value.items():
            if item is not None:
                _check(item, item_type(kind), f"{path}.{name}", owner, unknown)
            elif item_type(kind) == "s":
                value[name] = ""  # as Go reads a null where a text must be
    else:
        fits = isinstance(value, _PLAIN[kind]) and (kind == "b" or not isinstance(value, bool))
        _require(fits, value, path, owner, _named(kind))
        if kind == "y" and not _BASE64.fullmatch(value):
            raise Mismatch(f"{path}: illegal base64 data")


def _named(kind: str) -> str:
    return _GO_NAMES.get(kind, kind.rpartition(".")[2])


def _require(fits: bool, value: Any, path: str, owner: str, wanted: str) -> None:
    if fits:
        return
    found = {bool: "bool", str: "string", dict: "object", list: "array"}.get(type(value), "number")
    field = f"{owner.rpartition('.')[2]}.{path}"
    raise Mismatch(f"json: cannot unmarshal {found} into Go struct field {field} of type {wanted}")


def missing(value: dict[str, Any], type_name: str, path: str = "") -> list[Cause]:
    """Every field that must be there and is not."""
    causes = [
        Cause(f"{path}{name}", "Required value", "FieldValueRequired")
        for name in required_of(type_name)
        if name not in value
    ]
    for name, kind in fields_of(type_name).items():
        below = value.get(name)
        if below is None or not is_type(kind) or name == "metadata":
            continue
        if kind[0] == "[":
            for index, item in enumerate(below):
                if isinstance(item, dict):
                    causes += missing(item, item_type(kind), f"{path}{name}[{index}].")
        elif kind[0] != "{" and isinstance(below, dict):
            causes += missing(below, kind, f"{path}{name}.")
    return causes
