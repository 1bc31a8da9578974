"""JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7386)."""

import json
from typing import Any

from virtdeck.standalone.apiserver.problems import StatusError, bad_request
from virtdeck.standalone.apiserver.schema.structural import copy_json

_MOST_OPERATIONS = 10_000  # as kube-apiserver
_MOST_COPIED_BYTES = 3 * 2**20  # as kube-apiserver: copies of copies would grow without end


def merge_patch(target: Any, patch: Any) -> Any:
    """The target with the patch merged in; null removes."""
    if not isinstance(patch, dict):
        return copy_json(patch)
    merged = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = merge_patch(merged.get(name), value)
    return merged


def json_patch(target: Any, operations: Any) -> Any:
    """A copy of the target with all operations done in order. Raises: StatusError 400, 422."""
    if not isinstance(operations, list) or not all(isinstance(one, dict) for one in operations):
        raise bad_request("a JSON patch must be a list of operations")
    if len(operations) > _MOST_OPERATIONS:
        raise StatusError(
            f"The allowed maximum operations in a JSON patch is {_MOST_OPERATIONS}, got {len(operations)}",
            "RequestEntityTooLarge",
            413,
        )
    document, copied = copy_json(target), 0
    for operation in operations:
        if operation.get("op") == "copy":
            copied += _size(_find(document, _parse_pointer(operation.get("from"))))
            if copied > _MOST_COPIED_BYTES:
                why = f"a JSON patch may copy {_MOST_COPIED_BYTES} bytes at most"
                raise StatusError(why, "RequestEntityTooLarge", 413)
        document = _apply(document, operation)
    return document


def _size(value: Any) -> int:
    return len(json.dumps(value))


def _apply(document: Any, operation: dict[str, Any]) -> Any:
    path = _parse_pointer(operation.get("path"))
    match operation.get("op"):
        case "add":
            return _add(document, path, copy_json(_value(operation)))
        case "remove":
            _remove(document, path)
        case "replace":
            _find(document, path)
            return _replace(document, path, copy_json(_value(operation)))
        case "move":
            source = _parse_pointer(operation.get("from"))
            moved = _find(document, source)
            _remove(document, source)
            return _add(document, path, moved)
        case "copy":
            return _add(document, path, copy_json(_find(document, _parse_pointer(operation.get("from")))))
        case "test":
            if not _equal(_find(document, path), operation.get("value")):
                raise _failed(f"testing value {operation['path']} failed: test failed")
        case other:
            raise _failed(f"unexpected kind of operation: {other}")
    return document


def _equal(left: Any, right: Any) -> bool:
    return (type(left) is type(right) and bool(left == right)) or (
        isinstance(left, int | float)
        and isinstance(right, int | float)
        and isinstance(left, bool) == isinstance(right, bool)
        and left == right
    )


def _failed(why: str) -> StatusError:
    message = f"the server rejected our request due to an error in our request: {why}"
    return StatusError(message, "Invalid", 422, {})


def _value(operation: dict[str, Any]) -> Any:
    if "value" not in operation:
        raise _failed(f"operation {operation.get('op')} has no value")
    return operation["value"]


def _parse_pointer(pointer: Any) -> list[str]:
    if not isinstance(pointer, str) or (pointer and not pointer.startswith("/")):
        raise _failed(f"pointer {pointer!r} does not start with a slash")
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def _find(document: Any, path: list[str]) -> Any:
    for part in path:
        if isinstance(document, dict) and part in document:
            document = document[part]
        elif isinstance(document, list):
            document = document[_index(part, len(document) - 1, path)]
        else:
            raise _failed(f"doc is missing path: /{'/'.join(path)}: missing value")
    return document


def _index(part: str, last: int, path: list[str]) -> int:
    if not part.isdecimal() or (len(part) > 1 and part[0] == "0") or int(part) > last:
        raise _failed(f"unable to access index {part} of /{'/'.join(path)}")
    return int(part)


def _add(document: Any, path: list[str], value: Any) -> Any:
    if not path:
        return value
    parent = _find(document, path[:-1])
    if isinstance(parent, dict):
        parent[path[-1]] = value
    elif isinstance(parent, list):
        index = len(parent) if path[-1] == "-" else _index(path[-1], len(parent), path)
        parent.insert(index, value)
    else:
        raise _failed(f"add operation does not apply: doc is missing path: /{'/'.join(path)}")
    return document


def _replace(document: Any, path: list[str], value: Any) -> Any:
    if not path:
        return value
    parent = _find(document, path[:-1])
    if isinstance(parent, list):
        parent[int(path[-1])] = value
    else:
        parent[path[-1]] = value
    return document


def _remove(document: Any, path: list[str]) -> None:
    if not path:
        raise _failed("the whole document cannot be removed")
    parent = _find(document, path[:-1])
    _find(document, path)
    if isinstance(parent, list):
        del parent[int(path[-1])]
    else:
        del parent[path[-1]]
