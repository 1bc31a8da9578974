"""How long a write takes to reach the last of many watchers: raw connections in a process of their own."""

import asyncio
import json
import statistics
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

import uvloop
from bench.api_sides import VMS, Side


@dataclass(frozen=True)
class FanOut:
    """Seconds from before the write until the last watcher had its event: median and 95 of 100."""

    median: float
    p95: float


class _Watcher(asyncio.Protocol):
    """Looks for the mark of the newest write in whatever comes."""

    mark = b"\0"
    missing = 0
    done: asyncio.Event

    def __init__(self, head: bytes) -> None:
        self._head = head
        self._tail = b""
        self._open = False
        self._seen = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.write(self._head)  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        kind = type(self)
        if not self._open:
            self._open = True
            kind.missing -= 1
        elif self._seen != kind.mark and kind.mark in self._tail + data:
            self._seen = kind.mark
            kind.missing -= 1
        self._tail = data[-64:]
        if not kind.missing:
            kind.done.set()


async def measure(side: Side, watchers: int, writes: int, body: str) -> FanOut:
    """That many watches of VirtualMachines, told of that many creates, one after another."""
    host = urlsplit(side.url)
    server, port = str(host.hostname), int(host.port or 443)
    auth = f"Host: {host.netloc}\r\nAuthorization: Bearer {side.token}\r\n"
    newest = json.loads(side.call("GET", f"{VMS}?limit=1"))["metadata"]["resourceVersion"]
    head = f"GET {VMS}?watch=1&resourceVersion={newest}&timeoutSeconds=600 HTTP/1.1\r\n{auth}\r\n".encode()
    loop = asyncio.get_running_loop()
    _Watcher.done, _Watcher.missing = asyncio.Event(), watchers
    transports = []
    for _ in range(watchers):
        made, _protocol = await loop.create_connection(lambda: _Watcher(head), server, port, ssl=side.context)
        transports.append(made)
    await asyncio.wait_for(_Watcher.done.wait(), 60)
    reader, writer = await asyncio.open_connection(server, port, ssl=side.context)
    times = []
    for number in range(writes):
        await asyncio.sleep(0.05)
        name = f"fan-{number:05}"
        _Watcher.done.clear()
        _Watcher.mark, _Watcher.missing = f'"name":"{name}"'.encode(), watchers
        text = body.replace("NAME", name).encode()
        kind = f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n"
        sent = f"POST {VMS} HTTP/1.1\r\n{auth}{kind}\r\n"
        begun = time.perf_counter()
        writer.write(sent.encode() + text)
        await asyncio.wait_for(_Watcher.done.wait(), 60)
        times.append(time.perf_counter() - begun)
        await reader.read(65536)
    for one in transports:
        one.abort()
    writer.transport.abort()
    times.sort()
    return FanOut(statistics.median(times), times[int(len(times) * 0.95)])


def fan_out(side: Side, watchers: int, writes: int, body: str) -> FanOut:
    """The same, from a loop of its own."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(measure(side, watchers, writes, body))
