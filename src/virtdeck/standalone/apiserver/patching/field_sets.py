"""Sets of fields in the form that managedFields keep them in (FieldsV1).

A set is a tree of maps: an element of a path (``f:name``, ``k:{"key":"value"}``, ``v:value``) to what is
below it. A place belongs to the set if nothing is below it, or if a ``.`` stands there. Sets are values:
nothing here changes one, and results share what they have in common with what they were made of.
"""

from collections.abc import Iterator
from typing import Any

import orjson

from virtdeck.standalone.apiserver.patching.shapes import Shape

FieldSet = dict[str, Any]
Path = tuple[str, ...]

_SELF: FieldSet = {".": {}}
EMPTY: FieldSet = {}


def item_mark(item: Any, shape: Shape) -> str:
    """The path element of an item of a list with keys."""
    held = item if isinstance(item, dict) else {}
    found = {key: held.get(key, shape.defaults.get(key)) for key in shape.keys}
    return "k:" + _json({key: value for key, value in found.items() if value is not None})


def value_mark(value: Any) -> str:
    """The path element of a plain value in a set."""
    return "v:" + _json(value)


def _json(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def marked(items: list[Any], shape: Shape) -> dict[str, Any]:
    """The items of a list with keys, or of a set, by their path elements."""
    if shape.keys:
        return {item_mark(item, shape): item for item in items}
    return {value_mark(item): item for item in items}


def is_list_of_many(value: Any, shape: Shape) -> bool:
    """Whether this is a list whose items have owners of their own."""
    return isinstance(value, list) and bool(shape.keys or shape.is_set)


def everything(value: Any, shape: Shape) -> FieldSet:
    """The place itself and all that is below it, as of something that was not there before."""
    below: FieldSet = {}
    if isinstance(value, dict) and value and not shape.is_atomic:
        below = {f"f:{name}": everything(item, shape.field(name)) for name, item in value.items()}
    elif value and is_list_of_many(value, shape):
        inner = shape.item()
        below = {mark: everything(item, inner) for mark, item in marked(value, shape).items()}
    return {**_SELF, **below} if below else below


def stated(value: Any, shape: Shape) -> FieldSet | None:
    """The fields that an applied configuration states; None if it states nothing.

    A map or list that holds something is not stated itself, unless the writer chose its key.
    """
    below: FieldSet = {}
    if isinstance(value, dict) and value and not shape.is_atomic:
        for name, item in value.items():
            found = stated(item, shape.field(name))
            if found is not None:
                below[f"f:{name}"] = found if shape.has(name) else _with_self(found)
        return below or None
    if is_list_of_many(value, shape):
        inner = shape.item()
        for mark, item in marked(value, shape).items():
            below[mark] = _with_self(stated(item, inner) or EMPTY)
        return below or None
    return EMPTY


def _with_self(node: FieldSet) -> FieldSet:
    return node if _is_member(node) else {**_SELF, **node}


def compare(old: Any, new: Any, shape: Shape) -> tuple[FieldSet | None, FieldSet | None]:
    """What is new or different in ``new``, and what only ``old`` has; None for nothing."""
    if old == new:
        return None, None
    if shape.is_atomic or not (old or new):
        return EMPTY, None
    if _is_map(old) and _is_map(new):
        return _compare_items(
            {f"f:{name}": item for name, item in (old or {}).items()},
            {f"f:{name}": item for name, item in (new or {}).items()},
            lambda mark: shape.field(mark[2:]),
        )
    if is_list_of_many(old or [], shape) and is_list_of_many(new or [], shape):
        inner = shape.item()
        return _compare_items(marked(old or [], shape), marked(new or [], shape), lambda _mark: inner)
    return EMPTY, None


def _is_map(value: Any) -> bool:
    return value is None or isinstance(value, dict)


def _compare_items(old: Any, new: Any, shape_at: Any) -> tuple[FieldSet | None, FieldSet | None]:
    changed: FieldSet = {}
    gone: FieldSet = {}
    for mark, item in new.items():
        if mark not in old:
            changed[mark] = everything(item, shape_at(mark))
        elif old[mark] != item:
            here, lost = compare(old[mark], item, shape_at(mark))
            if here is not None:
                changed[mark] = here
            if lost is not None:
                gone[mark] = lost
    for mark, item in old.items():
        if mark not in new:
            gone[mark] = everything(item, shape_at(mark))
    return changed or None, gone or None


def _is_member(node: FieldSet) -> bool:
    return not node or "." in node


def union(left: FieldSet, right: FieldSet) -> FieldSet:
    """What is in either set (at the root, which is no member itself)."""
    if not left or not right:
        return left or right
    merged = dict(left)
    for mark, node in right.items():
        other = merged.get(mark)
        if other is None or other is node:
            merged[mark] = node
        elif mark != ".":
            below = union(other, node)
            is_member = _is_member(other) or _is_member(node)
            merged[mark] = _with_self(below) if below and is_member else below
    return merged


def difference(left: FieldSet, right: FieldSet) -> FieldSet:
    """What is in the left set alone."""
    if not right:
        return left
    kept: FieldSet = {}
    for mark, node in left.items():
        other = right.get(mark)
        if mark == ".":
            continue
        if other is None:
            kept[mark] = node
            continue
        below = difference(node, other)
        below = {inner: value for inner, value in below.items() if inner != "."}
        is_member = _is_member(node) and not _is_member(other)
        if below:
            kept[mark] = {**_SELF, **below} if is_member else below
        elif is_member:
            kept[mark] = EMPTY
    return kept


def intersection(left: FieldSet, right: FieldSet) -> FieldSet:
    """What is in both sets."""
    found: FieldSet = {}
    for mark, node in left.items():
        other = right.get(mark)
        if other is None or mark == ".":
            continue
        below = intersection(node, other)
        if _is_member(node) and _is_member(other):
            found[mark] = {**_SELF, **below} if below else EMPTY
        elif below:
            found[mark] = below
    return found


def paths(fields: FieldSet, before: Path = ()) -> Iterator[Path]:
    """Every member."""
    for mark in sorted(fields):
        if mark == ".":
            continue
        path, node = (*before, mark), fields[mark]
        if _is_member(node):
            yield path
        yield from paths(node, path)


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
