"""The loop that all reconcilers share: a key comes up, is observed, decided and acted on."""

import time
from typing import Any, Generic, TypeVar

import anyio
import structlog

from virtdeck.basis.errors import Absent, Conflict, Unready, VirtdeckError
from virtdeck.kube.cache import Cache
from virtdeck.kube.client import Client
from virtdeck.kube.events import EventRecorder
from virtdeck.kube.objects import Key, identity
from virtdeck.kube.patches import as_json, holds_list, merge_diff
from virtdeck.kube.plans import Plan, Reconciler
from virtdeck.kube.queue import WorkQueue

A = TypeVar("A")
Obj = TypeVar("Obj")
S = TypeVar("S")

HOPELESS_SECONDS = 5.0  # refused input is tried again at this pace at first: only a change elsewhere can help

_log = structlog.get_logger()


class ReconcileLoop(Generic[S, A, Obj]):
    """Works off a queue of keys; what a key's reconcile wrote is in the caches before its next one starts."""

    def __init__(
        self,
        reconciler: Reconciler[S, A, Obj],
        client: Client,
        cache: Cache[Obj],
        queue: WorkQueue[Key],
        recorder: EventRecorder,
        hopeless_seconds: float = HOPELESS_SECONDS,
    ) -> None:
        self._reconciler = reconciler
        self._client = client
        self._cache = cache
        self._queue = queue
        self._recorder = recorder
        self._hopeless_seconds = hopeless_seconds

    async def run(self, workers: int = 4) -> None:
        """Works until cancelled; different keys side by side."""
        async with anyio.create_task_group() as tasks:
            for _ in range(workers):
                tasks.start_soon(self._work)

    async def _work(self) -> None:
        while True:
            key = await self._queue.get()
            try:
                await self._attempt(key)
            finally:
                self._queue.done(key)

    async def _attempt(self, key: Key) -> None:
        """One reconcile; the process boundary for its faults."""
        try:
            error = await self.reconcile(key)
        except VirtdeckError as fault:
            error = fault
        except Exception:
            _log.exception("reconcile_broke", kind=self._cache.kind.kind, key=str(key))
            self._queue.retry(key, self._hopeless_seconds)
            return
        if error is None:
            self._queue.forget(key)
            return
        wait = self._queue.retry(key, self._at_least(error))
        _log.info(
            "reconcile_retried",
            kind=self._cache.kind.kind,
            key=str(key),
            reason=error.reason,
            problem=error.message,
            wait_seconds=round(wait, 3),
        )

    async def reconcile(self, key: Key) -> VirtdeckError | None:
        """Observe, decide, act, once; answers the error that an action met.

        When an action already changed what the decision was made from, the object is not written now: the
        look that follows at once writes what is true then.

        Raises: VirtdeckError when the object itself could not be written.
        """
        started = time.monotonic()
        seen = self._reconciler.observe(key)
        if seen is None:
            return None
        plan, error = await self._carry_out(seen, self._reconciler.decide(seen))
        subject, wrote = self._reconciler.subject(seen), False
        if plan.actions:
            self._tell(subject, plan)  # what was done is told even if the write below meets a conflict
        if error is not None or not (plan.actions and self._queue.is_stale(key)):
            wrote = await self._write(subject, plan)
        if not plan.actions:
            self._tell(subject, plan)
        if plan.again_after is not None:
            self._queue.add_after(key, plan.again_after)
        _log.debug(
            "reconciled",
            kind=self._cache.kind.kind,
            key=str(key),
            actions=[type(action).__name__ for action in plan.actions],
            wrote=wrote,
            milliseconds=round((time.monotonic() - started) * 1000, 1),
        )
        return error

    def _tell(self, subject: Obj, plan: Plan[A, Obj]) -> None:
        for note in plan.events:
            self._recorder.record(self._cache.kind, subject, note)

    async def _carry_out(self, seen: S, plan: Plan[A, Obj]) -> tuple[Plan[A, Obj], VirtdeckError | None]:
        """Acts in order; the first failure ends it, and the plan becomes the one that tells of it."""
        for action in plan.actions:
            try:
                await self._reconciler.act(action)
            except VirtdeckError as error:
                if isinstance(error, Conflict | Absent):
                    return Plan(), error  # what we saw is old: look again before saying anything
                return self._reconciler.decide_failure(seen, action, error), error
        return plan, None

    async def _write(self, subject: Obj, plan: Plan[A, Obj]) -> bool:
        """The object shows what the plan wants; only differences are written, status apart if need be."""
        if plan.wanted is None or plan.wanted == subject:
            return False
        patch = merge_diff(as_json(subject), as_json(plan.wanted))
        status = {"status": patch.pop("status")} if self._has_status() and "status" in patch else {}
        latest = subject
        if patch:
            latest = await self._patch(latest, patch, None)
        if status:
            latest = await self._patch(latest, status, "status")
        return latest is not subject

    async def _patch(self, latest: Obj, patch: dict[str, Any], subresource: str | None) -> Obj:
        who = identity(latest)
        if holds_list(patch):
            meta = {**patch.get("metadata", {}), "resourceVersion": str(who.version)}
            patch = {**patch, "metadata": meta}
        written = await self._client.merge_patch(
            self._cache.kind, who.key.name, who.key.namespace, patch, subresource
        )
        self._cache.absorb(written)
        return written

    def _has_status(self) -> bool:
        return "status" in self._cache.kind.subresources

    def _at_least(self, error: VirtdeckError) -> float:
        match error:
            case Conflict() | Absent():
                return 0.0
            case Unready():
                return min(error.after_seconds, 60.0)
            case _:
                return self._hopeless_seconds
