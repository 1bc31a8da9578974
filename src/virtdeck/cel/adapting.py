"""Values of JSON as the types that schemas give them: times, durations, bytes, numbers of the right kind."""

import base64
import binascii
from collections.abc import Callable
from typing import Any

from virtdeck.cel.times import parse_duration, parse_moment
from virtdeck.cel.types import Type
from virtdeck.cel.values import EvaluationError

Adapter = Callable[[Any], Any]


def _int(value: Any) -> Any:
    return int(value) if type(value) is float else value


def _double(value: Any) -> Any:
    return float(value) if type(value) is int else value


def _timestamp(value: Any) -> Any:
    return parse_moment(value) if type(value) is str else value


def _duration(value: Any) -> Any:
    return parse_duration(value) if type(value) is str else value


def _bytes(value: Any) -> Any:
    if type(value) is not str:
        return value
    try:
        return base64.b64decode(value)
    except (binascii.Error, ValueError) as fault:
        raise EvaluationError(f"invalid base64: {fault}") from fault


_ADAPTERS: dict[str, Adapter] = {
    "int": _int,
    "double": _double,
    "google.protobuf.Timestamp": _timestamp,
    "google.protobuf.Duration": _duration,
    "bytes": _bytes,
}
# Numbers compare by value whatever their kind, so lists of them need no copy.
_DEEP = ("google.protobuf.Timestamp", "google.protobuf.Duration", "bytes")


def adapter_of(of: Type) -> Adapter | None:
    """What makes a value of the type from JSON's; None when it is that already."""
    if of.kind in ("list", "map"):
        item = _deep(of.params[-1])
        return None if item is None else _each(item)
    return _ADAPTERS.get(of.kind)


def _each(item: Adapter) -> Adapter:
    def adapt(value: Any) -> Any:
        if type(value) is list:
            return [item(one) for one in value]
        return {key: item(one) for key, one in value.items()} if type(value) is dict else value

    return adapt


def _deep(of: Type) -> Adapter | None:
    return adapter_of(of) if of.kind in (*_DEEP, "list", "map") else None
