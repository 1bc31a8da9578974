"""watch: a stream of a resource's changes from a revision on."""

import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import anyio
import orjson

from virtdeck.serving.chunks import chunks_of, frame
from virtdeck.standalone.apiserver.objects.versions import decode, serve
from virtdeck.standalone.apiserver.printing.shapes import partial_object, table_of
from virtdeck.standalone.apiserver.problems import (
    StatusError,
    bad_request,
    not_acceptable,
    status_of,
    too_old,
)
from virtdeck.standalone.apiserver.requests.answers import stream_headers
from virtdeck.standalone.apiserver.requests.call import Call
from virtdeck.standalone.apiserver.requests.list_options import (
    asked_revision,
    check_list_options,
    included,
    of_the_future,
)
from virtdeck.standalone.apiserver.requests.negotiation import Shape, wanted_shape, wants_json_stream
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.storage.rows import Row, moved_row
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.timeline import Change, Event
from virtdeck.standalone.apiserver.verbs.reading import Selection, select

_DEFAULT_SECONDS = (1800, 3600)  # a watch without timeoutSeconds ends somewhere in here, as in kube-apiserver
_BOOKMARK_SECONDS = 60.0
_EVENTS_AT_ONCE = 256
_EVENTS_PUSHED = 32
_PIECE_BYTES = 256 * 1024  # what a watcher that reads nothing may cost, beside one event of any size
_INITIAL_END = {"k8s.io/initial-events-end": "true"}


@dataclass(frozen=True)
class _Feed:
    """What one watcher gets: which objects, in which shape, with how much of each."""

    resource: Resource
    selection: Selection
    shape: Shape
    include: str

    def line(self, event: Event) -> bytes | None:
        """The event as this watcher sees it; None if it does not concern it."""
        change = self._change(event)
        if change is None:
            return None
        mark = (change, self.resource, self.shape, self.include)
        line = event.lines.get(mark)
        if line is None:
            line = event.lines[mark] = self.encode(change.value, self._shown(change, event))
        return line

    def framed(self, event: Event) -> bytes:
        """The same as a chunk of the answer; empty if it does not concern this watcher."""
        line = self.line(event)
        if line is None:
            return b""
        framed = event.lines.get(line)
        if framed is None:
            framed = event.lines[line] = frame(line)
        return framed

    def _shown(self, change: Change, event: Event) -> Row:
        """The object as it is; one that is no longer selected as it was, at the version of the change."""
        if change is not Change.DELETED or event.change is Change.DELETED or event.before is None:
            return event.row
        return moved_row(event.before, event.row.revision)

    def _change(self, event: Event) -> Change | None:
        now = event.change is not Change.DELETED and self.selection.matches(event.row)
        before = event.before is not None and self.selection.matches(event.before)
        if now:
            return Change.MODIFIED if before else Change.ADDED
        return Change.DELETED if before else None

    def encode(self, kind: str, row: Row) -> bytes:
        return b'{"type":"%b","object":%b}\n' % (kind.encode(), self._object(row))

    def _object(self, row: Row) -> bytes:
        match self.shape:
            case Shape.TABLE:
                table = table_of(self.resource, [decode(row, self.resource)], str(row.revision), self.include)
                return orjson.dumps(table)
            case Shape.PARTIAL | Shape.PARTIAL_LIST:
                return orjson.dumps(partial_object(decode(row, self.resource)))
        return serve(row, self.resource)

    def bookmark(self, revision: int, annotations: dict[str, str] | None = None) -> bytes:
        meta: dict[str, object] = {"resourceVersion": str(revision), "creationTimestamp": None}
        if annotations:
            meta["annotations"] = annotations
        obj: dict[str, object] = {
            "kind": self.resource.kind,
            "apiVersion": self.resource.api_version,
            "metadata": meta,
        }
        if self.shape is Shape.TABLE:
            obj = {
                "kind": "Table",
                "apiVersion": "meta.k8s.io/v1",
                "metadata": {"resourceVersion": str(revision)},
                "columnDefinitions": [], "rows": [],
            }  # fmt: skip
        elif self.shape is not Shape.OBJECT:
            obj |= {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1"}
        return b'{"type":"BOOKMARK","object":%b}\n' % orjson.dumps(obj)


class Watch:
    """One watcher's stream."""

    def __init__(self, call: Call, service: Service, resource: Resource) -> None:
        self._call = call
        self._store = service.store
        self._conversions = service.conversions
        self._shelf: Shelf = service.store.shelf(resource.shelf)
        accept = call.headers.get("accept", "")
        if not wants_json_stream(accept):
            raise not_acceptable(("application/json;stream=watch",))
        shape = wanted_shape(accept)
        self._feed = _Feed(resource, select(call, resource), shape, included(call))
        self._bookmarks = call.flag("allowWatchBookmarks")
        self._position = self._shelf.timeline.end
        self._begin = self._store.revision
        self._initial: list[Row] | None = None
        self._chunks = chunks_of(call.scope)
        self._start()

    def _start(self) -> None:
        """Where the stream begins. Raises: StatusError 400, 410, 504."""
        check_list_options(self._call)
        asked = asked_revision(self._call)
        everything = self._call.flag("sendInitialEvents")
        if everything and self._call.parameter("resourceVersionMatch") != "NotOlderThan":
            raise bad_request("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan")
        if asked is not None and asked > self._store.revision:
            raise of_the_future(asked, self._store.revision)
        if everything or ((asked is None or asked == 0) and "sendInitialEvents" not in self._call.query):
            selection = self._feed.selection
            self._initial = [
                row for row in self._shelf.in_order(selection.namespace) if selection.matches(row)
            ]
        elif asked:
            if asked < self._shelf.timeline.horizon:
                raise too_old(asked, self._shelf.timeline.horizon)
            self._position = self._shelf.timeline.position_after(asked)
        self._ends_initial = everything

    async def run(self) -> None:
        """The stream has been sent until its time is over, the client went away or it fell too far behind."""
        seconds = self._call.number("timeoutSeconds") or random.randint(*_DEFAULT_SECONDS)  # noqa: S311
        head = stream_headers("application/json", self._call.warnings)
        await self._call.send({"type": "http.response.start", "status": 200, "headers": head})
        await self._send(b"")  # the client knows that the watch stands before anything happens
        async with anyio.create_task_group() as group:
            group.start_soon(self._wait_gone, group.cancel_scope)
            with anyio.move_on_after(seconds):
                await self._stream_or_tell()
            group.cancel_scope.cancel()
        await self._call.send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _wait_gone(self, scope: anyio.CancelScope) -> None:
        while (await self._call.receive())["type"] != "http.disconnect":
            pass
        scope.cancel()

    async def _stream_or_tell(self) -> None:
        """The stream, or why it cannot go on."""
        try:
            await self._stream()
        except StatusError as fault:
            await self._send(b'{"type":"ERROR","object":%b}\n' % orjson.dumps(status_of(fault)))

    async def _stream(self) -> None:
        await self._convert(self._initial or ())
        for chunk in self._initial_chunks():
            await self._send(chunk)
        marked = time.monotonic()
        while True:
            events = self._shelf.timeline.since(self._position, _EVENTS_AT_ONCE)
            if events is None:
                fault = too_old(self._shelf.timeline.horizon - 1, self._shelf.timeline.horizon)
                await self._send(b'{"type":"ERROR","object":%b}\n' % orjson.dumps(status_of(fault)))
                return
            if events:
                await self._convert(row for event in events for row in (event.row, event.before))
                taken, piece = _fill(map(self._feed.line, events))
                self._position += taken
                if piece:
                    await self._send(piece)
                continue
            if self._bookmarks and time.monotonic() - marked >= _BOOKMARK_SECONDS:
                marked = time.monotonic()
                await self._send(self._feed.bookmark(self._store.revision))
                continue
            with anyio.move_on_after(_BOOKMARK_SECONDS if self._bookmarks else None):
                await self._shelf.wait_change(self._push)

    def _push(self) -> bool:
        """What is new went out at once, without a turn of this watch's own; False when that cannot be."""
        if self._chunks is None or not self._chunks.ready or self._feed.resource.conversion is not None:
            return False
        events = self._shelf.timeline.since(self._position, _EVENTS_PUSHED)
        if events is None or len(events) == _EVENTS_PUSHED:
            return False
        try:
            frames = b"".join([self._feed.framed(event) for event in events])
        except Exception:  # its own turn will meet it again, and answer for it
            return False
        self._position += len(events)
        if frames:
            self._chunks.write(frames)
        return True

    async def _convert(self, rows: Iterable[Row | None]) -> None:
        """The rows can be shown, where that needs a webhook. Raises: StatusError 500."""
        if self._feed.resource.conversion is not None:
            await self._conversions.prepare(rows, self._feed.resource)

    def _initial_chunks(self) -> Iterator[bytes]:
        if self._initial is None:
            return
        rows, self._initial = iter(self._initial), []
        lines = (self._feed.encode("ADDED", row) for row in rows)
        while piece := _fill(lines)[1]:
            yield piece
        if self._ends_initial and self._bookmarks:
            yield self._feed.bookmark(self._begin, _INITIAL_END)

    async def _send(self, body: bytes) -> None:
        await self._call.send({"type": "http.response.body", "body": body, "more_body": True})


def _fill(lines: Iterator[bytes | None]) -> tuple[int, bytes]:
    """How many of the next lines were taken, and they as one piece; None counts and says nothing."""
    taken, size = 0, 0
    piece: list[bytes] = []
    for line in islice(lines, _EVENTS_AT_ONCE):
        taken += 1
        if line is not None:
            piece.append(line)
            size += len(line)
            if size >= _PIECE_BYTES:
                break
    return taken, b"".join(piece)
