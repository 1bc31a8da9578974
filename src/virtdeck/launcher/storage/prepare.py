"""Makes the files of a storage plan, all at the same time."""

# pathlib would cost each launcher 3 ms and 0.5 MB.
# ruff: noqa: PTH103, PTH106, PTH108, PTH116, PTH123, PTH208

import asyncio
import contextlib
import os
from typing import Final

from virtdeck.basis.errors import Absent, Invalid
from virtdeck.launcher.children import Children
from virtdeck.launcher.storage.plan import MakeEmptyDisk, MakeOverlay, MakeSeed, Step, StoragePlan
from virtdeck.launcher.storage.seed import Content, SecretRef

DEADLINE_SECONDS: Final = 30.0
MAX_SEED_FILE_BYTES: Final = 16 * 1024 * 1024  # a Secret holds at most 1 MiB

# Direct I/O needs whole blocks, and a host's may be this large; ISO 9660 counts in 2 KiB.
BLOCK_BYTES: Final = 4096

_XORRISOFS: Final = ("xorrisofs", "-quiet", "-joliet", "-rock", "-graft-points")


async def prepare(plan: StoragePlan, children: Children) -> None:
    """Every file of the plan is there, readable by this user alone. Raises: Absent, Invalid, HostFault."""
    try:
        async with asyncio.TaskGroup() as tasks:
            for step in plan.steps:
                tasks.create_task(_make(step, children))
    except BaseExceptionGroup as faults:
        raise faults.exceptions[0] from None


def takes_direct_io(folder: str) -> bool:
    """Files in this folder can be opened with O_DIRECT (not so on tmpfs and some overlays)."""
    probe = f"{folder}/.direct-io"
    try:
        os.close(os.open(probe, os.O_RDWR | os.O_CREAT | os.O_DIRECT | os.O_CLOEXEC, 0o600))
    except OSError:
        return False
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(probe)
    return True


async def _make(step: Step, children: Children) -> None:
    match step:
        case MakeOverlay():
            # -u: the size is known from the inspection, the image need not be opened to learn it.
            backing = ["-u", "-b", step.backing, "-F", step.backing_format]
            await _create_qcow2(step.path, step.size, children, backing)
        case MakeEmptyDisk():
            await _create_qcow2(step.path, step.size, children, [])
        case MakeSeed():
            await _make_seed(step, children)


async def _create_qcow2(path: str, size: int, children: Children, backing: list[str]) -> None:
    arguments = ["qemu-img", "create", "-q", "-f", "qcow2", *backing, path, str(size)]
    await children.run(arguments, DEADLINE_SECONDS)


async def _make_seed(step: MakeSeed, children: Children) -> None:
    work = f"{step.path}.d"
    grafts = []
    os.makedirs(work, mode=0o700, exist_ok=True)
    for number, (name, content) in enumerate(sorted(step.seed.files.items())):
        path = f"{work}/{number}"
        _write(path, _read(content))
        grafts.append(f"{name}={path}")
    try:
        await children.run(
            [*_XORRISOFS, "-output", step.path, "-volid", step.seed.label, *grafts], DEADLINE_SECONDS
        )
        _fill_last_block(step.path)
    finally:
        for name in os.listdir(work):
            os.unlink(f"{work}/{name}")
        os.rmdir(work)


def _fill_last_block(path: str) -> None:
    size = os.stat(path).st_size
    os.truncate(path, -(-size // BLOCK_BYTES) * BLOCK_BYTES)


def _read(content: Content) -> bytes:
    if isinstance(content, bytes):
        return content
    for key in content.keys:
        with contextlib.suppress(FileNotFoundError):
            return _read_file(f"{content.folder}/{key}", content)
    volume = content.folder.rpartition("/")[2].rpartition("-")[0]  # as the pod's volume is named after it
    raise Absent(f"the secret of the volume {volume} has none of the keys {', '.join(content.keys)}")


def _read_file(path: str, content: SecretRef) -> bytes:
    with open(path, "rb") as file:
        data = file.read(MAX_SEED_FILE_BYTES + 1)
    if len(data) > MAX_SEED_FILE_BYTES:
        raise Invalid(f"the Secret at {content.folder} is larger than {MAX_SEED_FILE_BYTES} bytes")
    return data


def _write(path: str, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with open(descriptor, "wb") as file:
        file.write(data)
