"""What each request of virt-handler does, and its answer."""

import asyncio
from typing import Final, get_args

from virtdeck.basis.errors import Conflict, HostFault, VirtdeckError
from virtdeck.launcher.guest.agent import GuestAgent
from virtdeck.launcher.guest_control import Guest
from virtdeck.launcher.hypervisor.domain import Hypervisor
from virtdeck.launcher.lifecycle.reporter import Reporter
from virtdeck.launcher.log import log
from virtdeck.wire import launcher as wire

MAX_CHORDS: Final = 4096
MAX_HOLD_MILLISECONDS: Final = 10_000
MAX_KEYS: Final = 16  # libvirt's limit for one chord
MAX_PNG_BYTES: Final = 3 * 1024 * 1024
MAX_MESSAGE: Final = 2048
MAX_FREEZE_SECONDS: Final = 600.0
_PNG: Final = b"\x89PNG"
_REASONS: Final = frozenset(get_args(wire.Failed.__annotations__["reason"]))


class Requests:
    """Carries requests out. tasks: outlives every one of them."""

    def __init__(
        self, guest: Guest, hypervisor: Hypervisor, reporter: Reporter, tasks: asyncio.TaskGroup
    ) -> None:
        self._guest = guest
        self._hypervisor = hypervisor
        self._reporter = reporter
        self._tasks = tasks
        self._agent = GuestAgent(hypervisor.ask_agent)
        self._thaw: asyncio.Task[None] | None = None
        self.farewell = asyncio.Event()

    async def answer(self, request: wire.Request) -> wire.Reply:
        """Done, what was asked for, or why not; never an exception."""
        try:
            return await self._carry_out(request) or wire.Done(id=request.id)
        except VirtdeckError as fault:
            log("request_failed", level="warning", kind=type(request).__name__, error=str(fault))
            reason = type(fault).__name__
            known = reason if reason in _REASONS else "Bug"
            return wire.Failed(id=request.id, reason=known, message=fault.message[:MAX_MESSAGE])  # type: ignore[arg-type]
        except Exception as fault:  # the edge of the process: a bug must be told, not end the guest
            log("request_broke", level="error", kind=type(request).__name__, error=repr(fault))
            return wire.Failed(
                id=request.id, reason="Bug", message=f"{type(fault).__name__} in virt-launcher"
            )

    async def _carry_out(self, request: wire.Request) -> wire.Reply | None:  # noqa: PLR0912 - one line a request
        guest = self._guest
        match request:
            case wire.Sync():
                await guest.sync(request)
            case wire.Pause():
                await guest.pause()
            case wire.Unpause():
                await guest.unpause()
            case wire.Reset():
                await guest.reset()
            case wire.SoftReboot():
                await guest.soft_reboot()
            case wire.Shutdown():
                await guest.shutdown()
            case wire.Destroy():
                await guest.destroy()
            case wire.Freeze():
                await self._freeze(request.unfreeze_after_seconds)
            case wire.Unfreeze():
                await self._unfreeze()
            case wire.SendKeys():
                await self._send_keys(request)
            case wire.Farewell():
                self._take_leave()
            case wire.ReadGuestInfo():
                self._require_guest()
                return await self._agent.read_all(request.id)
            case wire.TakeScreenshot():
                return await self._screenshot(request.id)
            case wire.ReadStats():
                self._require_guest()
                return wire.Stats(id=request.id, values=await self._hypervisor.read_stats())
        return None

    async def _freeze(self, seconds: float) -> None:
        self._require_guest()
        await self._agent.freeze()
        if self._thaw is not None:
            self._thaw.cancel()
        self._thaw = self._tasks.create_task(self._thaw_after(min(max(seconds, 0.0), MAX_FREEZE_SECONDS)))

    async def _thaw_after(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        self._thaw = None
        try:
            await self._agent.unfreeze()
        except VirtdeckError as fault:
            log("guest_not_thawed", level="error", error=str(fault))

    async def _unfreeze(self) -> None:
        self._require_guest()
        await self._agent.unfreeze()
        if self._thaw is not None:
            self._thaw.cancel()
            self._thaw = None

    async def _send_keys(self, request: wire.SendKeys) -> None:
        self._require_guest()
        hold = min(request.hold_milliseconds, MAX_HOLD_MILLISECONDS)
        for keys in (chord[:MAX_KEYS] for chord in request.chords[:MAX_CHORDS] if chord):
            await self._hypervisor.send_keys(keys, hold)
            # QEMU queues each press and each release with its pause, and drops what its queue cannot take.
            await asyncio.sleep(2 * len(keys) * hold / 1000)

    async def _screenshot(self, request_id: int) -> wire.Screenshot:
        self._require_guest()
        image = await self._hypervisor.read_screen()
        if not image.startswith(_PNG):
            raise HostFault("QEMU on this node cannot take a screenshot as PNG")
        if len(image) > MAX_PNG_BYTES:
            raise HostFault(f"the screen's picture has {len(image)} bytes, at most {MAX_PNG_BYTES} are sent")
        return wire.Screenshot(id=request_id, png=image)

    def _take_leave(self) -> None:
        if not self._reporter.life.ended:
            raise Conflict("the guest has not ended")
        self.farewell.set()

    def _require_guest(self) -> None:
        if not self._reporter.life.has_guest:
            raise Conflict(f"the guest does not run, it is in phase {self._reporter.life.phase}")
