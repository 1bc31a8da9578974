"""Composition: the only place that constructs the launcher's parts."""

import asyncio
import os
import signal
from contextlib import AsyncExitStack, suppress
from typing import Final

from virtdeck.basis.clock import SystemClock
from virtdeck.launcher.children import Children
from virtdeck.launcher.following import Follower, connect, follow_connection, follow_daemon
from virtdeck.launcher.guest_control import Guest
from virtdeck.launcher.hypervisor.domain import Hypervisor
from virtdeck.launcher.lifecycle.reporter import Reporter
from virtdeck.launcher.log import log
from virtdeck.launcher.requests import Requests
from virtdeck.launcher.serial.hub import open_hub
from virtdeck.launcher.server import Server, listening
from virtdeck.launcher.settings import Settings
from virtdeck.wire.launcher import PROTOCOL_VERSIONS, Hello, LauncherState

EXIT_LIBVIRT_LOST: Final = 70  # EX_SOFTWARE


class _Over(Exception):
    """All tasks may end."""


def run(settings: Settings, daemon_pid: int, daemon_socket: str) -> int:
    """The launcher's exit code, once the guest is gone for good."""
    return asyncio.run(_run(settings, daemon_pid, daemon_socket))


async def _run(settings: Settings, daemon_pid: int, daemon_socket: str) -> int:
    children = Children()
    daemon_exit = children.adopt(daemon_pid)
    children.watch()
    reporter = Reporter(SystemClock())
    hypervisor = Hypervisor()
    guest = Guest(settings, hypervisor, reporter, children)
    follower = Follower(hypervisor, guest, reporter)
    terminated, over = _signalled(signal.SIGTERM), asyncio.Event()
    hub = open_hub(settings.serial_guest, settings.socket("serial0"), settings.socket("serial0-replay"))
    try:
        async with AsyncExitStack() as stack, asyncio.TaskGroup() as tasks:
            requests = Requests(guest, hypervisor, reporter, tasks)
            server = Server(_hello(settings), reporter.state, requests.answer, tasks)
            reporter.listener = lambda state: _tell(server, over, state)
            stack.push_async_callback(guest.resources.aclose)
            await stack.enter_async_context(hub)
            await stack.enter_async_context(listening(server, settings.socket("launcher")))
            log("launcher_listening", name=settings.name, namespace=settings.namespace, uid=settings.uid)
            for work in (
                _preload(server.greeted),
                connect(hypervisor, guest, reporter, daemon_socket),
                follow_daemon(daemon_exit, reporter),
                follow_connection(hypervisor, guest, reporter),
                follower.follow_events(),
                follower.follow_agent(),
                _end_when_terminated(terminated, guest),
            ):
                tasks.create_task(work)
            await over.wait()
            if server.greeted.is_set() or not terminated.is_set():
                await _wait_farewell(requests.farewell, terminated, reporter, settings)
            raise _Over
    except* _Over:
        pass
    finally:
        with suppress(ProcessLookupError):
            os.kill(daemon_pid, signal.SIGTERM)
    log("launcher_ended", reason=reporter.life.end_reason, message=reporter.life.message)
    return EXIT_LIBVIRT_LOST if reporter.life.end_reason == "LibvirtLost" else 0


def _hello(settings: Settings) -> Hello:
    return Hello(
        versions=PROTOCOL_VERSIONS, name=settings.name, namespace=settings.namespace, uid=settings.uid
    )


def _tell(server: Server, over: asyncio.Event, state: LauncherState) -> None:
    server.tell(state)
    if state.phase == "Ended":
        over.set()


def _signalled(number: signal.Signals) -> asyncio.Event:
    """Set when the signal arrives."""
    arrived = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(number, arrived.set)
    return arrived


async def _preload(greeted: asyncio.Event) -> None:
    """What a start needs is loaded while virt-handler prepares the network, after it was answered."""
    await greeted.wait()
    import virtdeck.launcher.starting  # noqa: F401 - the API types take 30 ms


async def _end_when_terminated(terminated: asyncio.Event, guest: Guest) -> None:
    await terminated.wait()
    await guest.shut_down_in_grace()


async def _wait_farewell(
    farewell: asyncio.Event, terminated: asyncio.Event, reporter: Reporter, settings: Settings
) -> None:
    """virt-handler has recorded the end, or has had its time."""
    seconds = settings.farewell_seconds
    if terminated.is_set():
        seconds = settings.terminated_farewell_seconds
    if reporter.life.end_reason == "LibvirtLost":
        seconds = settings.lost_farewell_seconds
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await farewell.wait()
