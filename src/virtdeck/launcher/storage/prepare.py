"""Makes the files of a storage plan, all at the same time."""

# pathlib would cost each launcher 3 ms and 0.5 MB.
# ruff: noqa: PTH103, PTH106, PTH108, PTH116, PTH120, PTH123

import asyncio
import contextlib
import os
from typing import Final

from virtdeck.basis.errors import Absent, Invalid
from virtdeck.launcher.children import Children
from virtdeck.launcher.storage.plan import (
    MakeEmptyDisk,
    MakeFilesDisk,
    MakeOverlay,
    MakeSeed,
    Step,
    StoragePlan,
)
from virtdeck.launcher.storage.seed import Content, MetaData, SecretRef, meta_data

DEADLINE_SECONDS: Final = 30.0
MAX_SEED_FILE_BYTES: Final = 16 * 1024 * 1024  # a Secret holds at most 1 MiB

# Direct I/O needs whole blocks, and a host's may be this large; ISO 9660 counts in 2 KiB.
BLOCK_BYTES: Final = 4096

# Only the guest's root reads a seed; what is handed over otherwise is root's, and everybody there reads it.
_FOR_ROOT: Final = "-rock"
_FOR_ALL: Final = "-rational-rock"

_XORRISOFS: Final = ("xorrisofs", "-quiet", "-joliet")


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
        case MakeFilesDisk():
            await _make_files_disk(step, children)


async def _create_qcow2(path: str, size: int, children: Children, backing: list[str]) -> None:
    arguments = ["qemu-img", "create", "-q", "-f", "qcow2", *backing, path, str(size)]
    await children.run(arguments, DEADLINE_SECONDS)


async def _make_seed(step: MakeSeed, children: Children) -> None:
    files = {name: _read(content) for name, content in step.seed.files.items()}
    await _make_iso(step.path, step.seed.label, files, children, _FOR_ROOT)


async def _make_files_disk(step: MakeFilesDisk, children: Children) -> None:
    try:
        files = _mounted(step.folder)
    except Invalid as fault:
        raise Invalid(f"volume {step.volume}: {fault.message}") from fault
    if step.one_of and not {name.lower() for name in files} & {*step.one_of}:
        raise Invalid(f"volume {step.volume}: has none of the keys {', '.join(step.one_of)}")
    await _make_iso(step.path, step.label, files, children, _FOR_ALL)


def _mounted(folder: str) -> dict[str, bytes]:
    # Most VMs have no such disk, and this is memory of every launcher that loads it.
    from virtdeck.safety.mounted_files import read_mounted_files
    from virtdeck.safety.paths import open_trusted

    with open_trusted(folder) as mount:
        return read_mounted_files(mount)


async def _make_iso(path: str, label: str, files: dict[str, bytes], children: Children, rock: str) -> None:
    """The image holds the files. Their names reach no command line: the program is given their folder."""
    work = f"{path}.d"
    os.makedirs(work, mode=0o700, exist_ok=True)
    try:
        for name, data in files.items():
            target = f"{work}/{name}"
            os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
            _write(target, data)
        await children.run([*_XORRISOFS, rock, "-output", path, "-volid", label, work], DEADLINE_SECONDS)
    finally:
        _remove_tree(work)
    _fill_last_block(path)


def _remove_tree(folder: str) -> None:
    # shutil would cost each launcher 0.6 MB; nobody else writes to this folder.
    for path, folders, files in os.walk(folder, topdown=False):
        for name in files:
            os.unlink(f"{path}/{name}")
        for name in folders:
            os.rmdir(f"{path}/{name}")
    os.rmdir(folder)


def _fill_last_block(path: str) -> None:
    size = os.stat(path).st_size
    os.truncate(path, -(-size // BLOCK_BYTES) * BLOCK_BYTES)


def _read(content: Content) -> bytes:
    if isinstance(content, bytes):
        return content
    if isinstance(content, MetaData):
        files = (_mounted(folder) for folder in content.key_folders)
        keys = (data.decode(errors="replace") for found in files for data in found.values())
        return meta_data(content, keys)
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
