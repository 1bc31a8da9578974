"""JSON or plain values to typed objects, and back."""

import re
from typing import Any, TypeVar

import msgspec

from virtdeck.basis.errors import Cause, Invalid

T = TypeVar("T")

_encoder = msgspec.json.Encoder()
_AT = re.compile(r"^(?P<what>.*?)(?: - at `(?P<path>\$.*)`)?$", re.DOTALL)
_MISSING = re.compile(r"^Object missing required field `(?P<name>[^`]+)`$")
_BOUND = re.compile(r"^Expected `(?P<want>\w+)` (?P<bound>.+)$")
_EXPECTED = re.compile(r"^Expected `(?P<want>[^`]+)`, got `(?P<got>[^`]+)`$")


_decoders: dict[type[Any], "msgspec.json.Decoder[Any]"] = {}


def decoder(kind: type[T]) -> "msgspec.json.Decoder[T]":
    """The one JSON decoder of a type; building it walks all of its fields."""
    found = _decoders.get(kind)
    if found is None:
        found = _decoders[kind] = msgspec.json.Decoder(kind)
    return found


def decode(source: bytes | str | dict[str, Any], kind: type[T]) -> T:
    """The object that JSON text or a plain value describes; unknown fields are ignored. Raises: Invalid."""
    try:
        if isinstance(source, dict):
            return msgspec.convert(source, kind)
        return decoder(kind).decode(source)
    except msgspec.ValidationError as fault:
        cause = _cause(str(fault))
        raise Invalid(
            f"{cause.field}: {cause.message}" if cause.field else cause.message, causes=(cause,)
        ) from fault
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise Invalid(f"this is not JSON: {fault}") from fault


def encode(value: Any) -> bytes:
    """The object as JSON; fields that were not given are absent."""
    return _encoder.encode(value)


def to_dict(value: Any) -> dict[str, Any]:
    """The object as plain values, lists as lists, in Kubernetes' spelling."""
    plain: dict[str, Any] = msgspec.json.decode(_encoder.encode(value))
    return plain


def _cause(text: str) -> Cause:
    found = _AT.match(text)
    what, path = (found["what"], found["path"] or "$") if found else (text, "$")
    field = _field(path)
    if missing := _MISSING.match(what):
        name = missing["name"]
        return Cause(f"{field}.{name}" if field else name, "is required", "FieldValueRequired")
    if expected := _EXPECTED.match(what):
        words = {"want": _words(expected["want"]), "got": _words(expected["got"])}
        return Cause(field, "must be {want}, but is {got}".format(**words))
    if bound := _BOUND.match(what):
        return Cause(field, f"must be {_words(bound['want'])} {bound['bound']}")
    return Cause(field, what[:1].lower() + what[1:])


def _field(path: str) -> str:
    """``$.spec.disks[0].name`` as Kubernetes writes it."""
    return path.removeprefix("$").removeprefix(".").replace("[...]", "[*]")


_NAMES = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def _words(names: str) -> str:
    return (
        " or ".join(
            _NAMES.get(name.strip(), name.strip()) for name in names.split("|") if name.strip() != "null"
        )
        or "null"
    )
