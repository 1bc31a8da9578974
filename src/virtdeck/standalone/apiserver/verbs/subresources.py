"""The subresources that are not plain views of their object: binding, eviction, finalize."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from virtdeck.basis.clock import rfc3339
from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.objects.selectors import selector_from_object
from virtdeck.standalone.apiserver.problems import (
    conflict,
    internal,
    invalid,
    too_many_requests,
)
from virtdeck.standalone.apiserver.requests.bodies import decode_object, read_body
from virtdeck.standalone.apiserver.requests.call import Call, Reply
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.storage.rows import Row
from virtdeck.standalone.apiserver.verbs.attributes import Attributes
from virtdeck.standalone.apiserver.verbs.deletion import parse_options
from virtdeck.standalone.apiserver.verbs.writing import attributes_of

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
    attributes = replace(attributes, name=name, subresource="binding", settled=True)

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
    """The pod is deleted as a delete would, unless admission or a disruption budget forbids it (429)."""
    eviction = await _posted(call)
    eviction["metadata"] = {**(eviction.get("metadata") or {}), **_place(call)}
    asked = attributes_of(call, resource, "CREATE")
    service.pipeline.require(replace(asked, subresource=""))
    options = eviction.get("deleteOptions") or {}
    asked = replace(asked, dry_run=asked.dry_run or bool(options.get("dryRun")))
    await service.pipeline.admit(asked, eviction)
    attributes = replace(asked, operation="DELETE", subresource="")
    row = service.pipeline.require(attributes)
    if not _is_over(row.decode()):
        await _use_budget(service, row, dry_run=asked.dry_run)
    await service.deleter.delete(attributes, parse_options(options))
    return Reply(
        {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201}, 201
    )


def _place(call: Call) -> Obj:
    return {"name": call.target.name, "namespace": call.target.namespace}


def _is_over(pod: Obj) -> bool:
    """Budgets protect what serves: not a pod that has not begun, has ended or is going."""
    phase = (pod.get("status") or {}).get("phase")
    return phase in ("Pending", "Succeeded", "Failed") or "deletionTimestamp" in pod["metadata"]


async def _use_budget(service: Service, pod: Row, *, dry_run: bool) -> None:
    """The pod's budget has one disruption less. Raises: StatusError 429 without any left, 500 for two."""
    shelf = service.store.shelf("policy/poddisruptionbudgets")
    found = [row for row in shelf.in_order(pod.namespace) if _selects(row, pod)]
    if len(found) > 1:
        raise internal("this pod has more than one PodDisruptionBudget, which eviction does not support")
    budgets = service.registry.require("policy", "v1", "poddisruptionbudgets")
    for row in found:
        one = Attributes(budgets, "UPDATE", row.namespace, row.name, "status", dry_run=dry_run, settled=True)
        await service.pipeline.update(one, _using(pod, rfc3339(service.clock.now())))


def _selects(row: Row, pod: Row) -> bool:
    return selector_from_object((row.decode().get("spec") or {}).get("selector")).matches(pod.labels)


def _require_room(budget: Obj, name: str) -> None:
    status = budget.get("status") or {}
    if status.get("observedGeneration", 0) < budget["metadata"].get("generation", 1):
        text = f"The disruption budget {name} is still being processed by the server."
        cause = {"reason": "DisruptionBudget", "message": text}
    elif status.get("disruptionsAllowed", 0) > 0:
        return
    else:
        needed, well = status.get("desiredHealthy", 0), status.get("currentHealthy", 0)
        text = f"The disruption budget {name} needs {needed} healthy pods and has {well} currently"
        cause = {"reason": "DisruptionBudget", "message": text}
    text = "Cannot evict pod as it would violate the pod's disruption budget."
    raise too_many_requests(text, 10, (cause,))


def _using(pod: Row, now: str) -> Callable[[Obj], Obj]:
    def edit(budget: Obj) -> Obj:
        _require_room(budget, budget["metadata"]["name"])
        status = budget["status"]
        status["disruptionsAllowed"] -= 1
        status["disruptedPods"] = {**(status.get("disruptedPods") or {}), pod.name: now}
        budget["metadata"].pop("resourceVersion", None)
        return budget

    return edit


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
