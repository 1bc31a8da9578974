"""Objects of built-in kinds in protobuf, as newer kubectl sends them: read, never written.

The data in ``schema/kubernetes_wire.json`` says for each message which number is which field, in the
letters of ``schema.kubernetes_types``, and ``u`` for times with microseconds. ``^`` before a field's name
says that its fields stand in the message around it, ``[s]*`` that a list is wrapped in a message of its own.
"""

import base64
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from typing import Any

import orjson

from virtdeck.basis.clock import rfc3339

Obj = dict[str, Any]
Wire = tuple[int, int, Any]  # field number, wire type, value

MEDIA_TYPE = "application/vnd.kubernetes.protobuf"
_MAGIC = b"k8s\x00"
# Go leaves these out only when they are not set; everywhere else, zero means that nothing was said.
_POINTERS = frozenset(
    {
        "allowPrivilegeEscalation",
        "allowVolumeExpansion",
        "automountServiceAccountToken",
        "blockOwnerDeletion",
        "controller",
        "enableServiceLinks",
        "expirationSeconds",
        "fsGroup",
        "gracePeriodSeconds",
        "hostUsers",
        "immutable",
        "optional",
        "orphanDependents",
        "priority",
        "privileged",
        "readOnlyRootFilesystem",
        "replicas",
        "runAsGroup",
        "runAsNonRoot",
        "runAsUser",
        "storageClassName",
        "terminationGracePeriodSeconds",
        "tolerationSeconds",
    }
)


class Malformed(ValueError):
    """The bytes are not what they claim to be."""


def decode_protobuf(body: bytes) -> Obj:
    """The object in a protobuf body. Raises: Malformed."""
    if not body.startswith(_MAGIC):
        raise Malformed("the body does not begin as protobuf does")
    envelope = {number: value for number, _kind, value in _fields(body[len(_MAGIC) :])}
    named = {number: value for number, _kind, value in _fields(envelope.get(1, b""))}
    api_version, kind = _text(named.get(1, b"")), _text(named.get(2, b""))
    message = _message_of(api_version, kind)
    if message not in _messages():
        raise Malformed(f"{kind} in {api_version} is not read as protobuf here")
    return {"apiVersion": api_version, "kind": kind, **_message(envelope.get(2, b""), message)}


def _message_of(api_version: str, kind: str) -> str:
    if kind == "DeleteOptions":
        return "meta.v1.DeleteOptions"
    group, slash, version = api_version.rpartition("/")
    return f"{group.partition('.')[0] if slash else 'core'}.{version}.{kind}"


@cache
def _messages() -> dict[str, dict[int, tuple[str, str]]]:
    data = (
        resources.files("virtdeck.standalone.apiserver.schema").joinpath("kubernetes_wire.json").read_bytes()
    )
    raw: dict[str, dict[str, str]] = orjson.loads(data)
    return {
        name: {int(number): _split(field) for number, field in fields.items()} for name, fields in raw.items()
    }


def _split(field: str) -> tuple[str, str]:
    name, _, kind = field.partition(":")
    return name, kind


def _fields(data: bytes) -> Iterator[Wire]:
    """The fields of a message as they come."""
    position = 0
    while position < len(data):
        tag, position = _varint(data, position)
        number, kind = tag >> 3, tag & 7
        if kind == 0:
            value, position = _varint(data, position)
            yield number, kind, value
            continue
        if kind == 2:
            length, position = _varint(data, position)
        else:
            length = {1: 8, 5: 4}.get(kind, -1)
        if length < 0 or position + length > len(data):
            raise Malformed("a field is longer than its message or of an unknown form")
        yield number, kind, data[position : position + length]
        position += length


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while position < len(data) and shift < 70:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7
    raise Malformed("a number does not end")


def _message(data: Any, message: str) -> Obj:
    if not isinstance(data, bytes):
        raise Malformed(f"{message} should be a message")
    known = _messages()[message]
    obj: Obj = {}
    for number, _kind, value in _fields(data):
        if number not in known:
            continue  # a field that is newer than this server
        name, kind = known[number]
        if name.startswith("^"):
            obj |= _message(value, kind)
        elif kind.startswith("["):
            obj.setdefault(name, []).append(_value(value, kind[1:-1]))
        elif kind.startswith("{"):
            key, item = _entry(value, kind[1:-1])
            obj.setdefault(name, {})[key] = item
        else:
            decoded = _value(value, kind)
            if decoded or decoded == {} or (decoded is not None and name in _POINTERS):
                obj[name] = decoded
    return obj


def _entry(data: Any, kind: str) -> tuple[str, Any]:
    if not isinstance(data, bytes):
        raise Malformed("a map should hold messages")
    parts = {number: value for number, _kind, value in _fields(data)}
    empty: Any = 0 if kind in ("i", "b") else b""
    return _text(parts.get(1, b"")), _value(parts.get(2, empty), kind)


def _value(value: Any, kind: str) -> Any:  # noqa: PLR0911 - a table
    if kind in ("i", "b", "f"):
        return _number(value, kind)
    if not isinstance(value, bytes):
        raise Malformed("a field is of an unexpected form")
    match kind:
        case "s":
            return _text(value)
        case "y":
            return base64.b64encode(value).decode()
        case "q":
            return _text(dict(_numbered(value)).get(1, b""))
        case "t" | "u":
            return _time(dict(_numbered(value)), kind)
        case "n":
            return _int_or_string(dict(_numbered(value)))
        case "o":
            return _raw(dict(_numbered(value)).get(1, b""))
        case "[s]*":
            return [_text(item) for _number, item in _numbered(value)]
    return _message(value, kind)


def _numbered(data: bytes) -> Iterator[tuple[int, Any]]:
    for number, _kind, value in _fields(data):
        yield number, value


def _number(value: Any, kind: str) -> Any:
    if not isinstance(value, int):
        raise Malformed("a field should be a number")
    if kind == "b":
        return bool(value)
    return value - (1 << 64) if value >= 1 << 63 else value


def _text(value: Any) -> str:
    if not isinstance(value, bytes):
        raise Malformed("a field should be text")
    try:
        return value.decode()
    except UnicodeDecodeError as fault:
        raise Malformed("a text is not UTF-8") from fault


def _time(parts: dict[int, Any], kind: str) -> str | None:
    seconds = parts.get(1)
    if not isinstance(seconds, int) or not 0 < seconds < 1 << 38:
        return None  # a time that was not set
    moment = datetime.fromtimestamp(seconds, UTC)
    if kind == "t":
        return rfc3339(moment)
    return moment.strftime("%Y-%m-%dT%H:%M:%S") + f".{int(parts.get(2, 0)) // 1000:06d}Z"


def _int_or_string(parts: dict[int, Any]) -> int | str:
    if parts.get(1):
        return _text(parts.get(3, b""))
    return int(_number(parts.get(2, 0), "i"))


def _raw(value: Any) -> Any:
    try:
        return orjson.loads(value) if value else None
    except orjson.JSONDecodeError as fault:
        raise Malformed(f"a raw value is not JSON: {fault}") from fault
