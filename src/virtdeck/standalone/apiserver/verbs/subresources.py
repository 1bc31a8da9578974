"""The subresources that are not plain views of their object: binding, eviction, scale, finalize."""

from dataclasses import replace
from typing import Any

from virtdeck.basis.clock import rfc3339
from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.objects.selectors import selector_from_object
from virtdeck.standalone.apiserver.objects.versions import decode
from virtdeck.standalone.apiserver.patching.json_patch import json_patch, merge_patch
from virtdeck.standalone.apiserver.printing.json_path import find, parse_path
from virtdeck.standalone.apiserver.problems import (
    StatusError,
    bad_request,
    conflict,
    invalid,
    too_many_requests,
    unsupported_media_type,
)
from virtdeck.standalone.apiserver.requests.bodies import decode_object, decode_value, read_body
from virtdeck.standalone.apiserver.requests.call import Call, Reply
from virtdeck.standalone.apiserver.resources.resource import Resource, ScalePaths
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.storage.rows import Row
from virtdeck.standalone.apiserver.verbs.attributes import Attributes
from virtdeck.standalone.apiserver.verbs.deletion import parse_options
from virtdeck.standalone.apiserver.verbs.writing import JSON_PATCH, MERGE_PATCH, attributes_of

Obj = dict[str, Any]


async def _posted(call: Call) -> Obj:
    return decode_object(await read_body(call.receive), call.headers.get("content-type", ""))


async def bind_pod(call: Call, service: Service, resource: Resource) -> Reply:
    """The pod runs on the Binding's target from now on. Raises: StatusError 409 when it is bound already."""
    binding = await _posted(call)
    target = (binding.get("target") or {}).get("name") or ""
    name = call.target.name or (binding.get("metadata") or {}).get("name") or ""
    if not target:
        raise invalid("Binding", "", name, [Cause("target.name", "Required value", "FieldValueRequired")])
    attributes = attributes_of(call, resource, "UPDATE")
    attributes = replace(attributes, name=name, subresource="", settled=True)

    def transform(pod: Obj) -> Obj:
        if "deletionTimestamp" in pod["metadata"]:
            raise conflict("pods", "", name, f"pod {name} is being deleted, cannot be assigned to a host")
        if pod["spec"].get("nodeName"):
            bound = pod["spec"]["nodeName"]
            raise conflict("pods/binding", "", name, f'pod {name} is already assigned to node "{bound}"')
        pod["spec"]["nodeName"] = target
        return pod

    await service.pipeline.update(attributes, transform)
    await service.pipeline.update(
        replace(attributes, subresource="status", settled=False), lambda pod: _scheduled(pod, service)
    )
    return Reply(
        {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201}, 201
    )


def _scheduled(pod: Obj, service: Service) -> Obj:
    status = pod.setdefault("status", {})
    others = [one for one in status.get("conditions") or () if one.get("type") != "PodScheduled"]
    now = rfc3339(service.clock.now())
    condition = {"type": "PodScheduled", "status": "True", "lastProbeTime": None, "lastTransitionTime": now}
    status["conditions"] = [*others, {key: value for key, value in condition.items() if value is not None}]
    pod["metadata"].pop("resourceVersion", None)
    return pod


async def evict_pod(call: Call, service: Service, resource: Resource) -> Reply:
    """The pod is deleted as a delete would, unless a disruption budget forbids it (429)."""
    eviction = await _posted(call)
    attributes = attributes_of(call, resource, "DELETE")
    attributes = replace(attributes, subresource="")
    row = service.pipeline.require(attributes)
    _check_budgets(service, row)
    await service.deleter.delete(attributes, parse_options(eviction.get("deleteOptions") or {}))
    return Reply(
        {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201}, 201
    )


def _check_budgets(service: Service, pod: Row) -> None:
    for row in service.store.shelf("policy/poddisruptionbudgets").in_order(pod.namespace):
        budget = row.decode()
        if not selector_from_object((budget.get("spec") or {}).get("selector")).matches(pod.labels):
            continue
        if (budget.get("status") or {}).get("disruptionsAllowed", 0) > 0:
            continue
        fault = too_many_requests("Cannot evict pod as it would violate the pod's disruption budget.", 10)
        fault.details["causes"] = [
            {"reason": "DisruptionBudget", "message": f"The disruption budget {row.name} does not allow it"}
        ]
        raise fault


async def finalize_namespace(call: Call, service: Service, resource: Resource) -> Reply:
    """The namespace's own finalizers are what the request says; without any left, it goes."""
    given = await _posted(call)
    wanted = (given.get("spec") or {}).get("finalizers") or []
    outcome = await remove_namespace_finalizers(service, attributes_of(call, resource, "UPDATE"), wanted)
    return Reply(outcome)


async def remove_namespace_finalizers(service: Service, attributes: Attributes, wanted: list[Any]) -> Obj:
    """The namespace has these finalizers in its spec, or is gone. Raises: StatusError."""
    shelf, row = service.pipeline.shelf(attributes), service.pipeline.require(attributes)
    obj = row.decode()
    obj["spec"] = {"finalizers": wanted} if wanted else {}
    meta = obj["metadata"]
    if not wanted and not meta.get("finalizers") and "deletionTimestamp" in meta:
        await service.store.remove(shelf, row, obj)
    else:
        await service.store.put(shelf, row.key, obj, row)
    return obj


async def scale(call: Call, service: Service, resource: Resource) -> Reply:
    """The autoscaling/v1 Scale of a custom object, read or written."""
    if resource.scale is None:
        raise bad_request("this kind has no scale")
    attributes = attributes_of(call, resource, "UPDATE")
    if call.target.verb == "get":
        return Reply(_scale_of(service.pipeline.require(attributes), resource, resource.scale))
    body = await read_body(call.receive)
    paths = resource.scale

    def transform(obj: Obj) -> Obj:
        current = _scale_from(obj, resource, paths)
        wanted = (_asked_scale(call, body, current).get("spec") or {}).get("replicas", 0)
        if not isinstance(wanted, int) or wanted < 0:
            text = f"Invalid value: {wanted}: must be greater than or equal to 0"
            raise invalid("Scale", "autoscaling", call.target.name, [Cause("spec.replicas", text)])
        _write(obj, paths.spec_replicas, wanted)
        obj["metadata"].pop("resourceVersion", None)
        return obj

    plain = replace(attributes, subresource="", part="scale")
    outcome = await service.pipeline.update(plain, transform)
    return Reply(_scale_from(outcome.obj, resource, paths))


def _asked_scale(call: Call, body: bytes, current: Obj) -> Obj:
    kind = call.headers.get("content-type", "").partition(";")[0]
    if call.target.verb == "update":
        return decode_object(body, kind)
    patch = decode_value(body, "application/json")
    if kind == JSON_PATCH:
        patched: Obj = json_patch(current, patch)
        return patched
    if kind in (MERGE_PATCH, "application/strategic-merge-patch+json"):
        merged: Obj = merge_patch(current, patch)
        return merged
    raise unsupported_media_type(kind, (JSON_PATCH, MERGE_PATCH))


def _scale_of(row: Row, resource: Resource, paths: ScalePaths) -> Obj:
    return _scale_from(decode(row, resource), resource, paths)


def _scale_from(obj: Obj, resource: Resource, paths: ScalePaths) -> Obj:
    meta = obj["metadata"]
    kept = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")
    wanted, current = find(obj, paths.spec_replicas), find(obj, paths.status_replicas)
    status: Obj = {"replicas": current[0] if current else 0}
    if paths.label_selector and (selector := find(obj, paths.label_selector)):
        status["selector"] = selector[0]
    return {
        "kind": "Scale",
        "apiVersion": "autoscaling/v1",
        "metadata": {name: meta[name] for name in kept if name in meta},
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
