"""delete and deletecollection: preconditions, grace, propagation and finalizers."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from virtdeck.basis.clock import Clock, rfc3339
from virtdeck.basis.errors import Cause, Conflict
from virtdeck.standalone.apiserver.objects.versions import decode, to_stored
from virtdeck.standalone.apiserver.problems import bad_request, conflict, invalid
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.storage.rows import Row
from virtdeck.standalone.apiserver.storage.store import Store
from virtdeck.standalone.apiserver.verbs.attributes import Attributes
from virtdeck.standalone.apiserver.verbs.pipeline import Admission, Outcome, Pipeline, guarded, is_finished

Obj = dict[str, Any]

FOREGROUND = "foregroundDeletion"
ORPHAN = "orphan"
_POLICIES = ("Foreground", "Background", "Orphan")
_FINALIZER_OF = {"Foreground": FOREGROUND, "Orphan": ORPHAN}
_TRIES = 10
_MARKS = ("deletionTimestamp", "deletionGracePeriodSeconds", "finalizers", "generation")
_LONGEST_SECONDS = 2**31 - 1  # 68 years: a moment beyond the calendar cannot be written


@dataclass(frozen=True)
class DeleteOptions:
    """metav1.DeleteOptions. propagation: empty for the kind's default, which is Background."""

    grace_seconds: int | None = None
    uid: str = ""
    resource_version: str = ""
    propagation: str = ""


def parse_options(given: Obj) -> DeleteOptions:
    """The options of a body or query. Raises: StatusError 400, 422."""
    kind, version = given.get("kind") or "DeleteOptions", given.get("apiVersion") or "v1"
    if kind != "DeleteOptions":
        raise bad_request(f'no kind "{kind}" is registered for version "{version}" as options')
    propagation = given.get("propagationPolicy") or ""
    if causes := _causes_of_propagation(propagation, given.get("orphanDependents")):
        raise invalid("DeleteOptions", "meta.k8s.io", "", causes)
    if given.get("orphanDependents") is not None and not propagation:
        propagation = "Orphan" if given["orphanDependents"] else "Background"
    grace = given.get("gracePeriodSeconds")
    if grace is not None and (not isinstance(grace, int) or isinstance(grace, bool)):
        raise bad_request("gracePeriodSeconds must be a number")
    held = given.get("preconditions") or {}
    if not isinstance(held, dict):
        raise bad_request("preconditions must be an object")
    return DeleteOptions(
        None if grace is None else max(grace, 0),
        held.get("uid") or "",
        held.get("resourceVersion") or "",
        propagation,
    )


def _causes_of_propagation(propagation: Any, orphan: Any) -> list[Cause]:
    path = "propagationPolicy"
    if propagation not in ("", *_POLICIES):
        shown = ", ".join(f'"{one}"' for one in (*_POLICIES, "nil"))
        text = f'Unsupported value: "{propagation}": supported values: {shown}'
        return [Cause(path, text, "FieldValueNotSupported")]
    if propagation and orphan is not None:
        why = "orphanDependents and deletionPropagation cannot be both set"
        return [Cause(path, f'Invalid value: "{propagation}": {why}')]
    return []


class Deleter:
    """Deletes objects, or marks them for whoever must act first."""

    def __init__(self, store: Store, pipeline: Pipeline, admission: Admission, clock: Clock) -> None:
        self._store = store
        self._pipeline = pipeline
        self._admission = admission
        self._clock = clock

    async def delete(self, attributes: Attributes, options: DeleteOptions) -> Outcome:
        """The object is gone, or marked as being deleted. Raises: StatusError 404, 409."""
        for _ in range(_TRIES):
            row = self._pipeline.require(attributes)
            self._check(attributes, options, row)
            await self._pipeline.conversions.prepare((row,), attributes.resource)
            old = decode(row, attributes.resource)
            await self._admission.validate(attributes, None, old)
            try:
                return await self._delete_row(attributes, options, row, old)
            except Conflict:
                continue
        raise conflict(attributes.plural, attributes.group, attributes.name)

    def _check(self, attributes: Attributes, options: DeleteOptions, row: Row) -> None:
        if options.uid and options.uid != row.uid:
            why = (
                f"the UID in the precondition ({options.uid}) does not match the UID in record ({row.uid}). "
                "The object might have been deleted and then recreated"
            )
            raise conflict(attributes.kind, attributes.group, attributes.name, why)
        if options.resource_version and options.resource_version != str(row.revision):
            why = (
                f"the ResourceVersion in the precondition ({options.resource_version}) does not match the "
                f"ResourceVersion in record ({row.revision}). The object might have been modified"
            )
            raise conflict(attributes.kind, attributes.group, attributes.name, why)

    async def _delete_row(
        self, attributes: Attributes, options: DeleteOptions, row: Row, old: Obj
    ) -> Outcome:
        obj = decode(row, attributes.resource)
        self._mark(obj, options)
        if attributes.dry_run:
            return Outcome(obj, None, deleted=is_finished(obj))
        if is_finished(obj):
            # Watchers see what was stored last; of a pod also that its grace is over.
            final = to_stored(obj, attributes.resource) if _has_grace(obj) else row.decode()
            gone = await guarded(self._store.remove(self._pipeline.shelf(attributes), row, final))
            return Outcome(obj, gone, deleted=True)
        if obj == old:
            await guarded(self._store.settled())
            return Outcome(old, row)
        stored = _marked_as_stored(row, obj, attributes.resource)
        shelf = self._pipeline.shelf(attributes)
        marked = await guarded(self._store.put(shelf, attributes.key, stored, row))
        obj["metadata"]["resourceVersion"] = str(marked.revision)
        return Outcome(obj, marked)

    def _mark(self, obj: Obj, options: DeleteOptions) -> None:
        meta = obj["metadata"]
        _set_propagation(meta, options.propagation)
        grace = _grace_of(obj, options.grace_seconds)
        if "deletionTimestamp" in meta:
            # A second delete may only hasten the first one.
            if grace >= meta.get("deletionGracePeriodSeconds", 0):
                return
        else:
            if meta.get("generation"):
                meta["generation"] += 1
            if _is_namespace(obj):
                obj.setdefault("status", {})["phase"] = "Terminating"
        meta["deletionTimestamp"] = rfc3339(
            self._clock.now() + timedelta(seconds=min(grace, _LONGEST_SECONDS))
        )
        if not _is_namespace(obj):
            meta["deletionGracePeriodSeconds"] = grace


def _is_namespace(obj: Obj) -> bool:
    return bool(obj["kind"] == "Namespace" and obj["apiVersion"] == "v1")


def _set_propagation(meta: Obj, propagation: str) -> None:
    if not propagation:
        return
    kept = [one for one in meta.get("finalizers") or () if one not in (FOREGROUND, ORPHAN)]
    if propagation in _FINALIZER_OF:
        kept.append(_FINALIZER_OF[propagation])
    if kept:
        meta["finalizers"] = kept
    else:
        meta.pop("finalizers", None)


def _grace_of(obj: Obj, asked: int | None) -> int:
    """Seconds that the object's owner gets: only pods that a node runs have any."""
    if not _has_grace(obj):
        return 0
    spec, status = obj.get("spec") or {}, obj.get("status") or {}
    if not spec.get("nodeName") or status.get("phase") in ("Succeeded", "Failed"):
        return 0
    grace = spec.get("terminationGracePeriodSeconds", 30) if asked is None else asked
    return int(grace)


def _marked_as_stored(row: Row, obj: Obj, resource: Resource) -> Obj:
    """The object as it is stored, with the marks of its deletion; they are in its metadata alone."""
    if resource.conversion is None:
        return to_stored(obj, resource)
    stored = row.decode()
    for name in _MARKS:
        if name in obj["metadata"]:
            stored["metadata"][name] = obj["metadata"][name]
    return stored


def _has_grace(obj: Obj) -> bool:
    return bool(obj["kind"] == "Pod" and obj["apiVersion"] == "v1")


def for_name(attributes: Attributes, name: str, namespace: str) -> Attributes:
    """The attributes of one object of a collection."""
    return replace(attributes, name=name, namespace=namespace)
