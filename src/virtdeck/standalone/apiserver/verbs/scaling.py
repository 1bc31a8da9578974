"""The scale subresource of custom objects: autoscaling/v1 Scale, read and written."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from virtdeck.basis.clock import rfc3339
from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.objects.versions import decode
from virtdeck.standalone.apiserver.patching.apply import Application, apply_config
from virtdeck.standalone.apiserver.patching.json_patch import json_patch, merge_patch
from virtdeck.standalone.apiserver.printing.json_path import find, parse_path
from virtdeck.standalone.apiserver.problems import StatusError, bad_request, invalid, unsupported_media_type
from virtdeck.standalone.apiserver.requests.bodies import decode_object, decode_value, read_body
from virtdeck.standalone.apiserver.requests.call import Call, Reply
from virtdeck.standalone.apiserver.resources.resource import Resource, ScalePaths
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.verbs.writing import (
    APPLY_PATCH,
    JSON_PATCH,
    MERGE_PATCH,
    STRATEGIC_PATCH,
    attributes_of,
)

Obj = dict[str, Any]

API_VERSION = "autoscaling/v1"
_SHOWN = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")


async def scale(call: Call, service: Service, resource: Resource) -> Reply:
    """The scale of a custom object, read or written. Raises: StatusError."""
    paths = resource.scale
    if paths is None:
        raise bad_request("this kind has no scale")
    if call.target.verb == "get":
        row = service.pipeline.require(attributes_of(call, resource, "UPDATE"))
        await service.conversions.prepare((row,), resource)
        return Reply(_scale_of(decode(row, resource), paths))
    body = await read_body(call.receive)
    kind = call.headers.get("content-type", "").partition(";")[0].strip()
    applies = call.target.verb == "patch" and kind in APPLY_PATCH
    attributes = replace(
        attributes_of(call, resource, "UPDATE", settled=applies), subresource="", part="scale"
    )
    change = _application(call, service, resource, body) if applies else _change(call, paths, kind, body)
    outcome = await service.pipeline.update(attributes, change)
    return Reply(_scale_of(outcome.obj, paths))


def _change(call: Call, paths: ScalePaths, kind: str, body: bytes) -> Callable[[Obj], Obj]:
    def transform(obj: Obj) -> Obj:
        return _scaled(call, obj, _asked(call, kind, body, _scale_of(obj, paths)), paths)

    return transform


def _scaled(call: Call, obj: Obj, wanted: Obj, paths: ScalePaths) -> Obj:
    """The object with the replicas that the scale asks for, bound to the version that it speaks of."""
    number = (wanted.get("spec") or {}).get("replicas", 0)
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        text = f"Invalid value: {number}: must be greater than or equal to 0"
        raise invalid("Scale", "autoscaling", call.target.name, [Cause("spec.replicas", text)])
    _write(obj, paths.spec_replicas, number)
    asked = wanted.get("metadata") or {}
    for name in ("resourceVersion", "uid"):
        obj["metadata"][name] = asked.get(name) or ""
    return obj


def _asked(call: Call, kind: str, body: bytes, current: Obj) -> Obj:
    if call.target.verb == "update":
        return _checked(decode_object(body, kind), call.target.name)
    patch = decode_value(body, "application/json")
    if kind == JSON_PATCH:
        patched: Obj = json_patch(current, patch)
    elif kind in (MERGE_PATCH, STRATEGIC_PATCH) and isinstance(patch, dict):
        patched = merge_patch(current, patch)
    else:
        raise unsupported_media_type((JSON_PATCH, MERGE_PATCH, APPLY_PATCH[0]))
    if patched.get("metadata") == current["metadata"]:  # it did not speak of a version
        patched = {**patched, "metadata": {**current["metadata"], "resourceVersion": ""}}
    return patched


def _checked(wanted: Obj, name: str) -> Obj:
    if wanted.get("kind", "Scale") != "Scale" or wanted.get("apiVersion", API_VERSION) != API_VERSION:
        raise bad_request(f"{wanted.get('apiVersion')} {wanted.get('kind')} is not a {API_VERSION} Scale")
    named = (wanted.get("metadata") or {}).get("name") or name
    if named != name:
        raise bad_request(f"the name of the object ({named}) does not match the name on the URL ({name})")
    return wanted


def _application(call: Call, service: Service, resource: Resource, body: bytes) -> Callable[[Obj], Obj]:
    """What an applied Scale does to the object: its replicas alone have an owner."""
    paths = resource.scale
    wanted = _checked(decode_object(body, "application/yaml"), call.target.name)
    config: Obj = {"apiVersion": resource.api_version, "kind": resource.kind}
    config["metadata"] = {"name": call.target.name}
    number = (wanted.get("spec") or {}).get("replicas")
    if number is not None and paths is not None:
        _write(config, paths.spec_replicas, number)
    now = rfc3339(service.clock.now())
    application = Application(resource, config, call.field_manager, "scale", call.flag("force"), now)

    def transform(live: Obj) -> Obj:
        result = apply_config(live, application)
        result["metadata"]["resourceVersion"] = (wanted.get("metadata") or {}).get("resourceVersion") or ""
        return result

    return transform


def _scale_of(obj: Obj, paths: ScalePaths) -> Obj:
    meta = obj["metadata"]
    wanted, current = find(obj, paths.spec_replicas), find(obj, paths.status_replicas)
    status: Obj = {"replicas": current[0] if current else 0}
    if paths.label_selector and (selector := find(obj, paths.label_selector)):
        status["selector"] = selector[0]
    return {
        "kind": "Scale",
        "apiVersion": API_VERSION,
        "metadata": {name: meta[name] for name in _SHOWN if name in meta},
        "spec": {"replicas": wanted[0]} if wanted else {},
        "status": status,
    }


def _write(obj: Obj, path: str, value: Any) -> None:
    *parents, (_kind, last, _value) = parse_path(path)
    place = obj
    for kind, name, _ in parents:
        if kind != "field":
            raise StatusError("the scale's path is not a plain field", "InternalError", 500)
        place = place.setdefault(name, {})
    place[last] = value
