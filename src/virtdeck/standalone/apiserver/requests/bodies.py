"""Request bodies: read whole, decoded from JSON or YAML, bounded in size and depth."""

import math
from typing import Any

import orjson

from virtdeck.serving.asgi import Receive
from virtdeck.standalone.apiserver.problems import bad_request, too_large_body, unsupported_media_type

MAX_BODY_BYTES = 3 * 1024 * 1024
# Deeper than any manifest, far from Python's own limit on recursion.
MAX_NESTING = 128

_PROTOBUF = "application/vnd.kubernetes.protobuf"
_ACCEPTED = ("application/json", "application/yaml", _PROTOBUF)
_YAML = ("application/yaml", "application/x-yaml", "text/yaml")


class Disconnected(Exception):
    """The client went away before its request was complete."""


async def read_body(receive: Receive) -> bytes:
    """The whole body. Raises: StatusError 413, Disconnected."""
    parts = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        part = message.get("body", b"")
        size += len(part)
        if size > MAX_BODY_BYTES:
            raise too_large_body(MAX_BODY_BYTES)
        parts.append(part)
        if not message.get("more_body"):
            return parts[0] if len(parts) == 1 else b"".join(parts)


def decode_object(body: bytes, content_type: str) -> dict[str, Any]:
    """The object in a body. Raises: StatusError 400, 415."""
    value = decode_value(body, content_type)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise bad_request("the object provided is unrecognized (must be of type object)")
    return value


def decode_value(body: bytes, content_type: str) -> Any:
    """What a body holds. Raises: StatusError 400, 415."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind in _YAML:
        return _bounded(_decode_yaml(body))
    if kind == _PROTOBUF:
        return _bounded(_decode_protobuf(body))
    if kind not in ("", "application/json", "*/*") and not kind.endswith("+json"):
        raise unsupported_media_type(_ACCEPTED)
    try:
        return _bounded(orjson.loads(body))
    except orjson.JSONDecodeError as fault:
        raise bad_request(f"the object provided is unrecognized (must be of type object): {fault}") from fault


def _decode_protobuf(body: bytes) -> Any:
    # Imported here: a server that only virtdeck's own parts talk to never needs its tables.
    from virtdeck.standalone.apiserver.requests.protobuf import Malformed, decode_protobuf

    try:
        return decode_protobuf(body)
    except Malformed as fault:
        # A client that can speak JSON as well tries that next.
        raise unsupported_media_type(("application/json", "application/yaml")) from fault


def _decode_yaml(body: bytes) -> Any:
    # Imported here: yaml is rarely sent and costs a start 20 ms.
    import yaml

    try:
        _check_events(yaml, body)
        return _as_json(yaml.load(body, _plain_yaml_loader(yaml)))  # noqa: S506 - a safe loader's child
    except (yaml.YAMLError, ValueError) as fault:
        raise bad_request(f"error converting YAML to JSON: {fault}") from fault


def _check_events(yaml: Any, body: bytes) -> None:
    """Raises: ValueError for aliases, which could multiply, and for depth, before anything is built of it."""
    depth = 0
    for event in yaml.parse(body, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        if isinstance(event, yaml.AliasEvent):
            raise ValueError("aliases are not taken")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_NESTING:
            raise ValueError(f"it is nested deeper than {MAX_NESTING} levels")


def _as_json(value: Any) -> Any:
    """The value in JSON's types: keys are texts (``on`` is ``true`` in YAML 1.1), numbers fit into 64 bits.

    Raises: ValueError for what JSON has no number for.
    """
    if isinstance(value, dict):
        return {_key(name): _as_json(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_as_json(item) for item in value]
    if isinstance(value, int) and value.bit_length() > 63:
        return float(value) if value.bit_length() < 1024 else _as_json(math.inf)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is no number in JSON")
    return value


def _key(name: Any) -> str:
    if isinstance(name, bool):
        return "true" if name else "false"
    return "null" if name is None else str(name)


def _plain_yaml_loader(yaml: Any) -> Any:
    """A loader of JSON's types alone: dates stay texts."""
    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    resolvers = {
        first: [(tag, regexp) for tag, regexp in found if tag != "tag:yaml.org,2002:timestamp"]
        for first, found in base.yaml_implicit_resolvers.items()
    }
    return type("PlainLoader", (base,), {"yaml_implicit_resolvers": resolvers})


def _bounded(value: Any) -> Any:
    level = [value]
    for _ in range(MAX_NESTING):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return value
    raise bad_request(f"the object is nested deeper than {MAX_NESTING} levels")


def _children(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
