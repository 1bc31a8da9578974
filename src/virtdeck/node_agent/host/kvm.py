"""Whether KVM works: /dev/kvm may open and still be of no use, so a machine is started with it.

The answer is kept for as long as the kernel runs; nothing else changes it.
"""

import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import anyio
import msgspec
import structlog

from virtdeck.node_agent.host.kvm_rom import DEBUG_EXIT_PORT, EXIT_CODE, probe_rom

KVM_DEVICE = Path("/dev/kvm")
QEMU = "qemu-system-x86_64"
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_NOTE = "kvm.json"
# The machine needs 0.1 s under emulation; a KVM that hangs is one that does not work.
_DEADLINE_SECONDS = 5.0

log = structlog.get_logger()


class KvmVerdict(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Whether guests can use KVM here, and why not. reason: CamelCase."""

    usable: bool
    reason: str
    message: str


class _Note(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    boot_id: str
    verdict: KvmVerdict


@dataclass(frozen=True)
class ProbeRun:
    """How the probe's machine ended; no code when it had to be killed."""

    code: int | None
    errors: str = ""


async def find_verdict(state_dir: Path) -> KvmVerdict:
    """What a probe since this boot found, or finds now."""
    known = read_note(state_dir)
    if known is not None:
        return known
    verdict = await probe_kvm()
    log.info("kvm_probed", usable=verdict.usable, reason=verdict.reason, message=verdict.message)
    write_note(state_dir, verdict)
    return verdict


def read_note(state_dir: Path) -> KvmVerdict | None:
    """What a probe since this boot found; None without one."""
    try:
        note = msgspec.json.decode((state_dir / _NOTE).read_bytes(), type=_Note)
    except (OSError, msgspec.DecodeError):
        return None  # none yet, or one of another release
    return note.verdict if note.boot_id == _boot_id() else None


def write_note(state_dir: Path, verdict: KvmVerdict) -> None:
    """The verdict is kept for this boot."""
    note = state_dir / _NOTE
    fresh = note.with_suffix(".new")
    fresh.write_bytes(msgspec.json.encode(_Note(boot_id=_boot_id(), verdict=verdict)))
    fresh.replace(note)


def _boot_id() -> str:
    return _BOOT_ID.read_text().strip()


async def probe_kvm() -> KvmVerdict:
    """A machine was started with KVM, or there is no device to start it with."""
    try:
        os.close(os.open(KVM_DEVICE, os.O_RDWR | os.O_CLOEXEC))
    except FileNotFoundError:
        return KvmVerdict(usable=False, reason="NoDevice", message=f"there is no {KVM_DEVICE}")
    except OSError as fault:
        message = f"{KVM_DEVICE} cannot be opened: {fault.strerror}"
        return KvmVerdict(usable=False, reason="DeviceUnusable", message=message)
    return judge(await _start_machine())


def judge(run: ProbeRun) -> KvmVerdict:
    """What the machine's end says of KVM."""
    if run.code == EXIT_CODE:
        return KvmVerdict(usable=True, reason="Probed", message="a machine ran with KVM on this node")
    if run.code is None:
        message = (
            f"a machine started with KVM hung for {_DEADLINE_SECONDS:.0f} s without running its firmware"
        )
        return KvmVerdict(usable=False, reason="MachineHung", message=message)
    line = next(
        (line for line in run.errors.splitlines() if line.strip()), f"QEMU ended with code {run.code}"
    )
    return KvmVerdict(
        usable=False, reason="MachineFailed", message=f"a machine started with KVM failed: {line[:300]}"
    )


async def _start_machine() -> ProbeRun:
    with tempfile.NamedTemporaryFile(prefix="virtdeck-kvm-", suffix=".rom") as rom:
        rom.write(probe_rom())
        rom.flush()
        command = [
            QEMU, "-machine", "q35", "-accel", "kvm", "-cpu", "host", "-m", "16",
            "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-bios", rom.name,
            "-device", f"isa-debug-exit,iobase={DEBUG_EXIT_PORT:#x},iosize=4",
        ]  # fmt: skip
        try:
            process = await anyio.open_process(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        except FileNotFoundError:
            return ProbeRun(127, f"{QEMU} is not installed")
        async with process:
            errors = b""
            with anyio.move_on_after(_DEADLINE_SECONDS):
                if process.stderr is not None:
                    errors = b"".join([chunk async for chunk in process.stderr])
                return ProbeRun(await process.wait(), errors.decode(errors="replace"))
            process.kill()
            return ProbeRun(None)
