"""Begins tasks, follows them to their end, and tells who listens."""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from datetime import timedelta
from pathlib import Path

import anyio
import structlog

from virtdeck.basis.clock import Clock
from virtdeck.basis.errors import VirtdeckError
from virtdeck.basis.listeners import Listeners
from virtdeck.gateway.live.roster import Roster
from virtdeck.gateway.tasks.outcome import AT_ONCE, SECONDS_ALLOWED, SECONDS_OTHERWISE, follow
from virtdeck.gateway.tasks.store import TaskStore
from virtdeck.gateway.tasks.task import Task
from virtdeck.kube.objects import Key
from virtdeck.web.words import mark

CALL_SECONDS = 60.0
LOOK_AGAIN_SECONDS = 5.0  # for deadlines; the end itself is seen when the machine changes
TAKEN = mark("Request accepted")

_log = structlog.get_logger()


class Tasks:
    """All tasks. Built by ``open_tasks``."""

    def __init__(self, store: TaskStore, roster: Roster, clock: Clock) -> None:
        self.store = store
        self._roster = roster
        self._clock = clock
        self._running: dict[str, Task] = {task.id: task for task in store.running()}
        self._listeners: Listeners[Task] = Listeners()
        self._begun = anyio.Event()

    @property
    def running(self) -> list[Task]:
        """What has not ended yet, the oldest first."""
        return list(self._running.values())

    async def perform(self, actor: str, act: str, key: Key, call: Callable[[], Awaitable[object]]) -> Task:
        """The task after its request was made: running, or at its end if that is already known.

        What the request raises is the task's cause, and not raised again.
        """
        task = self._begin(actor, act, key)
        try:
            with anyio.fail_after(CALL_SECONDS):
                await call()
        except VirtdeckError as fault:
            return self._keep(task.failed(fault.message, self._clock.now()))
        except TimeoutError:
            return self._keep(task.failed(mark("The API server did not answer in time."), self._clock.now()))
        except BaseException:
            self._keep(
                task.failed(
                    mark("The request was interrupted; whether it was made is not known."), self._clock.now()
                )
            )
            raise
        task = task.reached(TAKEN, self._clock.now())
        return self._keep(task.done(self._clock.now()) if act in AT_ONCE else task)

    def _begin(self, actor: str, act: str, key: Key) -> Task:
        machine = self._roster.get(key)
        now = self._clock.now()
        allowed = timedelta(seconds=SECONDS_ALLOWED.get(act, SECONDS_OTHERWISE))
        task = Task(
            id=secrets.token_hex(6),
            actor=actor,
            act=act,
            namespace=key.namespace,
            name=key.name,
            started=now,
            deadline=now + allowed,
            instance=machine.instance_uid if machine else "",
        )
        return self._keep(task)

    def _keep(self, task: Task) -> Task:
        self.store.put(task)
        if task.state == "running":
            self._running[task.id] = task
            self._begun.set()
        else:
            self._running.pop(task.id, None)
            self.store.trim()
            _log.info(
                "task_ended",
                task=task.id,
                act=task.act,
                state=task.state,
                namespace=task.namespace,
                name=task.name,
            )
        self._listeners.tell(task)
        return task

    def listening(self, listener: Callable[[Task], None]) -> AbstractContextManager[None]:
        """``listener`` is told each change of a task while the block runs; it must not wait."""
        return self._listeners.listening(listener)

    async def settle(self, task: Task, seconds: float) -> Task:
        """The task at its end, if it comes to it that soon; else as it is then."""
        with anyio.move_on_after(seconds):
            while task.id in self._running:
                seen = self._roster.sequence
                self.look()
                if task.id in self._running:
                    await self._roster.wait_beyond(seen)
        return self.store.get(task.id) or task

    def look(self) -> None:
        """Every running task is compared with its machine, once the caches know anything."""
        if not self._roster.known:
            return
        now = self._clock.now()
        for task in self.running:
            if not task.steps:
                self._give_up_unsent(task)
                continue
            after = follow(task, self._roster.get(Key(task.namespace, task.name)), now)
            if after != task:
                self._keep(after)

    def _give_up_unsent(self, task: Task) -> None:
        """A task without a step is being asked for now; when its time is over, whoever asked was killed."""
        now = self._clock.now()
        if now > task.started + timedelta(seconds=CALL_SECONDS + LOOK_AGAIN_SECONDS):
            cause = mark("The request was interrupted; whether it was made is not known.")
            self._keep(task.failed(cause, now))

    async def run(self) -> None:
        """Follows all tasks until cancelled."""
        while True:
            if not self._running:
                self._begun = anyio.Event()
                await self._begun.wait()
            seen = self._roster.sequence
            self.look()
            with anyio.move_on_after(LOOK_AGAIN_SECONDS):
                await self._roster.wait_beyond(seen)


@asynccontextmanager
async def open_tasks(folder: Path, roster: Roster, clock: Clock) -> AsyncIterator[Tasks]:
    """Tasks kept in ``folder`` and followed for as long as the block."""
    store = TaskStore(folder / "tasks.sqlite")
    try:
        tasks = Tasks(store, roster, clock)
        async with anyio.create_task_group() as group:
            group.start_soon(tasks.run)
            yield tasks
            group.cancel_scope.cancel()
    finally:
        store.close()
