"""The JSON paths of printer columns: fields, indexes, wildcards and filters on equality."""

import re
from functools import lru_cache
from typing import Any

_STEP = re.compile(
    r"""\.(?P<field>[A-Za-z0-9_\-\\./]+?)(?=\.|\[|$)"""
    r"""|\[(?P<index>-?\d+)\]"""
    r"""|\[(?P<all>\*)\]"""
    r"""|\[['"](?P<quoted>[^'"]+)['"]\]"""
    r"""|\[\?\(@\.(?P<key>[A-Za-z0-9_.\-]+)\s*==\s*['"](?P<value>[^'"]*)['"]\)\]"""
)
_PLAIN = re.compile(r"\.((?:[^.\[\\]|\\.)+)")

Step = tuple[str, str, str]


@lru_cache(maxsize=512)
def parse_path(path: str) -> tuple[Step, ...]:
    """The path's steps. Raises: ValueError."""
    text = path.strip().removeprefix("{").removesuffix("}").removeprefix("$")
    text = text if text.startswith((".", "[")) else f".{text}"
    steps: list[Step] = []
    position = 0
    while position < len(text):
        found = _PLAIN.match(text, position)
        if found:
            steps.append(("field", found[1].replace("\\.", "."), ""))
        else:
            found = _STEP.match(text, position)
            if not found:
                raise ValueError(f"{path!r} is not a JSON path that is known here")
            steps.append(_step(found))
        position = found.end()
    return tuple(steps)


def _step(found: re.Match[str]) -> Step:
    if found["index"]:
        return ("index", found["index"], "")
    if found["all"]:
        return ("all", "", "")
    if found["quoted"]:
        return ("field", found["quoted"], "")
    return ("where", found["key"], found["value"])


def find(obj: Any, path: str) -> list[Any]:
    """Everything that the path names, in order."""
    found = [obj]
    for kind, first, second in parse_path(path):
        found = [below for value in found for below in _descend(value, kind, first, second)]
    return found


def _descend(value: Any, kind: str, first: str, second: str) -> list[Any]:
    if kind == "field":
        return [value[first]] if isinstance(value, dict) and first in value else []
    if kind == "all":
        return (
            list(value.values())
            if isinstance(value, dict)
            else list(value)
            if isinstance(value, list)
            else []
        )
    if not isinstance(value, list):
        return []
    if kind == "index":
        index = int(first)
        return [value[index]] if -len(value) <= index < len(value) else []
    return [one for one in value if isinstance(one, dict) and _equals(one, first, second)]


def _equals(item: Any, key: str, wanted: str) -> bool:
    for part in key.split("."):
        item = item.get(part) if isinstance(item, dict) else None
    return item is not None and (str(item).lower() if isinstance(item, bool) else str(item)) == wanted
