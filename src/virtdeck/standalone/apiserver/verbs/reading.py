"""get and list."""

import base64
import binascii
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import anyio.lowlevel
import orjson

from virtdeck.standalone.apiserver.objects.selectors import (
    FieldSelector,
    LabelSelector,
    parse_field_selector,
    parse_label_selector,
    read_field,
)
from virtdeck.standalone.apiserver.objects.versions import decode, is_ready, serve
from virtdeck.standalone.apiserver.printing.shapes import partial_list, partial_object, table_of
from virtdeck.standalone.apiserver.problems import bad_request, expired, not_found
from virtdeck.standalone.apiserver.requests.call import Call, Pieces, Reply
from virtdeck.standalone.apiserver.requests.list_options import (
    asked_revision,
    check_list_options,
    included,
    of_the_future,
)
from virtdeck.standalone.apiserver.requests.negotiation import Shape, shape_of_many, shape_of_one
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.storage.rows import Key, Row
from virtdeck.standalone.apiserver.storage.shelf import Shelf

_ROWS_AT_ONCE = 200
_BAD_TOKEN = "invalid continue token: continue key is not valid: it cannot be decoded"  # noqa: S105 - no secret
_ALWAYS_SELECTABLE = frozenset({"metadata.name", "metadata.namespace"})


@dataclass(frozen=True)
class Selection:
    """Which objects of a resource are asked for."""

    namespace: str | None  # None: of all
    labels: LabelSelector
    fields: FieldSelector
    resource: Resource | None = None  # in whose version to look at fields, where versions differ in them

    def matches(self, row: Row) -> bool:
        """Whether the object is asked for; decodes it only when the fields must be looked at."""
        if self.namespace is not None and row.namespace != self.namespace:
            return False
        if self.labels and not self.labels.matches(row.labels):
            return False
        return not self.fields or self._fields_match(row)

    def among(self, shelf: Shelf) -> Iterator[Row]:
        """The shelf's rows that are asked for, by key; few others are looked at when a label is fixed."""
        return filter(self.matches, self.candidates(shelf))

    def candidates(self, shelf: Shelf) -> Iterator[Row]:
        """The shelf's rows that may be asked for, by key."""
        for requirement in self.labels.requirements:
            if requirement.operator == "In":
                return shelf.labelled(requirement.key, requirement.values, self.namespace)
        return shelf.in_order(self.namespace)

    def _fields_match(self, row: Row) -> bool:
        rest = self.fields.without("metadata.name", "metadata.namespace")
        for path, value in (("metadata.name", row.name), ("metadata.namespace", row.namespace)):
            wanted = self.fields.fixed(path)
            if wanted is not None and wanted != value:
                return False
        if not rest:
            return True
        resource = self.resource
        obj = decode(row, resource) if resource and is_ready(row, resource) else row.decode()
        return rest.matches(lambda path: read_field(obj, path))


def select(call: Call, resource: Resource) -> Selection:
    """What the request selects. Raises: StatusError 400."""
    allowed = _ALWAYS_SELECTABLE | resource.rules.selectable
    plain = not resource.is_custom and not resource.rules.selectable
    return Selection(
        (call.target.namespace or None) if resource.namespaced else None,
        parse_label_selector(call.parameter("labelSelector")),
        parse_field_selector(call.parameter("fieldSelector"), allowed, plain=plain),
        resource if resource.conversion is not None else None,
    )


async def get_object(call: Call, service: Service, resource: Resource) -> Reply:
    """One object. Raises: StatusError 400, 404, 504."""
    asked = asked_revision(call)
    if asked is not None and asked > service.store.revision:
        raise of_the_future(asked, service.store.revision)
    namespace = call.target.namespace if resource.namespaced else ""
    row = service.store.shelf(resource.shelf).get((namespace, call.target.name))
    if row is None:
        raise not_found(resource.plural, resource.group, call.target.name)
    await service.conversions.prepare((row,), resource)
    return present(call, resource, row)


def present(call: Call, resource: Resource, row: Row, code: int = 200) -> Reply:
    """The row in the shape that the client wants."""
    match shape_of_one(call.headers.get("accept", "")):
        case Shape.TABLE:
            table = table_of(resource, [decode(row, resource)], str(row.revision), included(call))
            return Reply(table, code)
        case Shape.PARTIAL:
            return Reply(partial_object(decode(row, resource)), code)
    return Reply(serve(row, resource), code)


async def list_objects(call: Call, service: Service, resource: Resource) -> Reply:
    """All selected objects, or a page of them. Raises: StatusError 400, 410, 504."""
    check_list_options(call)
    shape = shape_of_many(call.headers.get("accept", ""))
    shelf = service.store.shelf(resource.shelf)
    selection = select(call, resource)
    if resource.conversion is not None and selection.fields:
        await service.conversions.prepare(selection.candidates(shelf), resource)
    page = _read_page(call, shelf, selection, service.store.revision)
    await service.conversions.prepare(page.rows, resource)
    meta: dict[str, object] = {"resourceVersion": str(page.revision)}
    if page.token:
        meta["continue"] = page.token
        if page.remaining is not None:
            meta["remainingItemCount"] = page.remaining
    if shape is Shape.TABLE:
        table = table_of(resource, [], str(page.revision))
        table["metadata"] = meta
        async for part in _in_parts(page.rows):
            objects = [decode(row, resource) for row in part]
            table["rows"] += table_of(resource, objects, "", included(call))["rows"]
        return Reply(table)
    if shape is Shape.PARTIAL_LIST:
        return Reply(partial_list([decode(row, resource) for row in page.rows], meta))
    return Reply(_join(resource, meta, page.rows))


async def _in_parts(rows: list[Row]) -> AsyncIterator[list[Row]]:
    """The rows in parts, so that a list of thousands does not keep everybody else waiting."""
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        yield rows[start : start + _ROWS_AT_ONCE]
        await anyio.lowlevel.checkpoint()


def _join(resource: Resource, meta: dict[str, object], rows: Iterable[Row]) -> Pieces:
    head = orjson.dumps({"kind": resource.list_kind, "apiVersion": resource.api_version, "metadata": meta})
    pieces = Pieces([head[:-1], b',"items":['])
    for row in rows:
        pieces.append(serve(row, resource))
        pieces.append(b",")
    if pieces[-1] == b",":
        pieces.pop()
    pieces.append(b"]}")
    return pieces


@dataclass(frozen=True)
class _Page:
    rows: list[Row]
    revision: int
    token: str = ""
    remaining: int | None = None


def _read_page(call: Call, shelf: Shelf, selection: Selection, current: int) -> _Page:
    limit = max(call.number("limit") or 0, 0)
    if call.parameter("resourceVersion") == "0":
        limit = 0  # whoever takes any version takes it whole, as from kube-apiserver's cache
    after: Key | None = None
    if token := call.parameter("continue"):
        revision, after = _decode_token(token)
        if not 0 < revision <= current:
            raise bad_request(_BAD_TOKEN)
    else:
        revision = _revision(call, shelf, current)
    if after is None and revision == current:
        wanted = selection.among(shelf)
    else:
        rows = shelf.at(revision, selection.namespace, after)
        if rows is None:
            raise expired(
                "The provided continue parameter is too old to display a consistent list result. You can "
                "start a new list without the continue parameter."
            )
        wanted = filter(selection.matches, rows)
    if not limit:
        return _Page(list(wanted), revision)
    found = list(islice(wanted, limit))
    if next(wanted, None) is None:
        return _Page(found, revision)
    filtered = bool(selection.labels or selection.fields)
    rest = None if filtered else shelf.count(selection.namespace, found[-1].key, revision)
    return _Page(found, revision, _encode_token(revision, found[-1].key), rest)


def _revision(call: Call, shelf: Shelf, current: int) -> int:
    """The revision that the list shall show."""
    asked = asked_revision(call)
    match = call.parameter("resourceVersionMatch")
    if asked is None or asked == 0:
        return current
    if asked > current:
        raise of_the_future(asked, current)
    if match != "Exact" and not (call.number("limit") and not match):
        return current
    if shelf.timeline.horizon > asked:
        raise expired(f"The resourceVersion for the provided list is too old ({asked}).")
    return asked


def _encode_token(revision: int, last: Key) -> str:
    return base64.urlsafe_b64encode(orjson.dumps([revision, *last])).decode().rstrip("=")


def _decode_token(token: str) -> tuple[int, Key]:
    try:
        revision, namespace, name = orjson.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        if type(revision) is int and isinstance(namespace, str) and isinstance(name, str):
            return revision, (namespace, name)
    except (binascii.Error, ValueError, TypeError) as fault:
        raise bad_request(_BAD_TOKEN) from fault
    raise bad_request(_BAD_TOKEN)
