"""Sets of fields, as managedFields keep them (FieldsV1)."""

from typing import Any

import orjson

from virtdeck.standalone.apiserver.patching.shapes import Shape

Path = tuple[str, ...]  # elements spelled as in FieldsV1: f:name, k:{"key":"value"}, v:value
FieldSet = set[Path]

# What every object has or only the server writes is nobody's.
_UNOWNED = frozenset({"apiVersion", "kind"})
_UNOWNED_METADATA = frozenset(
    {
        "name",
        "namespace",
        "uid",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
        "generation",
        "generateName",
        "managedFields",
        "resourceVersion",
        "selfLink",
    }
)
ABSENT = object()


def fields_in(obj: dict[str, Any], shape: Shape) -> FieldSet:
    """Every field of the object that somebody may own."""
    found: FieldSet = set()
    for name, value in obj.items():
        if name == "metadata":
            owned = {key: item for key, item in value.items() if key not in _UNOWNED_METADATA}
            if owned:
                _collect(owned, shape.field(name), ("f:metadata",), found)
        elif name not in _UNOWNED:
            _collect(value, shape.field(name), (f"f:{name}",), found)
    return found


def _collect(value: Any, shape: Shape, path: Path, found: FieldSet) -> None:
    if isinstance(value, dict) and value and not shape.is_atomic:
        for name, item in value.items():
            _collect(item, shape.field(name), (*path, f"f:{name}"), found)
    elif isinstance(value, list) and shape.keys:
        for item in value:
            below = (*path, item_mark(item, shape.keys))
            found.add(below)
            _collect(item, shape.item(), below, found)
    elif isinstance(value, list) and shape.is_set:
        found.update((*path, value_mark(item)) for item in value)
    else:
        found.add(path)


def item_mark(item: Any, keys: tuple[str, ...]) -> str:
    """The path element of a list's item."""
    held = item if isinstance(item, dict) else {}
    return "k:" + _json({key: held[key] for key in keys if key in held})


def value_mark(value: Any) -> str:
    """The path element of a plain value in a set."""
    return "v:" + _json(value)


def _json(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def value_at(obj: Any, path: Path, shape: Shape) -> Any:
    """What stands at the path; ABSENT if nothing does."""
    for element in path:
        kind, name = element[0], element[2:]
        if kind == "f":
            if not isinstance(obj, dict) or name not in obj:
                return ABSENT
            obj, shape = obj[name], shape.field(name)
        elif not isinstance(obj, list):
            return ABSENT
        elif kind == "k":
            keys = shape.keys
            obj = next((one for one in obj if item_mark(one, keys) == element), ABSENT)
            shape = shape.item()
        else:
            wanted = orjson.loads(name)
            return wanted if wanted in obj else ABSENT
        if obj is ABSENT:
            return ABSENT
    return obj


def encode_fields(fields: FieldSet) -> dict[str, Any]:
    """The set as FieldsV1."""
    tree: dict[str, Any] = {}
    for path in sorted(fields):
        place = tree
        for element in path:
            place = place.setdefault(element, {})
        place["."] = {}
    return _without_lone_dots(tree)


def _without_lone_dots(tree: dict[str, Any]) -> dict[str, Any]:
    cleaned: dict[str, Any] = {}
    for name, below in tree.items():
        if name == ".":
            if len(tree) > 1:
                cleaned["."] = {}
        else:
            cleaned[name] = _without_lone_dots(below)
    return cleaned


def decode_fields(tree: Any) -> FieldSet:
    """The set that FieldsV1 says."""
    found: FieldSet = set()
    _decode(tree if isinstance(tree, dict) else {}, (), found)
    return found


def _decode(tree: dict[str, Any], path: Path, found: FieldSet) -> None:
    if path and (not tree or "." in tree):
        found.add(path)
    for name, below in tree.items():
        if name != "." and isinstance(below, dict):
            _decode(below, (*path, name), found)


def show_path(path: Path) -> str:
    """The path as conflicts name it: ``.spec.containers[name="a"].image``."""
    shown = ""
    for element in path:
        kind, name = element[0], element[2:]
        if kind == "f":
            shown += f".{name}"
        elif kind == "k":
            pairs = orjson.loads(name)
            shown += "[" + ",".join(f"{key}={_json(value)}" for key, value in pairs.items()) + "]"
        else:
            shown += f"[={name}]"
    return shown
