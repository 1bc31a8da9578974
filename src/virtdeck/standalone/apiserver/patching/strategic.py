"""Strategic merge patch for built-in kinds: lists of items with keys merge item by item."""

from typing import Any

from virtdeck.crds.quoting import shown_map
from virtdeck.standalone.apiserver.problems import bad_request
from virtdeck.standalone.apiserver.schema.kubernetes_types import (
    fields_of,
    is_type,
    item_type,
)
from virtdeck.standalone.apiserver.schema.merging import is_set, merge_keys
from virtdeck.standalone.apiserver.schema.structural import copy_json

Obj = dict[str, Any]

_DIRECTIVE = "$patch"
_RETAIN = "$retainKeys"
_DELETE_VALUES = "$deleteFromPrimitiveList/"
_ORDER = "$setElementOrder/"


def strategic_merge(target: Obj, patch: Obj, type_name: str) -> Obj:
    """The target with the patch merged in as the type's lists ask for. Raises: StatusError 400."""
    directive = patch.get(_DIRECTIVE)
    if directive == "replace":
        return {name: copy_json(value) for name, value in patch.items() if name != _DIRECTIVE}
    if directive == "delete":
        return {}
    if directive not in (None, "merge"):
        raise bad_request(f"unknown patch type: {directive} in map: {shown_map(patch)}")
    fields = fields_of(type_name) if type_name else {}
    merged = dict(target)
    if _RETAIN in patch:
        kept = _list(patch, _RETAIN)
        merged = {name: value for name, value in merged.items() if name in kept}
    for name, value in patch.items():
        if name.startswith(_DELETE_VALUES):
            field = name.removeprefix(_DELETE_VALUES)
            gone = _list(patch, name)
            merged[field] = [one for one in merged.get(field) or () if one not in gone]
        elif not name.startswith("$"):
            _merge_field(merged, name, value, type_name, fields.get(name, "o"))
    for name in patch:
        if name.startswith(_ORDER):
            _reorder(merged, name.removeprefix(_ORDER), _list(patch, name), type_name)
    return merged


def _list(patch: Obj, name: str) -> list[Any]:
    value = patch[name]
    if not isinstance(value, list):
        raise bad_request(f"the directive {name} must be a list")
    return value


def _merge_field(merged: Obj, name: str, value: Any, type_name: str, kind: str) -> None:
    if value is None:
        merged.pop(name, None)
    elif isinstance(value, dict):
        before = merged.get(name)
        below = kind if is_type(kind) and kind[0] not in "[{" else ""
        inner = item_type(kind) if kind[0] == "{" else ""
        if inner and is_type(inner):
            merged[name] = _merge_map(before or {}, value, inner)
        else:
            merged[name] = strategic_merge(before if isinstance(before, dict) else {}, value, below)
    elif isinstance(value, list):
        merged[name] = _merge_list(merged.get(name), value, type_name, name, kind)
    else:
        merged[name] = value


def _merge_map(before: Obj, patch: Obj, inner: str) -> Obj:
    merged = dict(before)
    for name, value in patch.items():
        _merge_field(merged, name, value, "", inner)
    return merged


def _merge_list(before: Any, patch: list[Any], type_name: str, name: str, kind: str) -> list[Any]:
    keys = merge_keys(type_name, name)[:1]  # strategic merge knows one key: the first
    current = before if isinstance(before, list) else []
    if is_set(type_name, name):
        return _merged_set(current, patch)
    if not keys:
        return [one for one in copy_json(patch) if not (isinstance(one, dict) and _DIRECTIVE in one)]
    if any(map(_is_replace, patch)):
        return [copy_json(one) for one in patch if not _is_replace(one)]
    return _merge_items(current, patch, keys[0], item_type(kind))


def _is_replace(item: Any) -> bool:
    return isinstance(item, dict) and item.get(_DIRECTIVE) == "replace"


def _merged_set(current: list[Any], patch: list[Any]) -> list[Any]:
    """The patch's values in their order, each after those that stood before it."""
    merged: list[Any] = []
    left = [one for one in current if one not in patch]
    for one in (value for place, value in enumerate(patch) if value not in patch[:place]):
        ahead = current.index(one) if one in current else 0
        while left and current.index(left[0]) < ahead:
            merged.append(left.pop(0))
        merged.append(one)
    return merged + left


def _merge_items(current: list[Any], patch: list[Any], key: str, inner: str) -> list[Any]:
    merged = list(current)
    for item in patch:
        if not isinstance(item, dict) or key not in item:
            shown = shown_map(item) if isinstance(item, dict) else item
            raise bad_request(f"map: {shown} does not contain declared merge key: {key}")
        place = next((i for i, one in enumerate(merged) if one.get(key) == item[key]), None)
        if item.get(_DIRECTIVE) == "delete":
            merged = [one for one in merged if one.get(key) != item[key]]
        elif place is None:
            merged.append(strategic_merge({}, item, inner))
        else:
            merged[place] = strategic_merge(merged[place], item, inner)
    return merged


def _reorder(merged: Obj, name: str, order: list[Any], type_name: str) -> None:
    items = merged.get(name)
    if not isinstance(items, list):
        return
    keys = merge_keys(type_name, name)[:1]

    def mark(item: Any) -> Any:
        return item.get(keys[0]) if keys and isinstance(item, dict) else item

    wanted = [mark(one) for one in order]
    listed = [item for item in items if mark(item) in wanted]
    listed.sort(key=lambda item: wanted.index(mark(item)))
    # Items that the order does not name keep their place after the one that they stood behind.
    result = list(listed)
    for index, item in enumerate(items):
        if mark(item) not in wanted:
            before = items[index - 1] if index else None
            place = result.index(before) + 1 if before is not None and before in result else 0
            result.insert(place, item)
    merged[name] = result
