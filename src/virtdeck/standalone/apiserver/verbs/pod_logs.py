"""pods/log: a container's log file, as the pod runner keeps it."""

import os
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import anyio

from virtdeck.basis.clock import parse_rfc3339
from virtdeck.basis.errors import Absent
from virtdeck.safety.paths import UnsafePath, open_trusted
from virtdeck.standalone.apiserver.problems import StatusError, bad_request, not_found
from virtdeck.standalone.apiserver.requests.answers import stream_headers
from virtdeck.standalone.apiserver.requests.call import Call
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.storage.rows import Row

_READ_BYTES = 256 * 1024
_FOLLOW_SECONDS = 0.5


@dataclass(frozen=True)
class LogOptions:
    """What of the log is wanted."""

    follow: bool
    timestamps: bool
    tail_lines: int | None
    since: float | None  # seconds since 1970
    limit_bytes: int | None


def log_options(call: Call) -> LogOptions:
    """The options in the query. Raises: StatusError 400."""
    since = call.number("sinceSeconds")
    begin = None if since is None else time.time() - since
    if text := call.parameter("sinceTime"):
        try:
            begin = parse_rfc3339(text).timestamp()
        except ValueError as fault:
            raise bad_request(f"sinceTime {text!r} is no time") from fault
    return LogOptions(
        call.flag("follow"),
        call.flag("timestamps"),
        call.number("tailLines"),
        begin,
        call.number("limitBytes"),
    )


async def send_log(call: Call, service: Service) -> None:
    """The log has been sent, to its end or, followed, to the container's. Raises: StatusError."""
    if not service.settings.log_dir:
        raise StatusError("logs are not kept on this server", "NotImplemented", 501)
    row = service.store.shelf("/pods").get((call.target.namespace, call.target.name))
    if row is None:
        raise not_found("pods", "", call.target.name)
    options = log_options(call)
    file = _open(service.settings.log_dir, row, _container(call, row))
    await call.send(
        {"type": "http.response.start", "status": 200, "headers": stream_headers("text/plain", call.warnings)}
    )
    if file is not None:
        with os.fdopen(file, "rb", buffering=0) as log:
            await _Sender(call, service, row, options).send(log.fileno())
    await call.send({"type": "http.response.body", "body": b"", "more_body": False})


def _container(call: Call, row: Row) -> str:
    names = [one["name"] for one in row.decode()["spec"].get("containers") or ()]
    asked = call.parameter("container")
    if not asked and len(names) > 1:
        shown = " ".join(names)
        raise bad_request(f"a container name must be specified for pod {row.name}, choose one of: [{shown}]")
    if asked and asked not in names:
        raise bad_request(f"container {asked} is not valid for pod {row.name}")
    return asked or names[0]


def _open(log_dir: str, row: Row, container: str) -> int | None:
    """The file's descriptor; None while the container has not written anything."""
    try:
        with open_trusted(log_dir) as folder:
            return folder.open_file(f"{row.namespace}_{row.name}_{row.uid}/{container}.log")
    except Absent:
        return None
    except UnsafePath as fault:
        raise StatusError(f"the log cannot be read: {fault}", "InternalError", 500) from fault


class _Sender:
    """Sends one log to one client."""

    def __init__(self, call: Call, service: Service, row: Row, options: LogOptions) -> None:
        self._call = call
        self._pods = service.store.shelf("/pods")
        self._row = row
        self._options = options
        self._left = options.limit_bytes

    async def send(self, descriptor: int) -> None:
        lines = _lines(descriptor, b"")
        if self._options.tail_lines is not None:
            lines = iter(deque(lines, maxlen=self._options.tail_lines))
        rest = b""
        for line in lines:
            if not line.endswith(b"\n"):
                rest = line
                continue
            await self._write(line)
        if not self._options.follow:
            if rest:
                await self._write(rest)
            return
        async with anyio.create_task_group() as group:
            group.start_soon(self._wait_gone, group.cancel_scope)
            await self._follow(descriptor, rest)
            group.cancel_scope.cancel()

    async def _follow(self, descriptor: int, rest: bytes) -> None:
        while self._left is None or self._left > 0:
            ended = self._has_ended()
            for line in _lines(descriptor, rest):
                rest = b"" if line.endswith(b"\n") else line
                if not rest:
                    await self._write(line)
            if ended:
                return
            await anyio.sleep(_FOLLOW_SECONDS)

    def _has_ended(self) -> bool:
        row = self._pods.get(self._row.key)
        if row is None or row.uid != self._row.uid:
            return True
        return row.decode().get("status", {}).get("phase") in ("Succeeded", "Failed")

    async def _wait_gone(self, scope: anyio.CancelScope) -> None:
        while (await self._call.receive())["type"] != "http.disconnect":
            pass
        scope.cancel()

    async def _write(self, line: bytes) -> None:
        stamp, text = split_line(line)
        if self._options.since is not None and stamp and _seconds(stamp) < self._options.since:
            return
        if self._options.timestamps and stamp:
            text = stamp + b" " + text
        if self._left is not None:
            text = text[: self._left]
            self._left -= len(text)
        if text:
            await self._call.send({"type": "http.response.body", "body": text, "more_body": True})


def _lines(descriptor: int, rest: bytes) -> Iterator[bytes]:
    """Lines from where the descriptor stands; the last one may have no end yet."""
    while data := os.read(descriptor, _READ_BYTES):
        *whole, rest = (rest + data).split(b"\n")
        yield from (line + b"\n" for line in whole)
    if rest:
        yield rest


def split_line(line: bytes) -> tuple[bytes, bytes]:
    """Time and text of a line in the CRI's form (``time stream tag text``); no time for any other line."""
    parts = line.split(b" ", 3)
    if len(parts) == 4 and parts[1] in (b"stdout", b"stderr") and parts[2] in (b"F", b"P"):
        text = parts[3]
        return parts[0], text[:-1] if parts[2] == b"P" and text.endswith(b"\n") else text
    return b"", line


def _seconds(stamp: bytes) -> float:
    try:
        return datetime.fromisoformat(stamp[:19].decode()).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0
