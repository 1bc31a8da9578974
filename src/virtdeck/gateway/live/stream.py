"""The timing of one stream: coalesced, numbered, with a heartbeat; what it says is its page's."""

from collections.abc import AsyncGenerator, Awaitable
from datetime import UTC, datetime
from typing import Protocol

import anyio

from virtdeck.gateway.live.hub import Batch, Hub
from virtdeck.kube.objects import Key

SLOWEST_SECONDS = 1.0  # however many tabs are open, a change is on the screen within about a second
SECONDS_A_STREAM = 0.01
BEAT_SECONDS = 10.0
HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
}


class LivePage(Protocol):
    """What a tab shows, able to say what of it a batch of changes alters."""

    @property
    def pace_seconds(self) -> float:
        """Between two messages."""

    def update(self, batch: Batch) -> Awaitable[str]:
        """HTML of partials; empty when nothing that the tab shows has changed."""

    def begin(self) -> Awaitable[None]:
        """Notes what the tab shows: it was rendered a moment ago, and nothing has changed since."""

    def resync(self) -> Awaitable[str]:
        """HTML of partials that bring the tab up to date whatever it shows."""

    def allowed(self) -> Awaitable[bool]:
        """Whether the person may still watch."""


def message(html: str, number: int) -> bytes:
    """One unnamed message, which htmx swaps in."""
    lines = "\n".join(f"data: {line}" for line in html.splitlines())
    return f"id: {number}\n{lines}\n\n".encode()


def beat(*, current: bool) -> bytes:
    """A sign of life with the time; ``stale`` when the gateway itself has lost the API server."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return f"event: {'beat' if current else 'stale'}\ndata: {now}\n\n".encode()


async def stream(hub: Hub, page: LivePage, since: int | None) -> AsyncGenerator[bytes, None]:
    """Messages from the change after ``since`` on, until the person may no longer watch or the tab goes."""
    with hub.subscribed() as subscriber:
        yield b"retry: 1000\n" + beat(current=hub.roster.current)
        first = await _catch_up(hub, page, since)
        if first:
            yield message(first, hub.roster.sequence)
        while True:
            with anyio.move_on_after(BEAT_SECONDS):
                await subscriber.wait()
            if not await page.allowed():
                return
            if not subscriber.unread:
                yield beat(current=hub.roster.current)
                continue
            number = hub.roster.sequence
            html = await page.update(subscriber.take())
            if html:
                yield message(html, number)
                await anyio.sleep(pause(page.pace_seconds, len(hub)))


def pause(pace_seconds: float, streams: int) -> float:
    """How long to gather changes before the next message: longer when many tabs are open."""
    return min(SLOWEST_SECONDS, max(pace_seconds, streams * SECONDS_A_STREAM))


async def _catch_up(hub: Hub, page: LivePage, since: int | None) -> str:
    """What the tab missed between its rendering, or its last message, and now."""
    missed: set[Key] | None = None if since is None else hub.roster.changed_since(since)
    if missed is None:
        return await page.resync()
    if missed:
        return await page.resync()
    await page.begin()
    return ""
