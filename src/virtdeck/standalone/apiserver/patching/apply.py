"""Server-side apply: a manager's whole opinion merged into the object, with conflicts told."""

from dataclasses import dataclass
from typing import Any

from virtdeck.standalone.apiserver.patching.field_sets import (
    ABSENT,
    FieldSet,
    Path,
    fields_in,
    item_mark,
    show_path,
    value_at,
    value_mark,
)
from virtdeck.standalone.apiserver.patching.managed_fields import (
    Manager,
    Owned,
    Ownership,
    read_ownership,
    write_ownership,
)
from virtdeck.standalone.apiserver.patching.shapes import Shape, shape_of
from virtdeck.standalone.apiserver.problems import StatusError
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.schema.structural import copy_json

Obj = dict[str, Any]


@dataclass(frozen=True)
class Application:
    """One apply request."""

    resource: Resource
    config: Obj
    manager: str
    subresource: str
    force: bool
    now: str


def apply_config(live: Obj | None, application: Application) -> Obj:
    """The object after the apply, its managedFields included. Raises: StatusError 409."""
    resource = application.resource
    shape = shape_of(resource)
    applied = fields_in(application.config, shape)
    ownership = _ownership(live, shape, resource)
    own = Manager(application.manager, "Apply", application.subresource, resource.api_version)
    before = next((o for m, o in ownership.items() if _is_same(m, own)), Owned(set(), ""))
    others = {m: o for m, o in ownership.items() if not _is_same(m, own)}
    _settle_conflicts(live or {}, application, applied, others, shape)
    result: Obj = _merge(copy_json(live) if live else {}, application.config, shape)
    kept = applied.union(*(owned.fields for owned in others.values()))
    for path in sorted(before.fields - kept, key=len):  # an item goes before the fields that name it
        if not any(other[: len(path)] == path for other in kept):
            _remove(result, path, shape)
    unchanged = (
        before.fields == applied and live is not None and _without_fields(result) == _without_fields(live)
    )
    time = before.time if unchanged else application.now
    write_ownership(result["metadata"], {**others, own: Owned(applied, time)})
    return result


def _without_fields(obj: Obj) -> Obj:
    meta = {name: value for name, value in obj["metadata"].items() if name != "managedFields"}
    return {**obj, "metadata": meta}


def _is_same(left: Manager, right: Manager) -> bool:
    return (left.name, left.operation, left.subresource) == (right.name, right.operation, right.subresource)


def _ownership(live: Obj | None, shape: Shape, resource: Resource) -> Ownership:
    if live is None:
        return {}
    if live["metadata"].get("managedFields"):
        return read_ownership(live["metadata"])
    first = Manager("before-first-apply", "Update", "", resource.api_version)
    return {first: Owned(fields_in(live, shape), live["metadata"].get("creationTimestamp", ""))}


def _settle_conflicts(
    live: Obj, application: Application, applied: FieldSet, others: Ownership, shape: Shape
) -> None:
    conflicts = [
        (manager, path)
        for manager, owned in others.items()
        for path in sorted(applied & owned.fields)
        if path[-1][0] == "f" and _differs(live, application.config, path, shape)
    ]
    if not conflicts:
        return
    if not application.force:
        raise _conflict(conflicts)
    for manager, path in conflicts:
        others[manager].fields.discard(path)


def _differs(live: Obj, config: Obj, path: Path, shape: Shape) -> bool:
    found = value_at(live, path, shape)
    return found is not ABSENT and found != value_at(config, path, shape)


def _conflict(conflicts: list[tuple[Manager, Path]]) -> StatusError:
    causes = [
        {
            "reason": "FieldManagerConflict",
            "message": f'conflict with "{manager.name}" using {manager.api_version}',
            "field": show_path(path),
        }
        for manager, path in conflicts
    ]
    count = f"{len(conflicts)} conflict{'s' if len(conflicts) > 1 else ''}"
    shown = (
        "".join(f"\n- {cause['field']}" for cause in causes) if len(causes) > 1 else f" {causes[0]['field']}"
    )
    message = f"Apply failed with {count}: {causes[0]['message']}:{shown}"
    return StatusError(message, "Conflict", 409, {"causes": causes})


def _merge(live: Any, config: Any, shape: Shape) -> Any:
    if isinstance(config, dict) and isinstance(live, dict) and not shape.is_atomic:
        for name, value in config.items():
            live[name] = _merge(live.get(name), value, shape.field(name))
        return live
    if isinstance(config, list) and isinstance(live, list):
        if shape.keys:
            return _merge_items(live, config, shape)
        if shape.is_set:
            return [*live, *(one for one in config if one not in live)]
    return copy_json(config)


def _merge_items(live: list[Any], config: list[Any], shape: Shape) -> list[Any]:
    merged = list(live)
    places = {item_mark(item, shape.keys): index for index, item in enumerate(merged)}
    for item in config:
        mark = item_mark(item, shape.keys)
        if mark in places:
            merged[places[mark]] = _merge(merged[places[mark]], item, shape.item())
        else:
            merged.append(copy_json(item))
    return merged


def _remove(obj: Any, path: Path, shape: Shape) -> None:
    for element in path[:-1]:
        kind, name = element[0], element[2:]
        if kind == "f" and isinstance(obj, dict):
            obj, shape = obj.get(name), shape.field(name)
        elif kind == "k" and isinstance(obj, list):
            keys = shape.keys
            obj = next((one for one in obj if item_mark(one, keys) == element), None)
            shape = shape.item()
        else:
            return
    last = path[-1]
    if isinstance(obj, dict) and last[0] == "f":
        obj.pop(last[2:], None)
    elif isinstance(obj, list) and last[0] == "k":
        obj[:] = [one for one in obj if item_mark(one, shape.keys) != last]
    elif isinstance(obj, list) and last[0] == "v":
        obj[:] = [one for one in obj if value_mark(one) != last]
