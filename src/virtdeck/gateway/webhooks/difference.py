"""The JSON patch (RFC 6902) that turns one value into another."""

from typing import Any

Operation = dict[str, Any]


def difference(before: Any, after: Any) -> list[Operation]:
    """Operations in an order in which they can be applied; empty when nothing differs."""
    return list(_differ("", before, after))


def _differ(path: str, before: Any, after: Any) -> list[Operation]:
    if before is after:
        return []
    if isinstance(before, dict) and isinstance(after, dict):
        return _differ_objects(path, before, after)
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        found: list[Operation] = []
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            found += _differ(f"{path}/{index}", old, new)
        return found
    # True == 1 in Python, not in JSON.
    if before == after and type(before) is type(after):
        return []
    return [{"op": "replace", "path": path, "value": after}]


def _differ_objects(path: str, before: dict[str, Any], after: dict[str, Any]) -> list[Operation]:
    found: list[Operation] = [
        {"op": "remove", "path": f"{path}/{_escaped(key)}"} for key in before if key not in after
    ]
    for key, value in after.items():
        if key not in before:
            found.append({"op": "add", "path": f"{path}/{_escaped(key)}", "value": value})
        elif before[key] is not value:
            found += _differ(f"{path}/{_escaped(key)}", before[key], value)
    return found


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
