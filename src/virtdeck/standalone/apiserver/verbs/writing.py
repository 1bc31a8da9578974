"""create, update, patch, delete and deletecollection as HTTP knows them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import anyio

from virtdeck.basis.clock import rfc3339
from virtdeck.basis.errors import Cause
from virtdeck.crds.names import invalid_value
from virtdeck.standalone.apiserver.objects.versions import decode
from virtdeck.standalone.apiserver.patching.apply import Application, apply_config
from virtdeck.standalone.apiserver.patching.json_patch import json_patch, merge_patch
from virtdeck.standalone.apiserver.patching.strategic import strategic_merge
from virtdeck.standalone.apiserver.printing.shapes import partial_object, table_of
from virtdeck.standalone.apiserver.problems import (
    StatusError,
    bad_request,
    conflict,
    invalid,
    not_found,
    unsupported_media_type,
)
from virtdeck.standalone.apiserver.requests.bodies import decode_object, decode_value, read_body
from virtdeck.standalone.apiserver.requests.call import Call, Reply
from virtdeck.standalone.apiserver.requests.duplicates import duplicate_fields
from virtdeck.standalone.apiserver.requests.list_options import included
from virtdeck.standalone.apiserver.requests.negotiation import Shape, shape_of_one
from virtdeck.standalone.apiserver.requests.options import check_options, kind_of_options
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.resources.rules import required
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.verbs.attributes import Attributes
from virtdeck.standalone.apiserver.verbs.decoding import Undecodable, settle_object
from virtdeck.standalone.apiserver.verbs.deletion import DeleteOptions, for_name, parse_options
from virtdeck.standalone.apiserver.verbs.pipeline import Outcome
from virtdeck.standalone.apiserver.verbs.reading import select

Obj = dict[str, Any]

JSON_PATCH = "application/json-patch+json"
MERGE_PATCH = "application/merge-patch+json"
STRATEGIC_PATCH = "application/strategic-merge-patch+json"
APPLY_PATCH = ("application/apply-patch+yaml", "application/apply-patch+json")
_DELETES_AT_ONCE = 32


def attributes_of(call: Call, resource: Resource, operation: str, *, settled: bool = False) -> Attributes:
    """What the request says of the write it asks for. Raises: StatusError 422 for its options."""
    check_options(call, applies=settled)
    return Attributes(
        resource=resource,
        operation=operation,
        namespace=call.target.namespace if resource.namespaced else "",
        name=call.target.name,
        subresource=call.target.subresource,
        user=call.user,
        dry_run=call.dry_run,
        strictness=call.strictness,
        manager=call.field_manager,
        warn=call.warn,
        annotate=call.annotate,
        settled=settled,
        doubled=call.doubled,
        options=_options_of(call),
    )


def _options_of(call: Call) -> Obj:
    """The options as webhooks are told of them; those of a delete are completed when its body is read."""
    options: Obj = {"kind": kind_of_options(call), "apiVersion": "meta.k8s.io/v1"}
    if call.dry_run:
        options["dryRun"] = ["All"]
    options |= {
        name: call.parameter(name) for name in ("fieldManager", "fieldValidation") if name in call.query
    }
    return options | ({"force": call.flag("force")} if "force" in call.query else {})


async def _posted(call: Call) -> Obj:
    body, content_type = await read_body(call.receive), call.headers.get("content-type", "")
    call.body = obj = decode_object(body, content_type)
    _look_for_duplicates(call, body, obj)
    return obj


def _look_for_duplicates(call: Call, body: bytes, value: Any) -> None:
    if call.strictness != "Ignore" and body[:1] in (b"{", b"["):
        call.doubled = tuple(duplicate_fields(body, value))


async def create_object(call: Call, service: Service, resource: Resource) -> Reply:
    obj = await _posted(call)
    attributes = attributes_of(call, resource, "CREATE")
    return reply(call, resource, await service.pipeline.create(attributes, obj), 201)


async def update_object(call: Call, service: Service, resource: Resource) -> Reply:
    obj = await _posted(call)
    attributes = attributes_of(call, resource, "UPDATE")
    meta = obj.get("metadata")
    if not call.target.subresource:
        _require_name(call, obj)
    bound = isinstance(meta, dict) and meta.get("resourceVersion")
    if not bound and not resource.rules.unconditional_update:
        service.pipeline.require(attributes)
        text = "Invalid value: 0: must be specified for an update"
        cause = required("metadata.resourceVersion")
        raise invalid(
            resource.kind,
            resource.group,
            call.target.name,
            [type(cause)(cause.field, text, "FieldValueInvalid")],
        )
    outcome = await service.pipeline.update(attributes, lambda _old: _fresh(obj))
    return reply(call, resource, outcome)


def _require_name(call: Call, obj: Obj) -> None:
    """Raises: StatusError 400."""
    meta = obj.get("metadata")
    if not (isinstance(meta, dict) and meta.get("name")):
        named = f"the name of the object ({call.target.name} based on URL)"
        raise bad_request(f"{named} was undeterminable: name must be provided")


def _fresh(obj: Obj) -> Obj:
    """A copy for each try, since the pipeline fills it in."""
    return {**obj, "metadata": dict(obj["metadata"])} if isinstance(obj.get("metadata"), dict) else dict(obj)


async def patch_object(call: Call, service: Service, resource: Resource) -> Reply:
    body = await read_body(call.receive)
    kind = call.headers.get("content-type", "").partition(";")[0].strip()
    if kind in APPLY_PATCH:
        return await _apply(call, service, resource, body)
    change = _patcher(call, resource, kind, body)
    try:
        outcome = await service.pipeline.update(attributes_of(call, resource, "UPDATE"), change)
    except Undecodable as fault:
        raise _unfit_patch(fault.message) from fault
    return reply(call, resource, outcome)


def _patcher(call: Call, resource: Resource, kind: str, body: bytes) -> Callable[[Obj], Obj]:
    """What a patch does to an object. Raises: StatusError 400, 415."""
    if kind not in (JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH):
        raise StatusError("415: Unsupported Media Type", "UnsupportedMediaType", 415, {})
    if kind == STRATEGIC_PATCH and resource.is_custom:
        raise unsupported_media_type((JSON_PATCH, MERGE_PATCH, APPLY_PATCH[0]))
    call.body = patch = decode_value(body, "application/json")
    _look_for_duplicates(call, body, patch)

    def apply(obj: Obj) -> Obj:
        if kind == JSON_PATCH:
            result = json_patch(obj, patch)
        elif kind == MERGE_PATCH:
            result = merge_patch(obj, patch)
        else:
            result = strategic_merge(obj, patch, resource.type_name)
        if not isinstance(result, dict) or not isinstance(result.get("metadata"), dict):
            raise bad_request("the patch leaves no object")
        _check_uid(result, obj, resource)
        asked = patch.get("metadata") if isinstance(patch, dict) else {}
        if isinstance(patch, list) or not isinstance(asked, dict) or "resourceVersion" not in asked:
            _unbind(result, obj, patch)
        return result

    if kind != JSON_PATCH and not isinstance(patch, dict):
        raise _unfit_patch("the patch must be an object")
    return apply


def _unfit_patch(why: str) -> StatusError:
    """422: the patch can be read and makes nothing that the kind could be."""
    return invalid("", "", "", [Cause("patch", f"Invalid value: {why}")])


def _check_uid(result: Obj, old: Obj, resource: Resource) -> None:
    """Raises: StatusError 422 for a patch that makes it another object."""
    uid, before = result["metadata"].get("uid"), old["metadata"]
    if uid and uid != before.get("uid"):
        cause = invalid_value("metadata.uid", str(uid), "field is immutable")
        raise invalid(resource.kind, resource.group, before["name"], [cause])


def _unbind(result: Obj, old: Obj, patch: Any) -> None:
    """A patch that does not speak of resourceVersion is bound to none."""
    if result["metadata"].get("resourceVersion") == old["metadata"].get("resourceVersion") and not (
        isinstance(patch, list) and any("resourceVersion" in str(one.get("path")) for one in patch)
    ):
        result["metadata"].pop("resourceVersion", None)


async def _apply(call: Call, service: Service, resource: Resource, body: bytes) -> Reply:
    config = decode_object(body, "application/yaml" if body[:1] not in b"{[" else "application/json")
    meta = config.setdefault("metadata", {})
    if isinstance(meta, dict) and meta.get("managedFields"):
        raise bad_request("metadata.managedFields must be nil")
    attributes = attributes_of(call, resource, "UPDATE", settled=True)
    if config.get("apiVersion") != resource.api_version:
        raise bad_request(
            "Incorrect version specified in apply patch. Specified patch version: "
            f"{config.get('apiVersion') or ''}, expected: {resource.api_version}"
        )
    if not call.target.subresource:
        _require_name(call, config)
    config = settle_object(config, attributes)
    application = Application(
        resource,
        config,
        call.field_manager,
        call.target.subresource,
        call.flag("force"),
        rfc3339(service.clock.now()),
    )

    def transform(live: Obj) -> Obj:
        result = apply_config(live, application)
        if not meta.get("resourceVersion"):
            result["metadata"].pop("resourceVersion", None)
        return result

    try:
        return reply(call, resource, await service.pipeline.update(attributes, transform))
    except StatusError as fault:
        if fault.code != 404 or call.target.subresource or service.pipeline.latest(attributes) is not None:
            raise
    if isinstance(meta, dict) and meta.get("uid"):
        why = (
            f"uid mismatch: the provided object specified uid {meta['uid']}, and no existing object was found"
        )
        raise conflict(resource.plural, resource.group, call.target.name, why)
    outcome = await service.pipeline.create(
        replace(attributes, operation="CREATE"), apply_config(None, application)
    )
    return reply(call, resource, outcome, 201)


def reply(call: Call, resource: Resource, outcome: Outcome, code: int = 200) -> Reply:
    """What a write left, in the shape that the client wants."""
    shape = shape_of_one(call.headers.get("accept", ""))
    obj = outcome.obj
    if shape is Shape.TABLE:
        version = obj["metadata"].get("resourceVersion", "")
        return Reply(table_of(resource, [obj], version, included(call)), code)
    if shape is not Shape.OBJECT:
        return Reply(partial_object(obj), code)
    return Reply(obj, code)


async def _options(call: Call) -> Obj:
    body = await read_body(call.receive)
    given: Obj = decode_object(body, call.headers.get("content-type", "")) if body.strip() else {}
    for name in ("propagationPolicy", "orphanDependents", "gracePeriodSeconds"):
        if name in call.query and name not in given:
            given[name] = call.number(name) if name == "gracePeriodSeconds" else call.parameter(name)
    if given.get("dryRun"):
        call.query["dryRun"] = list(given["dryRun"])
    return given


async def delete_object(call: Call, service: Service, resource: Resource) -> Reply:
    given = await _options(call)
    options = parse_options(given)
    outcome = await service.deleter.delete(attributes_of(call, resource, "DELETE"), options)
    if not outcome.deleted or resource.plural in ("namespaces", "pods"):
        return reply(call, resource, outcome)
    details = {"name": call.target.name, "group": resource.group, "kind": resource.plural}
    details["uid"] = outcome.obj["metadata"].get("uid", "")
    return Reply(
        {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Success",
            "details": {name: value for name, value in details.items() if value},
        }
    )


async def delete_collection(call: Call, service: Service, resource: Resource) -> Reply:
    options = parse_options(await _options(call))
    attributes = attributes_of(call, resource, "DELETE")
    selection = select(call, resource)
    shelf = service.store.shelf(resource.shelf)
    rows = [row for row in shelf.in_order(selection.namespace) if selection.matches(row)]
    limiter = anyio.CapacityLimiter(_DELETES_AT_ONCE)
    faults: list[StatusError] = []
    async with anyio.create_task_group() as group:
        for row in rows:
            one = for_name(attributes, row.name, row.namespace)
            group.start_soon(_delete_one, service, one, options, limiter, faults)
    if faults:
        raise faults[0]
    meta = {"resourceVersion": str(service.store.revision)}
    await service.conversions.prepare(rows, resource)
    items = [decode(row, resource) for row in rows]
    return Reply(
        {"kind": resource.list_kind, "apiVersion": resource.api_version, "metadata": meta, "items": items}
    )


async def _delete_one(
    service: Service,
    attributes: Attributes,
    options: DeleteOptions,
    limiter: anyio.CapacityLimiter,
    faults: list[StatusError],
) -> None:
    async with limiter:
        try:
            await service.deleter.delete(attributes, options)
        except StatusError as fault:
            if fault.code != 404:  # gone already is what was asked for
                faults.append(fault)


def require_name(call: Call, resource: Resource) -> None:
    """Raises: StatusError 404 without a name in the path."""
    if not call.target.name:
        raise not_found(resource.plural, resource.group, "")
