"""Image volumes: found in the local store, or pulled beside the pods' work, one at a time."""

from collections.abc import Callable
from dataclasses import dataclass, field

import anyio
import structlog
from anyio.abc import TaskGroup

from virtdeck.basis.clock import Clock
from virtdeck.basis.errors import Absent, Invalid, VirtdeckError
from virtdeck.crds.core.pod_volumes import ImageVolume
from virtdeck.standalone.images.references import canonical
from virtdeck.standalone.images.store import ImageStore

_FIRST_WAIT_SECONDS = 10.0
_LONGEST_WAIT_SECONDS = 300.0
_STORE_SECONDS = 2.0  # how soon an image that somebody pulled or imported by hand is seen by a pod that waits

_log = structlog.get_logger()


@dataclass
class _Attempt:
    """How pulling one image goes. again_at: monotonic seconds."""

    running: bool = False
    failures: int = 0
    again_at: float = 0.0
    message: str = ""


@dataclass(frozen=True)
class Waiting:
    """Why a pod has to wait. again_after: seconds, None when a pull will tell."""

    reason: str
    message: str
    again_after: float | None


@dataclass
class Pulls:
    """Answers with an image's folder, or why there is none yet.

    pull: blocking; tell: called with the waiting pods' uids when something changed.
    """

    store: ImageStore
    pull: Callable[[str], object]
    tell: Callable[[str], None]
    clock: Clock
    _attempts: dict[str, _Attempt] = field(default_factory=dict)
    _waiters: dict[str, set[str]] = field(default_factory=dict)
    _one: anyio.CapacityLimiter = field(default_factory=lambda: anyio.CapacityLimiter(1))

    def resolve(self, volume: ImageVolume, pod: str, tasks: TaskGroup) -> str | Waiting:
        """The folder with the image's files. A pull that is needed is started. Raises: Invalid."""
        reference = volume.reference or ""
        try:
            canonical(reference)
        except Invalid as fault:
            return Waiting("InvalidImageName", fault.message, None)
        record = self.store.find(reference)
        policy = volume.pull_policy or ("Always" if _is_latest(reference) else "IfNotPresent")
        attempt = self._attempts.get(reference)
        fresh = attempt is not None and not attempt.running and attempt.failures == 0
        if record is not None and (record.local or policy != "Always" or fresh):
            self._attempts.pop(reference, None)
            return self.store.resolve(reference).path
        if policy == "Never":
            return Waiting("ErrImageNeverPull", _how_to_get(reference), _STORE_SECONDS)
        return self._pull(reference, pod, tasks)

    def _pull(self, reference: str, pod: str, tasks: TaskGroup) -> Waiting:
        attempt = self._attempts.setdefault(reference, _Attempt())
        self._waiters.setdefault(reference, set()).add(pod)
        now = self.clock.monotonic()
        if attempt.running:
            return Waiting("ContainerCreating", f"pulling the image {reference}", None)
        if now < attempt.again_at:
            first = attempt.failures <= 1
            reason = "ErrImagePull" if first else "ImagePullBackOff"
            return Waiting(reason, attempt.message, min(attempt.again_at - now, _STORE_SECONDS))
        attempt.running = True
        tasks.start_soon(self._run, reference, attempt)
        if attempt.failures:
            return Waiting("ImagePullBackOff", attempt.message, None)
        return Waiting("ContainerCreating", f"pulling the image {reference}", None)

    async def _run(self, reference: str, attempt: _Attempt) -> None:
        try:
            # Left alone when the runner ends: a half-pulled image is cleaned up by the store.
            await anyio.to_thread.run_sync(self.pull, reference, limiter=self._one, abandon_on_cancel=True)
            attempt.failures = 0
            _log.info("image_pulled", image=reference)
        except VirtdeckError as fault:
            attempt.failures += 1
            wait = min(_FIRST_WAIT_SECONDS * 2 ** (attempt.failures - 1), _LONGEST_WAIT_SECONDS)
            attempt.again_at = self.clock.monotonic() + wait
            attempt.message = _explained(reference, fault)
            _log.warning("image_not_pulled", image=reference, reason=fault.reason, problem=fault.message)
        finally:
            attempt.running = False
        for pod in self._waiters.pop(reference, ()):
            self.tell(pod)


def _is_latest(reference: str) -> bool:
    name = reference.rpartition("/")[2]
    return "@" not in name and (":" not in name or name.endswith(":latest"))


def _how_to_get(reference: str) -> str:
    return f"the image {reference} is not in the local store; get it with: virtdeck image pull {reference}"


def _explained(reference: str, fault: VirtdeckError) -> str:
    if isinstance(fault, Invalid):
        return f"{fault.message}. See what is there with: virtdeck image ls"
    makes_it = f"a disk file becomes this image with: virtdeck image import FILE {reference}"
    if isinstance(fault, Absent):
        return f"{fault.message}. See what is there with: virtdeck image ls; {makes_it}"
    return f"{fault.message}. It is tried again; {makes_it}"
