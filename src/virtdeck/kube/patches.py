"""The difference between two objects, as the patch that turns one into the other; pure."""

from collections.abc import Mapping
from typing import Any

import msgspec

JsonValue = Any


def merge_diff(old: Mapping[str, JsonValue], new: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The RFC 7386 patch from old to new; empty when they are equal. Lists are replaced whole."""
    patch: dict[str, JsonValue] = {name: None for name in old if name not in new}
    for name, value in new.items():
        former = old.get(name)
        if isinstance(value, Mapping) and isinstance(former, Mapping):
            if inner := merge_diff(former, value):
                patch[name] = inner
        elif name not in old or former != value:
            patch[name] = value
    return patch


def json_diff(old: JsonValue, new: JsonValue, path: str = "") -> list[dict[str, JsonValue]]:
    """The RFC 6902 operations from old to new. Lists are replaced whole, after a test of what stood there."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        gone = [{"op": "remove", "path": f"{path}/{pointer(name)}"} for name in old if name not in new]
        return gone + [
            op
            for name, value in new.items()
            for op in (
                json_diff(old[name], value, f"{path}/{pointer(name)}")
                if name in old
                else [{"op": "add", "path": f"{path}/{pointer(name)}", "value": value}]
            )
        ]
    if old == new:
        return []
    test = [{"op": "test", "path": path, "value": old}] if isinstance(old, list | tuple) else []
    return [*test, {"op": "replace", "path": path, "value": new}]


def pointer(name: str) -> str:
    """A name as one step of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def holds_list(patch: JsonValue) -> bool:
    """True when the patch replaces a list: unless the version is checked, another's entry could be lost."""
    if isinstance(patch, Mapping):
        return any(holds_list(value) for value in patch.values())
    return isinstance(patch, list | tuple)


def as_json(obj: object) -> Any:
    """The object as JSON's own types."""
    return msgspec.to_builtins(obj)
