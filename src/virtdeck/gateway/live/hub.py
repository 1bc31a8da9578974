"""Tells every open stream what has changed, without rendering anything."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

import anyio

from virtdeck.crds.core.event import Event
from virtdeck.crds.core.node import Node
from virtdeck.gateway.live.roster import Roster
from virtdeck.gateway.tasks.runner import Tasks
from virtdeck.gateway.tasks.task import Task
from virtdeck.kube.cache import Cache
from virtdeck.kube.objects import Key
from virtdeck.kube.snapshot import Change


@dataclass
class Batch:
    """What changed since the last batch. events: what they are about, as ``namespace/kind/name``."""

    machines: set[Key] = field(default_factory=set)
    tasks: dict[str, Task] = field(default_factory=dict)
    events: set[str] = field(default_factory=set)
    nodes: bool = False

    def __bool__(self) -> bool:
        return bool(self.machines or self.tasks or self.events or self.nodes)


class Subscriber:
    """One stream's unread changes; as many as there are objects at most, however slow its reader."""

    def __init__(self) -> None:
        self.unread = Batch()
        self._arrived = anyio.Event()

    def poke(self) -> None:
        self._arrived.set()

    async def wait(self) -> None:
        """Something is unread. Cancel: safe."""
        while not self.unread:
            self._arrived = anyio.Event()
            await self._arrived.wait()

    def take(self) -> Batch:
        taken, self.unread = self.unread, Batch()
        return taken


def about(event: Event) -> str:
    """The index key of what an event is about."""
    target = event.involved_object
    return f"{target.namespace or ''}/{target.kind or ''}/{target.name or ''}"


class Hub:
    """All open streams. Built by ``open_hub``."""

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self._subscribers: set[Subscriber] = set()

    def __len__(self) -> int:
        return len(self._subscribers)

    @contextmanager
    def subscribed(self) -> Iterator[Subscriber]:
        """A subscriber that is told all changes while the block runs."""
        subscriber = Subscriber()
        self._subscribers.add(subscriber)
        try:
            yield subscriber
        finally:
            self._subscribers.discard(subscriber)

    def machine_changed(self, key: Key) -> None:
        for one in self._subscribers:
            one.unread.machines.add(key)
            one.poke()

    def task_changed(self, task: Task) -> None:
        for one in self._subscribers:
            one.unread.tasks[task.id] = task
            one.poke()

    def event_changed(self, change: Change[Event]) -> None:
        event = change.new or change.old
        if event is None:
            return
        for one in self._subscribers:
            one.unread.events.add(about(event))
            one.poke()

    def node_changed(self, change: Change[Node]) -> None:
        for one in self._subscribers:
            one.unread.nodes = True
            one.poke()


@asynccontextmanager
async def open_hub(
    roster: Roster, tasks: Tasks, events: Cache[Event], nodes: Cache[Node]
) -> AsyncIterator[Hub]:
    """A hub that hears of every change for as long as the block."""
    hub = Hub(roster)
    with (
        roster.listening(hub.machine_changed),
        tasks.listening(hub.task_changed),
        events.listening(hub.event_changed),
        nodes.listening(hub.node_changed),
    ):
        yield hub
