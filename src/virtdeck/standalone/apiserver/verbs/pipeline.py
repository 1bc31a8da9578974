"""The way of every write: settled, mutated, defaulted, validated, admitted, stored."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from anyio import CapacityLimiter, to_thread

from virtdeck.basis.clock import Clock, rfc3339
from virtdeck.basis.errors import Cause, Conflict, HostFault, Unready
from virtdeck.crds.names import generate_name
from virtdeck.standalone.apiserver.conversion.conversions import Conversions
from virtdeck.standalone.apiserver.objects.metadata import (
    causes_of_metadata,
    causes_of_metadata_change,
    causes_of_plain_finalizers,
    metadata_for_create,
    metadata_for_update,
    tidy,
)
from virtdeck.standalone.apiserver.objects.versions import decode
from virtdeck.standalone.apiserver.patching.managed_fields import (
    Writer,
    is_unchanged,
    track_create,
    track_update,
)
from virtdeck.standalone.apiserver.problems import (
    StatusError,
    already_exists,
    bad_request,
    conflict,
    invalid,
    not_found,
    too_many_requests,
)
from virtdeck.standalone.apiserver.resources.rules import Rules, Verdict
from virtdeck.standalone.apiserver.schema.lengthy import Lengthy
from virtdeck.standalone.apiserver.schema.typed import missing
from virtdeck.standalone.apiserver.storage.rows import Row
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.store import Store
from virtdeck.standalone.apiserver.verbs.attributes import Attributes
from virtdeck.standalone.apiserver.verbs.decoding import settle_object

Obj = dict[str, Any]
Transform = Callable[[Obj], Obj]
T = TypeVar("T")

_NAME_TRIES = 8
# Groups whose objects take any finalizer, as those of CRDs do.
_EXTENDING = ("apiextensions.k8s.io", "apiregistration.k8s.io", "admissionregistration.k8s.io")
_CONFLICT_TRIES = 10
_ASIDE = CapacityLimiter(1)  # more threads would take as long, and keep the event loop waiting


class Admission(Protocol):
    """Who may change or refuse a write before it is stored."""

    async def mutate(self, attributes: Attributes, obj: Obj, old: Obj | None) -> Obj:
        """The object as admission wants it. Raises: StatusError."""

    async def validate(self, attributes: Attributes, obj: Obj | None, old: Obj | None) -> None:
        """Returns if the write may be. Raises: StatusError."""


@dataclass(frozen=True)
class Outcome:
    """What a write left. row: None when nothing was stored (dry run)."""

    obj: Obj
    row: Row | None
    created: bool = False
    deleted: bool = False


class Pipeline:
    """Creates and updates objects."""

    def __init__(self, store: Store, admission: Admission, clock: Clock, conversions: Conversions) -> None:
        self._store = store
        self._admission = admission
        self._clock = clock
        self.conversions = conversions

    def shelf(self, attributes: Attributes) -> Shelf:
        return self._store.shelf(attributes.resource.shelf)

    def latest(self, attributes: Attributes) -> Row | None:
        return self._store.latest(self.shelf(attributes), attributes.key)

    def require(self, attributes: Attributes) -> Row:
        """The latest row of the object. Raises: StatusError 404."""
        row = self.latest(attributes)
        if row is None:
            raise not_found(attributes.plural, attributes.group, attributes.name)
        return row

    async def create(self, attributes: Attributes, given: Obj) -> Outcome:
        """A new object. Raises: StatusError."""
        obj = settle_object(given, attributes)
        if obj["metadata"].get("resourceVersion") not in (None, "", "0"):
            raise bad_request("resourceVersion should not be set on objects to be created")
        base = obj["metadata"].get("generateName") or ""
        if not obj["metadata"].get("name") and not base:
            raise _nameless(attributes)
        tries = _NAME_TRIES if not obj["metadata"].get("name") else 1
        for left in reversed(range(tries)):
            try:
                return await self._create_named(attributes, obj, base)
            except StatusError as fault:
                if fault.reason != "AlreadyExists" or not left:
                    raise
                del obj["metadata"]["name"]
        raise already_exists(attributes.plural, attributes.group, base)

    async def _create_named(self, attributes: Attributes, obj: Obj, base: str) -> Outcome:
        resource = attributes.resource
        meta = obj["metadata"]
        if not meta.get("name"):
            meta["name"] = generate_name(base)
        attributes = replace(attributes, name=meta["name"])
        metadata_for_create(obj, rfc3339(self._clock.now()))
        resource.rules.default(obj)
        if not attributes.settled:
            track_create(obj, self._writer(attributes))
        obj = settle_object(
            await self._admission.mutate(attributes, obj, None), replace(attributes, strictness="Ignore")
        )
        resource.rules.for_create(obj)
        tidy(obj["metadata"])
        await self._check(attributes, obj, None)
        stored = await self.conversions.stored(obj, resource)
        await self._admission.validate(attributes, obj, None)
        if self._store.latest(self.shelf(attributes), attributes.key) is not None:
            raise already_exists(attributes.plural, attributes.group, attributes.name)
        if attributes.dry_run:
            return Outcome(obj, None, created=True)
        row = await self._put(attributes, obj, stored, None)
        return Outcome(obj, row, created=True)

    async def admit(self, attributes: Attributes, obj: Obj) -> Obj:
        """What admission makes of something that is not stored, as an eviction. Raises: StatusError."""
        admitted = await self._admission.mutate(attributes, obj, None)
        await self._admission.validate(attributes, admitted, None)
        return admitted

    async def update(self, attributes: Attributes, transform: Transform, *, retry: bool = True) -> Outcome:
        """The object as ``transform`` makes it from the current one.

        A resourceVersion or uid in the result must be the current one; without, a concurrent write makes us
        transform again (if ``retry``). Raises: StatusError.
        """
        for left in reversed(range(_CONFLICT_TRIES)):
            row = self.require(attributes)
            try:
                return await self._update_row(attributes, row, transform)
            except Conflict as fault:
                if not left or not retry:
                    raise conflict(attributes.plural, attributes.group, attributes.name) from fault
        raise conflict(attributes.plural, attributes.group, attributes.name)

    async def _update_row(self, attributes: Attributes, row: Row, transform: Transform) -> Outcome:
        await self.conversions.prepare((row,), attributes.resource)
        old = decode(row, attributes.resource)
        obj = settle_object(transform(decode(row, attributes.resource)), attributes)
        conditional = self._check_version(attributes, obj, row)
        self._prepare(attributes, obj, old)
        if not attributes.settled:
            track_update(obj, old, self._writer(attributes))
        mutated = await self._admission.mutate(attributes, obj, old)
        if mutated is not obj:
            obj = settle_object(mutated, replace(attributes, strictness="Ignore"))
            self._prepare(attributes, obj, old)
        await self._check(attributes, obj, old)
        stored = await self.conversions.stored(obj, attributes.resource)
        await self._admission.validate(attributes, obj, old)
        if attributes.dry_run:
            return Outcome(obj, None)
        if is_unchanged(obj, old):
            await guarded(self._store.settled())  # the row may be a write that is still on its way
            return Outcome(old, row)
        try:
            return await self._put_or_finish(attributes, obj, stored, row)
        except Conflict as fault:
            if conditional:
                raise conflict(attributes.plural, attributes.group, attributes.name) from fault
            raise

    def _writer(self, attributes: Attributes) -> Writer:
        through = attributes.part or attributes.subresource
        return Writer(attributes.manager, attributes.resource, through, rfc3339(self._clock.now()))

    def _prepare(self, attributes: Attributes, obj: Obj, old: Obj) -> None:
        rules = attributes.resource.rules
        metadata_for_update(obj, old)
        if attributes.subresource == "status":
            rules.for_status(obj, old)
        else:
            rules.for_update(obj, old)
        tidy(obj["metadata"])
        obj["metadata"]["resourceVersion"] = old["metadata"]["resourceVersion"]

    def _check_version(self, attributes: Attributes, obj: Obj, row: Row) -> bool:
        """Whether the write is bound to one version of the object."""
        meta = obj["metadata"]
        if meta.get("uid") and meta["uid"] != row.uid:
            why = f"Precondition failed: UID in precondition: {meta['uid']}, UID in object meta: {row.uid}"
            raise conflict(attributes.plural, attributes.group, attributes.name, why)
        version = meta.get("resourceVersion")
        if not version:
            return False
        if not version.isdecimal():
            raise bad_request(f'strconv.ParseUint: parsing "{version}": invalid syntax')
        if version != str(row.revision):
            raise conflict(attributes.plural, attributes.group, attributes.name)
        return True

    async def _check(self, attributes: Attributes, obj: Obj, old: Obj | None) -> None:
        resource, rules, meta = attributes.resource, attributes.resource.rules, obj["metadata"]
        causes = causes_of_metadata(
            meta, rules.faults_of_name(meta["name"]) if old is None else [], resource.namespaced
        )
        if not causes and not resource.is_custom and resource.group not in _EXTENDING:
            causes += causes_of_plain_finalizers(meta)
        if old is not None:
            causes += causes_of_metadata_change(meta, old["metadata"])
        if not causes and attributes.subresource != "status" and not _names_absent(attributes):
            causes += missing(obj, resource.type_name)
        if not causes:
            verdict = await _judged(rules, obj, old)
            causes += verdict.causes
            for text in verdict.warnings:
                attributes.warn(text)
        if not causes and old is not None and not attributes.subresource:
            causes += rules.causes_of_update(obj, old)
        if causes:
            raise invalid(resource.kind, resource.group, meta.get("name") or "", causes)

    async def _put_or_finish(self, attributes: Attributes, obj: Obj, stored: Obj, row: Row) -> Outcome:
        """Stores the object; one that was only waiting for its last finalizer is gone instead."""
        if is_finished(obj):
            gone = await guarded(self._store.remove(self.shelf(attributes), row, row.decode()))
            return Outcome(obj, gone, deleted=True)
        made = await self._put(attributes, obj, stored, row)
        return Outcome(obj, made)

    async def _put(self, attributes: Attributes, obj: Obj, stored: Obj, expected: Row | None) -> Row:
        try:
            row = await guarded(self._store.put(self.shelf(attributes), attributes.key, stored, expected))
        except Conflict as fault:
            if expected is None:
                raise already_exists(attributes.plural, attributes.group, attributes.name) from fault
            raise
        obj["metadata"]["resourceVersion"] = str(row.revision)
        return row


async def _judged(rules: Rules, obj: Obj, old: Obj | None) -> Verdict:
    """What the kind's rules say; those that take long keep nobody else waiting."""
    try:
        return rules.verdict(obj, old)
    except Lengthy:
        return await to_thread.run_sync(rules.verdict_aside, obj, old, limiter=_ASIDE)


async def guarded(writing: Awaitable[T]) -> T:
    """The store's answer, its troubles as a client must see them. Raises: Conflict, StatusError."""
    try:
        return await writing
    except Unready as fault:
        raise too_many_requests(fault.message) from fault
    except HostFault as fault:
        full = fault.reason == "StorageExhausted"
        raise StatusError(
            fault.message, *((fault.reason, 507) if full else ("InternalError", 500))
        ) from fault


def is_finished(obj: Obj) -> bool:
    """Whether a deletion has nothing left to wait for."""
    meta = obj["metadata"]
    if "deletionTimestamp" not in meta or meta.get("finalizers"):
        return False
    if obj["kind"] == "Namespace" and obj["apiVersion"] == "v1" and obj.get("spec", {}).get("finalizers"):
        return False
    return not meta.get("deletionGracePeriodSeconds")


def _names_absent(attributes: Attributes) -> bool:
    """Whether the kind's own rules name what must be there."""
    return attributes.resource.is_custom or attributes.resource.rules.checks_presence


def _nameless(attributes: Attributes) -> StatusError:
    text = "Required value: name or generateName is required"
    causes = [Cause("metadata.name", text, "FieldValueRequired")]
    return invalid(attributes.kind, attributes.group, "", causes)
