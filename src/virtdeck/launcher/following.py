"""Follows what libvirt and the guest's agent report."""

import asyncio
from typing import Final

from virtdeck.basis.errors import VirtdeckError
from virtdeck.launcher.guest.agent import GuestAgent, keep_known
from virtdeck.launcher.guest_control import Guest
from virtdeck.launcher.hypervisor.domain import Hypervisor
from virtdeck.launcher.hypervisor.events import (
    AgentEvent,
    Event,
    IoErrorEvent,
    LifecycleEvent,
    RebootEvent,
    WatchdogEvent,
)
from virtdeck.launcher.hypervisor.protocol import Lifecycle, StoppedDetail
from virtdeck.launcher.lifecycle import life as lives
from virtdeck.launcher.lifecycle.polling import SILENT_POLLS, delay_after
from virtdeck.launcher.lifecycle.reporter import Reporter
from virtdeck.launcher.log import log
from virtdeck.wire.launcher import AgentFacts

MAX_FAILURES: Final = 64
RETRY_SECONDS: Final = 0.005  # libvirt's socket appears 25 to 50 ms after its start


async def connect(hypervisor: Hypervisor, guest: Guest, reporter: Reporter, socket_path: str) -> None:
    """libvirt takes calls; who waits for that bounds it, and a daemon that dies ends the launcher."""
    while not guest.connected.is_set():
        try:
            await hypervisor.connect(socket_path)
            guest.connected.set()
        except (FileNotFoundError, ConnectionRefusedError):
            await asyncio.sleep(RETRY_SECONDS)
        except VirtdeckError as fault:
            _lose_libvirt(reporter, f"libvirt's daemon takes no connection: {fault}")
            return
    try:
        await hypervisor.warm_up()
    except VirtdeckError as fault:
        log("libvirt_not_warm", level="warning", error=str(fault))  # the start will say more


async def follow_daemon(daemon_exit: "asyncio.Future[int]", reporter: Reporter) -> None:
    """The life is over when the daemon is: nobody could act upon the guest or see its end."""
    code = await daemon_exit
    _lose_libvirt(reporter, f"libvirt's daemon ended unexpectedly with {code}")


async def follow_connection(hypervisor: Hypervisor, guest: Guest, reporter: Reporter) -> None:
    """As well when only the connection is."""
    await guest.connected.wait()
    await hypervisor.wait_lost()
    _lose_libvirt(reporter, "libvirt's daemon closed its connection")


def _lose_libvirt(reporter: Reporter, message: str) -> None:
    reporter.live(lives.ended(reporter.life, "LibvirtLost", message, reporter.clock.now()))


class Follower:
    """Consumes events one by one; state is read again, since events may arrive out of order."""

    def __init__(self, hypervisor: Hypervisor, guest: Guest, reporter: Reporter) -> None:
        self._hypervisor = hypervisor
        self._guest = guest
        self._reporter = reporter
        self._agent = GuestAgent(hypervisor.ask_agent)
        self._agent_open = False
        self._agent_moved = asyncio.Event()
        self._failures: set[IoErrorEvent] = set()

    async def follow_events(self) -> None:
        """Runs until cancelled."""
        while True:
            event = await self._hypervisor.events.get()
            try:
                await self._take(event)
            except VirtdeckError as fault:
                log("event_not_followed", level="warning", kind=type(event).__name__, error=str(fault))
            except Exception as fault:  # the edge of the process: a bug here must not end the guest
                log("event_broke", level="error", kind=type(event).__name__, error=repr(fault))

    async def _take(self, event: Event) -> None:
        reporter = self._reporter
        match event:
            case LifecycleEvent(event=Lifecycle.STOPPED, detail=detail):
                words = await self._guest.last_words() if detail == StoppedDetail.FAILED else ""
                reporter.live(lives.stopped(reporter.life, detail, reporter.clock.now(), words))
            case LifecycleEvent(event=Lifecycle.CRASHED):
                reporter.live(lives.panicked(reporter.life))
            case LifecycleEvent():
                await self._guest.refresh()
            case RebootEvent():
                reporter.live(lives.rebooted(reporter.life))
            case AgentEvent(connected=connected):
                self._agent_open = connected
                self._agent_moved.set()
            case IoErrorEvent():
                self._note_disk_failure(event)
                await self._guest.refresh()
            case WatchdogEvent(action=action):
                log("watchdog_fired", level="warning", action=action)
                await self._guest.refresh()

    def _note_disk_failure(self, event: IoErrorEvent) -> None:
        """Said once for each disk and reason, however often the guest tries again."""
        if event not in self._failures and len(self._failures) < MAX_FAILURES:
            self._failures.add(event)
            log("disk_failed", level="error", disk=event.alias, reason=event.reason)

    async def follow_agent(self) -> None:
        """Runs until cancelled: asks the agent at once when it connects, then at growing distance."""
        polls = silent = 0
        while True:
            if not self._agent_open:
                polls = silent = 0
                self._reporter.learn_agent(AgentFacts())
                await self._wait_moved(None)
                continue
            polls += 1
            silent = 0 if await self._poll() else silent + 1
            if silent == SILENT_POLLS:
                self._reporter.learn_agent(AgentFacts())
            if await self._wait_moved(delay_after(polls)):
                polls = 0

    async def _poll(self) -> bool:
        if self._reporter.life.phase == "Paused":
            return True  # a guest that stands still is silent and yet well
        try:
            fresh = await self._agent.read_facts()
        except VirtdeckError as fault:
            log("agent_silent", level="debug", error=str(fault))
            return False
        except Exception as fault:  # as above
            log("agent_broke", level="error", error=repr(fault))
            return False
        self._reporter.learn_agent(keep_known(self._reporter.agent, fresh))
        return True

    async def _wait_moved(self, seconds: float | None) -> bool:
        """Whether the channel was opened or closed within this time."""
        try:
            async with asyncio.timeout(seconds):
                await self._agent_moved.wait()
        except TimeoutError:
            return False
        self._agent_moved.clear()
        return True
