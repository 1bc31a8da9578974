"""A launcher with a real libvirtd and QEMU, from Sync to the end, over launcher.sock."""

import asyncio
import os
import signal
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.integration.launcher.driver import (
    Handler,
    Pod,
    connected,
    running_pod,
    start_pod,
    stop_pod,
    sync_fields,
    vmi,
    warm_cache,
)
from tests.integration.launcher.guest_kernel import kernel_and_initrd, launcher_user

from virtdeck.wire import launcher as wire

pytestmark = [pytest.mark.anyio, pytest.mark.root, pytest.mark.guest]


Boot = tuple[Path, Path]


@pytest.fixture(scope="session")
def boot() -> Boot:
    launcher_user()
    return kernel_and_initrd()


@asynccontextmanager
async def running_guest(boot: Boot, **more: Any) -> AsyncIterator[tuple[Pod, Handler]]:
    async with running_pod() as (pod, handler):
        done = await handler.ask(wire.Sync, **sync_fields(*boot, **more))
        assert isinstance(done, wire.Done), done
        yield pod, handler


async def read_until(reader: asyncio.StreamReader, words: bytes) -> bytes:
    seen = b""
    async with asyncio.timeout(60):
        while words not in seen:
            data = await reader.read(4096)
            assert data, seen
            seen += data
    return seen


@asynccontextmanager
async def serial(pod: Pod) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_unix_connection(pod.private / "serial0-replay.sock")
    yield reader, writer
    writer.close()
    await writer.wait_closed()


async def test_a_launcher_says_who_it_is_and_that_it_has_no_domain(boot: Boot) -> None:
    async with running_pod() as (_, handler):
        state = await handler.wait_phase("NoDomain")
        assert handler.hello is not None
        assert (handler.hello.name, handler.hello.namespace) == ("demo", "default")
        assert state.domain is None


async def test_a_guest_boots_and_is_worked_with(boot: Boot) -> None:
    async with running_guest(boot) as (pod, handler):
        state = await handler.wait(lambda state: state.domain is not None)
        assert state.phase == "Running"
        assert state.domain is not None
        assert state.domain.machine.startswith("pc-q35-")
        assert state.domain.memory_bytes == 128 * 1024 * 1024

        async with serial(pod) as (reader, writer):
            await read_until(reader, b"# ")
            writer.write(b"echo six$((3*2))\n")
            await read_until(reader, b"six6")
        async with serial(pod) as (again, _):
            assert b"guest ready" in await read_until(again, b"six6")

        shot = await handler.ask(wire.TakeScreenshot)
        assert shot.png.startswith(b"\x89PNG")
        assert isinstance(await handler.ask(wire.SendKeys, chords=((30,), (29, 56, 111))), wire.Done)
        stats = await handler.ask(wire.ReadStats)
        assert stats.values["state.state"] == 1
        assert isinstance(await handler.ask(wire.ReadGuestInfo), wire.Failed)
        assert isinstance(await handler.ask(wire.Sync, **sync_fields(*boot)), wire.Done)


async def test_pause_and_unpause_are_reported_with_their_reason(boot: Boot) -> None:
    async with running_guest(boot) as (_, handler):
        assert isinstance(await handler.ask(wire.Pause), wire.Done)
        assert (await handler.wait_phase("Paused")).pause_reason == "PausedByUser"
        assert isinstance(await handler.ask(wire.Unpause), wire.Done)
        assert (await handler.wait_phase("Running")).pause_reason is None


async def test_a_guest_with_start_strategy_paused_waits_at_its_first_instruction(
    boot: Boot,
) -> None:
    async with running_guest(boot, vmi=vmi({"startStrategy": "Paused"})) as (_, handler):
        assert (await handler.wait_phase("Paused")).pause_reason == "StartedPaused"
        assert isinstance(await handler.ask(wire.Unpause), wire.Done)
        await handler.wait_phase("Running")


async def test_a_reset_is_counted_as_a_reboot(boot: Boot) -> None:
    async with running_guest(boot) as (_, handler):
        assert isinstance(await handler.ask(wire.Reset), wire.Done)
        assert (await handler.wait(lambda state: state.reboots == 1)).phase == "Running"


async def test_a_guest_that_powers_off_ends_with_shutdown_and_the_launcher_waits_for_farewell(
    boot: Boot,
) -> None:
    async with running_guest(boot) as (pod, handler):
        async with serial(pod) as (reader, writer):
            await read_until(reader, b"# ")
            assert (await handler.ask(wire.Farewell)).reason == "Conflict"
            writer.write(b"poweroff -f\n")
        assert (await handler.wait_phase("Ended")).end_reason == "Shutdown"
        assert pod.process.poll() is None
        assert isinstance(await handler.ask(wire.Farewell), wire.Done)
        assert await pod.exit_code() == 0


async def test_destroy_ends_the_guest(boot: Boot) -> None:
    async with running_guest(boot) as (_, handler):
        assert isinstance(await handler.ask(wire.Destroy), wire.Done)
        assert (await handler.wait_phase("Ended")).end_reason == "Destroyed"
        assert (await handler.ask(wire.Sync, **sync_fields(*boot))).reason == "Conflict"


async def test_a_killed_qemu_is_a_crash(boot: Boot) -> None:
    async with running_guest(boot) as (pod, handler):
        os.kill(pod.pid("qemu-system"), signal.SIGKILL)
        ended = await handler.wait_phase("Ended")
        assert ended.end_reason == "Crashed"
        assert "SIGKILL" in ended.message


async def test_a_killed_libvirtd_ends_the_launcher_with_an_error(boot: Boot) -> None:
    async with running_guest(boot) as (pod, handler):
        os.kill(pod.pid("libvirtd"), signal.SIGKILL)
        assert (await handler.wait_phase("Ended")).end_reason == "LibvirtLost"
        await handler.ask(wire.Farewell)
        assert await pod.exit_code() != 0


async def test_a_panic_is_told_apart_from_a_crash(boot: Boot) -> None:
    devices = {"panicDevices": [{"model": "isa"}]}
    async with running_guest(boot, vmi=vmi(devices=devices)) as (pod, handler):
        async with serial(pod) as (reader, writer):
            await read_until(reader, b"# ")
            writer.write(b"echo c > /proc/sysrq-trigger\n")
        state = await handler.wait(lambda state: state.phase == "Ended" or state.reboots > 0)
        assert state.end_reason in ("Panicked", None)  # None: this kernel has no pvpanic driver and reboots


async def test_sigterm_gives_the_guest_its_grace_and_then_ends_it(boot: Boot) -> None:
    async with running_guest(boot, vmi=vmi({"terminationGracePeriodSeconds": 1})) as (pod, handler):
        begun = time.monotonic()
        os.kill(pod.pid("python"), signal.SIGTERM)
        await handler.wait_phase("ShuttingDown")
        assert (await handler.wait_phase("Ended")).end_reason in ("Destroyed", "Shutdown")
        assert time.monotonic() - begun < 30
        await handler.ask(wire.Farewell)
        assert await pod.exit_code() == 0


async def test_sigterm_before_any_sync_ends_at_once(boot: Boot) -> None:
    async with running_pod() as (pod, handler):
        await handler.wait_phase("NoDomain")
        os.kill(pod.pid("python"), signal.SIGTERM)
        assert (await handler.wait_phase("Ended")).end_reason == "Destroyed"
        await handler.ask(wire.Farewell)
        assert await pod.exit_code() == 0


def wait_for_socket(pod: Pod) -> None:
    while not (pod.private / "launcher.sock").exists():
        time.sleep(0.02)


async def test_sigterm_before_anybody_asked_waits_for_nobody(boot: Boot) -> None:
    pod = start_pod(Path(tempfile.mkdtemp(prefix="vdl-", dir="/tmp")), warm_cache())
    try:
        await asyncio.to_thread(wait_for_socket, pod)
        os.kill(pod.pid("python"), signal.SIGTERM)
        async with asyncio.timeout(5):
            assert await pod.exit_code() == 0
    finally:
        stop_pod(pod)


async def test_a_newer_virt_handler_takes_the_place_of_the_older(boot: Boot) -> None:
    async with running_guest(boot) as (pod, older), connected(pod) as newer:
        await newer.wait_phase("Running")
        async with asyncio.timeout(5):
            await older.closed.wait()


async def test_what_cannot_be_carried_is_refused_with_its_field(boot: Boot) -> None:
    async with running_pod() as (_, handler):
        spec = vmi(devices={"gpus": [{"name": "g", "deviceName": "d"}]})
        failed = await handler.ask(wire.Sync, **sync_fields(*boot, vmi=spec))
        assert failed.reason == "Invalid"
        assert "spec.domain.devices.gpus" in failed.message
        assert handler.states[-1].phase == "NoDomain"


async def test_a_guest_that_qemu_refuses_ends_as_failed_with_qemus_words(boot: Boot) -> None:
    async with running_pod() as (_, handler):
        failed = await handler.ask(wire.Sync, **sync_fields(Path("/nowhere"), boot[1]))
        assert failed.reason == "HostFault"
        state = await handler.wait_phase("Ended")
        assert state.end_reason == "Failed"
        assert "/nowhere" in state.message


async def test_a_guest_with_reboot_policy_terminate_ends_when_it_reboots(boot: Boot) -> None:
    async with running_guest(boot, vmi=vmi(rebootPolicy="Terminate")) as (pod, handler):
        async with serial(pod) as (reader, writer):
            await read_until(reader, b"# ")
            writer.write(b"reboot -f\n")
        assert (await handler.wait_phase("Ended")).end_reason == "Shutdown"


async def test_typed_keys_arrive_in_order(boot: Boot) -> None:
    keys = {"e": 18, "c": 46, "h": 35, "o": 24, " ": 57, "7": 8, "/": 53, "d": 32, "v": 47, "t": 20, "y": 21}
    chords: tuple[tuple[int, ...], ...] = (
        *((keys[char],) for char in "echo 7 7 7 "),
        (42, 52),  # shift and . are >
        *((keys[char],) for char in "/dev/tty"),
        (42, 31),
        (11,),
        (28,),
    )
    spec = vmi()
    spec["spec"]["domain"]["firmware"]["kernelBoot"]["kernelArgs"] = "console=tty0 console=ttyS0 getty=tty1"
    async with running_guest(boot, vmi=spec) as (pod, handler), serial(pod) as (reader, _):
        await read_until(reader, b"# ")
        assert isinstance(await handler.ask(wire.SendKeys, chords=chords), wire.Done)
        await read_until(reader, b"7 7 7")


async def test_another_user_is_not_listened_to(boot: Boot) -> None:
    async with running_pod() as (pod, handler):
        await handler.wait_phase("NoDomain")
        path = pod.private / "launcher.sock"
        for item in (path, pod.root):
            item.chmod(0o777)
        script = f"import socket; s = socket.socket(1); s.connect({str(path)!r}); print(s.recv(10))"
        process = await asyncio.create_subprocess_exec(
            *("setpriv", "--reuid=nobody", "--clear-groups", "/usr/bin/python3", "-c", script),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await process.communicate()
        assert out in (b"b''\n", b""), err
        assert out or b"ConnectionReset" in err
        assert isinstance(await handler.ask(wire.Destroy), wire.Done)
