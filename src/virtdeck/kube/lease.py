"""Leader election on a Lease: at most one of several equal processes works at a time."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio
import structlog

from virtdeck.basis.clock import Clock
from virtdeck.basis.errors import Conflict, Lost, VirtdeckError
from virtdeck.crds import kinds
from virtdeck.crds.core.lease import Lease, LeaseSpec
from virtdeck.crds.meta import ObjectMeta
from virtdeck.kube.client import Client

_log = structlog.get_logger()


@dataclass(frozen=True)
class LeaseTerms:
    """Who wants which lease, and for how long.

    duration_seconds: others may take it then. renew_within_seconds: the holder gives up before that.
    """

    name: str
    namespace: str
    identity: str
    duration_seconds: float = 15.0
    renew_within_seconds: float = 10.0
    retry_seconds: float = 2.0


async def lead(client: Client, terms: LeaseTerms, clock: Clock, body: Callable[[], Awaitable[None]]) -> None:
    """Runs ``body`` once the lease is ours and cancels it when it no longer is.

    Raises: Lost, in an exception group, when the lease was lost; the process should end, for it no longer
    knows what holds.
    """
    candidate = _Candidate(client, terms, clock)
    while not await candidate.attempt():  # noqa: ASYNC110 (the lease is not in this process)
        await anyio.sleep(terms.retry_seconds)
    _log.info("leadership_gained", lease=terms.name, identity=terms.identity)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_renew, candidate, terms)
        await body()
        tasks.cancel_scope.cancel()
    await candidate.release()


async def _renew(candidate: "_Candidate", terms: LeaseTerms) -> None:
    renewed = anyio.current_time()
    while True:
        await anyio.sleep(terms.retry_seconds)
        with anyio.move_on_after(max(renewed + terms.renew_within_seconds - anyio.current_time(), 0.0)):
            if await candidate.attempt():
                renewed = anyio.current_time()
        if anyio.current_time() - renewed >= terms.renew_within_seconds:
            raise Lost(f"the lease {terms.name} could not be renewed in time; another process may lead now")


class _Candidate:
    """One process's tries to take or keep the lease."""

    def __init__(self, client: Client, terms: LeaseTerms, clock: Clock) -> None:
        self._client = client
        self._terms = terms
        self._clock = clock
        self._seen: tuple[str, float] = ("", 0.0)

    async def attempt(self) -> bool:
        """True when the lease is ours for another duration."""
        try:
            held = await self._client.get(kinds.LEASE, self._terms.name, self._terms.namespace)
            if held is None:
                await self._client.create(kinds.LEASE, self._lease(), self._terms.namespace)
                return True
            if not self._free(held):
                return False
            await self._take(held)
        except VirtdeckError as fault:
            level = _log.debug if isinstance(fault, Conflict) else _log.warning
            level("lease_attempt_failed", lease=self._terms.name, problem=fault.message)
            return False
        return True

    async def release(self) -> None:
        """The next one need not wait; a failure only costs the others that wait."""
        with anyio.move_on_after(2.0, shield=True):
            patch = {"spec": {"holderIdentity": ""}}
            try:
                await self._client.merge_patch(kinds.LEASE, self._terms.name, self._terms.namespace, patch)
            except VirtdeckError as fault:
                _log.info("lease_not_released", problem=fault.message)

    def _free(self, held: Lease) -> bool:
        """Ours, nobody's, or unchanged for its duration by our own clock: clocks of others prove nothing."""
        spec = held.spec or LeaseSpec()
        if not spec.holder_identity or spec.holder_identity == self._terms.identity:
            return True
        now, version = self._clock.monotonic(), held.metadata.resource_version or ""
        if version != self._seen[0]:
            self._seen = (version, now)
        return now - self._seen[1] > (spec.lease_duration_seconds or self._terms.duration_seconds)

    async def _take(self, held: Lease) -> None:
        former = held.spec or LeaseSpec()
        spec: dict[str, object] = {"holderIdentity": self._terms.identity, "renewTime": self._now()}
        spec["leaseDurationSeconds"] = int(self._terms.duration_seconds)
        if former.holder_identity != self._terms.identity:
            spec |= {"acquireTime": self._now(), "leaseTransitions": (former.lease_transitions or 0) + 1}
        patch = {"metadata": {"resourceVersion": held.metadata.resource_version}, "spec": spec}
        await self._client.merge_patch(kinds.LEASE, self._terms.name, self._terms.namespace, patch)

    def _lease(self) -> Lease:
        return Lease(
            api_version=kinds.LEASE.api_version,
            kind=kinds.LEASE.kind,
            metadata=ObjectMeta(name=self._terms.name, namespace=self._terms.namespace),
            spec=LeaseSpec(
                holder_identity=self._terms.identity,
                lease_duration_seconds=int(self._terms.duration_seconds),
                acquire_time=self._now(),
                renew_time=self._now(),
                lease_transitions=0,
            ),
        )

    def _now(self) -> str:
        return self._clock.now().strftime("%Y-%m-%dT%H:%M:%S.%fZ")
