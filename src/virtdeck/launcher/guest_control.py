"""The one guest of this launcher: started once, acted upon by request, followed to its end."""

import asyncio
from contextlib import AsyncExitStack, suppress
from typing import TYPE_CHECKING, Final

from virtdeck.basis.errors import Absent, Conflict, HostFault, VirtdeckError
from virtdeck.crds.kubevirt.grace import DEFAULT_GRACE_SECONDS
from virtdeck.launcher.children import Children
from virtdeck.launcher.hypervisor.domain import Hypervisor
from virtdeck.launcher.lifecycle import life as lives
from virtdeck.launcher.lifecycle.last_words import describe_end, read_pid, read_tail
from virtdeck.launcher.lifecycle.reporter import Reporter
from virtdeck.launcher.log import log
from virtdeck.launcher.settings import Settings
from virtdeck.wire.launcher import Sync

if TYPE_CHECKING:
    from virtdeck.launcher.starting import Start

REAP_SECONDS: Final = 0.5
POWER_BUTTON_SECONDS: Final = 5.0  # some guests miss the first press while they boot


class Guest:
    """Changes are made one after the other. resources: closed when the launcher ends."""

    def __init__(
        self, settings: Settings, hypervisor: Hypervisor, reporter: Reporter, children: Children
    ) -> None:
        self._settings = settings
        self._hypervisor = hypervisor
        self._reporter = reporter
        self._children = children
        self._one_at_a_time = asyncio.Lock()
        self.resources = AsyncExitStack()
        self.connected = asyncio.Event()
        self.grace_seconds = DEFAULT_GRACE_SECONDS
        self._qemu_exit: asyncio.Future[int] | None = None
        self._log = ""

    async def sync(self, sync: Sync) -> None:
        """The domain runs, or was started before. Raises: Invalid, HostFault; Conflict when it has ended."""
        from virtdeck.launcher.starting import Start  # loaded before, see main

        async with self._one_at_a_time:
            if self._reporter.life.ended:
                raise Conflict(f"the guest has ended: {self._reporter.life.message}")
            if self._reporter.life.phase == "NoDomain":
                await self._start(Start(sync, self._settings))

    async def _start(self, start: "Start") -> None:
        clock, reporter = self._reporter.clock, self._reporter
        reporter.live(lives.begun(reporter.life, clock.now()))
        self.grace_seconds = start.grace_seconds
        try:
            await self._get_ready(start)
            await self._hypervisor.create(start.xml, start.request.starts_paused)
            self._adopt_qemu(start.name)
        except VirtdeckError as fault:
            reporter.live(lives.ended(reporter.life, "Failed", fault.message, clock.now()))
            raise
        reporter.live(lives.started(reporter.life, start.request.starts_paused, clock.now()))
        with suppress(Absent):  # it ended again; the event says why
            reporter.learn_domain(start.facts(await self._hypervisor.read_xml()))
        await self.refresh()

    def _adopt_qemu(self, name: str) -> None:
        """How QEMU ends will be known if this is PID 1: libvirt starts it as nobody's child."""
        self._log = self._settings.qemu_log(name)
        pid = read_pid(self._settings.qemu_pid(name))
        if pid is not None:
            self._qemu_exit = self._children.adopt(pid)

    async def last_words(self) -> str:
        """Why QEMU ended, as far as it is known."""
        code = None
        if self._qemu_exit is not None:
            with suppress(TimeoutError):  # libvirt may hear of the end before the kernel tells the parent
                async with asyncio.timeout(REAP_SECONDS):
                    code = await asyncio.shield(self._qemu_exit)
        return describe_end(code, read_tail(self._log))

    async def _get_ready(self, start: "Start") -> None:
        """Disks, DHCP and libvirt are there."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(start.prepare(self._children))
                tasks.create_task(self._wait_connected())
        except BaseExceptionGroup as faults:
            raise faults.exceptions[0] from None
        await self.resources.enter_async_context(start.serve_dhcp())

    async def _wait_connected(self) -> None:
        seconds = self._settings.daemon_seconds
        try:
            async with asyncio.timeout(seconds):
                await self.connected.wait()
        except TimeoutError:
            raise HostFault(f"libvirt's daemon was not ready after {seconds:g} s") from None

    async def refresh(self) -> None:
        """The life is what libvirt says now; an end is told by its event alone."""
        try:
            state, reason = await self._hypervisor.read_state()
        except Absent:
            return
        reporter = self._reporter
        reporter.live(lives.seen(reporter.life, state, reason, reporter.clock.now()))

    async def pause(self) -> None:
        """The guest stands still. Raises: Conflict."""
        async with self._acting():
            await self._hypervisor.suspend()
            await self.refresh()

    async def unpause(self) -> None:
        """The guest runs. Raises: Conflict."""
        async with self._acting():
            await self._hypervisor.resume()
            await self.refresh()

    async def reset(self) -> None:
        """As the reset button."""
        async with self._acting():
            await self._hypervisor.reset()

    async def soft_reboot(self) -> None:
        """The guest was asked to reboot, by its agent if it is there."""
        async with self._acting():
            await self._hypervisor.reboot(by_agent=self._reporter.agent.connected)

    async def shutdown(self) -> None:
        """The guest was asked to power off; a paused one runs for it."""
        async with self._acting():
            if self._reporter.life.phase == "Paused":
                await self._hypervisor.resume()
            await self._hypervisor.press_power_button()
            reporter = self._reporter
            reporter.live(lives.shutdown_asked(reporter.life, reporter.clock.now()))

    async def destroy(self) -> None:
        """The guest is gone; one that never started never will."""
        async with self._one_at_a_time:
            reporter = self._reporter
            if reporter.life.has_guest:
                await self._hypervisor.destroy()
            elif not reporter.life.ended:
                now = reporter.clock.now()
                reporter.live(
                    lives.ended(reporter.life, "Destroyed", "it was stopped before it started", now)
                )

    async def shut_down_in_grace(self) -> None:
        """The guest has powered off, or was destroyed at the end of its grace period."""
        try:
            async with asyncio.timeout(self.grace_seconds):
                while self._reporter.life.has_guest:
                    await self.shutdown()
                    await asyncio.sleep(POWER_BUTTON_SECONDS)
        except (TimeoutError, VirtdeckError) as fault:
            log("shutdown_forced", error=str(fault) or "the grace period is over")
        await self.destroy()

    def _acting(self) -> "_Acting":
        return _Acting(self._one_at_a_time, self._reporter)


class _Acting:
    """Holds the lock; refuses when there is nothing to act upon."""

    def __init__(self, lock: asyncio.Lock, reporter: Reporter) -> None:
        self._lock = lock
        self._reporter = reporter

    async def __aenter__(self) -> None:
        await self._lock.acquire()
        if not self._reporter.life.has_guest:
            self._lock.release()
            raise Conflict(f"the guest does not run, it is in phase {self._reporter.life.phase}")

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()
