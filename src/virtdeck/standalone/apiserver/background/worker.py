"""A worker: keys that the store's changes put into its set are handled one by one, again after a failure."""

from typing import Generic, TypeVar

import anyio
import structlog

from virtdeck.basis.errors import VirtdeckError
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.timeline import Event

log = structlog.get_logger()

K = TypeVar("K")

_FIRST_RETRY_SECONDS = 0.1
_LAST_RETRY_SECONDS = 30.0


class Worker(Generic[K]):
    """Level-triggered: a key means "look at this again", however often it was named."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.store = service.store
        self._due: dict[K, None] = {}
        self._failed: dict[K, float] = {}
        self._woken = anyio.Event()
        service.store.listen(self.hear)
        self.start()

    def start(self) -> None:
        """Names what must be looked at once at the beginning."""

    def hear(self, shelf: Shelf, event: Event) -> None:
        """Names what a change makes worth looking at; must not block."""

    async def handle(self, key: K) -> None:
        """The key's objects are as they should be. Raises: VirtdeckError to be called again later."""
        raise NotImplementedError

    def due(self, key: K) -> None:
        """The key will be handled soon."""
        self._due[key] = None
        self._woken.set()

    async def run(self) -> None:
        """Handles keys until it is cancelled."""
        async with anyio.create_task_group() as group:
            while True:
                while self._due:
                    key = next(iter(self._due))
                    del self._due[key]
                    await self._attempt(key, group)
                self._woken = anyio.Event()
                if not self._due:
                    await self._woken.wait()

    async def _attempt(self, key: K, group: anyio.abc.TaskGroup) -> None:
        try:
            await self.handle(key)
        except VirtdeckError as fault:
            log.info("work_postponed", worker=type(self).__name__, key=str(key), error=fault.message)
        except Exception:  # one odd object must not end the work on all others
            log.exception("work_broke", worker=type(self).__name__, key=str(key))
        else:
            self._failed.pop(key, None)
            return
        delay = self._failed.get(key, _FIRST_RETRY_SECONDS)
        self._failed[key] = min(delay * 2, _LAST_RETRY_SECONDS)
        group.start_soon(self._again, key, delay)

    async def _again(self, key: K, delay: float) -> None:
        await anyio.sleep(delay)
        self.due(key)
