"""Server-side apply: a manager's whole opinion merged into the object, with conflicts told."""

from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import orjson

from virtdeck.standalone.apiserver.patching.field_sets import (
    EMPTY,
    FieldSet,
    compare,
    difference,
    intersection,
    is_list_of_many,
    marked,
    paths,
    show_path,
    stated,
    union,
)
from virtdeck.standalone.apiserver.patching.managed_fields import (
    APPLY,
    UPDATE,
    Manager,
    Owned,
    Ownership,
    Writer,
    nothing_yet,
    read_ownership,
    tracked,
    write_ownership,
)
from virtdeck.standalone.apiserver.patching.shapes import Shape, shape_of
from virtdeck.standalone.apiserver.problems import StatusError
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.schema.structural import copy_json

Obj = dict[str, Any]

_KUBECTL = "kubectl"  # the manager whose client-side applies are taken over
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
_BEFORE = "before-first-apply"


@dataclass(frozen=True)
class Application:
    """One apply request."""

    resource: Resource
    config: Obj
    manager: str
    subresource: str
    force: bool
    now: str

    @property
    def writer(self) -> Writer:
        return Writer(self.manager, self.resource, self.subresource, self.now)


def apply_config(live: Obj | None, application: Application) -> Obj:
    """The object after the apply, its managedFields included. Raises: StatusError 409."""
    resource, shape = application.resource, shape_of(application.resource)
    stated_part = tracked(application.config, resource, application.subresource)
    applied = _without_bare_metadata(stated(stated_part, shape) or EMPTY)
    own = application.writer.manager(APPLY)
    ownership = _ownership(live, application)
    before = ownership.pop(own.identity, Owned(own, EMPTY))
    merged: Obj = _merge(copy_json(live) if live else {}, _mergeable(application, stated_part), shape)
    kept = reduce(union, (owned.fields for owned in ownership.values()), applied)
    _prune(merged, before.fields, kept, shape)
    if live is not None:
        ownership = _after_conflicts(live, merged, ownership, application)
    unchanged = live is not None and _without_fields(merged) == _without_fields(live)
    time = before.time if unchanged and before.time else application.now
    _set_last_applied(merged, application)
    write_ownership(merged["metadata"], {**ownership, own.identity: Owned(own, applied, time)})
    return merged


def _mergeable(application: Application, stated_part: Obj) -> Obj:
    meta = application.config.get("metadata") or {}
    named = {name: value for name, value in application.config.items() if name in ("apiVersion", "kind")}
    return {**named, **stated_part, "metadata": {**meta, **stated_part["metadata"]}}


def _without_bare_metadata(fields: FieldSet) -> FieldSet:
    return (
        {mark: node for mark, node in fields.items() if mark != "f:metadata"}
        if fields.get("f:metadata") == {}
        else fields
    )


def _without_fields(obj: Obj) -> Obj:
    meta = {name: value for name, value in obj["metadata"].items() if name != "managedFields"}
    return {**obj, "metadata": meta}


def _ownership(live: Obj | None, application: Application) -> Ownership:
    if live is None:
        return {}
    found = read_ownership(live["metadata"].get("managedFields"))
    if found:
        return found
    resource = application.resource
    first = Manager(_BEFORE, UPDATE, "", resource.api_version)
    shape = shape_of(resource)
    everything, _gone = compare(nothing_yet(resource), tracked(live, resource), shape)
    return {first: Owned(first, everything or EMPTY, application.now)}


def _after_conflicts(live: Obj, merged: Obj, ownership: Ownership, application: Application) -> Ownership:
    """The others' fields once this apply has won. Raises: StatusError 409 when it may not."""
    resource, through = application.resource, application.subresource
    shape = shape_of(resource)
    changed, gone = compare(tracked(live, resource, through), tracked(merged, resource, through), shape)
    changed, gone = changed or EMPTY, gone or EMPTY
    conflicts = {
        one: found for one, owned in ownership.items() if (found := intersection(owned.fields, changed))
    }
    if conflicts and not application.force:
        allowed = _of_client_side_apply(live, application)
        refused = {one: left for one, found in conflicts.items() if (left := difference(found, allowed))}
        if refused:
            raise _conflict([(ownership[one], path) for one in refused for path in paths(refused[one])])
    lost = union(changed, gone)
    return {one: replace(owned, fields=difference(owned.fields, lost)) for one, owned in ownership.items()}


def _of_client_side_apply(live: Obj, application: Application) -> FieldSet:
    """What kubectl's client-side apply had set and is still as it set it: kubectl may take that over."""
    text = (live["metadata"].get("annotations") or {}).get(_LAST_APPLIED)
    if application.manager != _KUBECTL or not text:
        return EMPTY
    try:
        last = orjson.loads(text)
    except orjson.JSONDecodeError:
        return EMPTY
    if not isinstance(last, dict) or not isinstance(last.get("metadata"), dict):
        return EMPTY
    resource, shape = application.resource, shape_of(application.resource)
    before, now = tracked(last, resource), tracked(live, resource)
    changed, gone = compare(before, now, shape)
    return difference(stated(before, shape) or EMPTY, union(changed or EMPTY, gone or EMPTY))


def _set_last_applied(merged: Obj, application: Application) -> None:
    """An object that kubectl's client-side apply knows stays one that it can apply to."""
    annotations = merged["metadata"].get("annotations") or {}
    if application.manager != _KUBECTL or _LAST_APPLIED not in annotations or application.subresource:
        return
    config = copy_json(application.config)
    config["metadata"].setdefault("annotations", {}).pop(_LAST_APPLIED, None)
    annotations[_LAST_APPLIED] = orjson.dumps(config, option=orjson.OPT_SORT_KEYS).decode() + "\n"


def _conflict(conflicts: list[tuple[Owned, tuple[str, ...]]]) -> StatusError:
    shown = [(_show_owner(owned), show_path(path)) for owned, path in conflicts]
    causes = [
        {"reason": "FieldManagerConflict", "message": f"conflict with {owner}", "field": path}
        for owner, path in shown
    ]
    if len(shown) == 1:
        message = f"Apply failed with 1 conflict: {causes[0]['message']}: {shown[0][1]}"
    else:
        owners = sorted({owner for owner, _path in shown})
        parts = [
            f"conflicts with {owner}:" + "".join(f"\n- {path}" for one, path in shown if one == owner)
            for owner in owners
        ]
        message = f"Apply failed with {len(shown)} conflicts: " + "\n".join(parts)
    return StatusError(message, "Conflict", 409, {"causes": causes})


def _show_owner(owned: Owned) -> str:
    manager = owned.manager
    shown = f'"{manager.name}"'
    if manager.subresource:
        shown += f' with subresource "{manager.subresource}"'
    return f"{shown} using {manager.api_version}" if manager.operation == UPDATE else shown


def _merge(live: Any, config: Any, shape: Shape) -> Any:
    if isinstance(config, dict) and isinstance(live, dict) and not shape.is_atomic:
        for name, value in config.items():
            live[name] = _merge(live.get(name), value, shape.field(name))
        return live
    if is_list_of_many(config, shape) and isinstance(live, list):
        return _merge_items(live, config, shape)
    return copy_json(config)


def _merge_items(live: list[Any], config: list[Any], shape: Shape) -> list[Any]:
    """The configuration's items in its order; what only the live list has stays before the next shared."""
    old, new = marked(live, shape), marked(config, shape)
    standing, inner = list(old), shape.item()
    merged: list[Any] = []
    passed = 0
    for mark, upto in _turns(old, new):
        merged += [old[one] for one in standing[passed:upto] if one not in new]
        passed = max(passed, upto)
        merged.append(_merge(old[mark], new[mark], inner) if mark in old else copy_json(new[mark]))
    return merged + [old[one] for one in standing[passed:] if one not in new]


def _turns(old: Obj, new: Obj) -> list[tuple[str, int]]:
    """The new items in order, each with the place in the old list up to which others come before it."""
    places = {mark: place for place, mark in enumerate(old)}
    shared = [mark for mark in new if mark in old]
    turns = []
    reached = 0
    for mark in new:
        ahead = places[shared[0]] if shared else len(old)
        reached = ahead if ahead >= reached else len(old)
        turns.append((mark, reached))
        if shared and mark == shared[0]:
            shared.pop(0)
    return turns


def _prune(value: Any, last: FieldSet, kept: FieldSet, shape: Shape) -> None:
    """What ``last`` names and ``kept`` does not is gone from the value, and maps that are empty by that."""
    if isinstance(value, dict):
        for mark, node in last.items():
            name = mark[2:]
            if mark[0] == "f" and name in value:
                _prune_field(value, name, node, kept.get(mark), shape.field(name))
    elif is_list_of_many(value, shape):
        value[:] = [
            item
            for mark, item in marked(value, shape).items()
            if mark not in last or _stays(item, last[mark], kept.get(mark), shape.item())
        ]


def _prune_field(value: Obj, name: str, node: FieldSet, kept: FieldSet | None, shape: Shape) -> None:
    stays = _stays(value[name], node, kept, shape)
    emptied = kept is None and bool(node) and value[name] in ({}, [])
    if emptied or not stays:
        del value[name]


def _stays(value: Any, node: FieldSet, kept: FieldSet | None, shape: Shape) -> bool:
    if kept is None and (not node or "." in node):
        return False
    _prune(value, node, kept or EMPTY, shape)
    return True
