"""Sizes of a disk's blocks (V142–V148)."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.disks import CustomBlockSize
from virtdeck.gateway.admission.rule import INVALID, Place, Rules, at
from virtdeck.gateway.admission.rules.disks import bus_of
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

_SIZE = "spec.domain.devices.disks[].blockSize"
_CUSTOM = f"{_SIZE}.custom"
_LEAST, _MOST = 512, 2 * 2**20


@RULES.rule("V142", f"{_CUSTOM}.{{logical|physical}}", INVALID, f"must be at least {_LEAST} bytes")
def block_is_not_too_small(vmi: Subject) -> Iterator[Place]:
    """It is smaller."""
    for index, name, size in _sizes(vmi):
        if size < _LEAST:
            yield at(index, name)


@RULES.rule("V143", f"{_CUSTOM}.{{logical|physical}}", INVALID, f"must be at most {_MOST} bytes")
def block_is_not_too_large(vmi: Subject) -> Iterator[Place]:
    """It is larger."""
    for index, name, size in _sizes(vmi):
        if size > _MOST:
            yield at(index, name)


@RULES.rule("V144", f"{_CUSTOM}.{{logical|physical}}", INVALID, "must be a power of two, as 512 or 4096")
def block_is_a_power_of_two(vmi: Subject) -> Iterator[Place]:
    """It is another number."""
    for index, name, size in _sizes(vmi):
        if _LEAST <= size <= _MOST and size & (size - 1):
            yield at(index, name)


@RULES.rule("V145", f"{_CUSTOM}.logical", INVALID, "must not be more than physical, {physical}")
def logical_block_fits_the_physical(vmi: Subject) -> Iterator[Place]:
    """It is more."""
    for index, size, _ in _customs(vmi):
        if (size.logical or 0) > (size.physical or 0):
            yield at(index, physical=size.physical or 0)


@RULES.rule("V146", f"{_CUSTOM}.logical", INVALID, f"must be {_LEAST} on the bus sata")
def sata_block_is_small(vmi: Subject) -> Iterator[Place]:
    """The bus is sata, whose controllers know no other size."""
    for index, size, bus in _customs(vmi):
        if bus == "sata" and (size.logical or 0) > _LEAST:
            yield at(index)


@RULES.rule("V147", f"{_CUSTOM}.discardGranularity", INVALID, "must be a multiple of logical, {logical}")
def discards_are_whole_blocks(vmi: Subject) -> Iterator[Place]:
    """It is none."""
    for index, size, _ in _customs(vmi):
        if size.discard_granularity and size.logical and size.discard_granularity % size.logical:
            yield at(index, logical=size.logical)


@RULES.rule("V148", _SIZE, INVALID, "must have either custom or matchVolume, not both")
def block_size_is_chosen_once(vmi: Subject) -> Iterator[Place]:
    """Both are given."""
    for index, disk in enumerate(vmi.disks):
        size = disk.block_size
        match = size.match_volume if size else None
        if size and size.custom is not None and match is not None and match.enabled is not False:
            yield at(index)


def _customs(vmi: Subject) -> Iterator[tuple[int, CustomBlockSize, str | None]]:
    for index, disk in enumerate(vmi.disks):
        if disk.block_size is not None and disk.block_size.custom is not None:
            yield index, disk.block_size.custom, bus_of(disk)


def _sizes(vmi: Subject) -> Iterator[tuple[int, str, int]]:
    for index, size, _ in _customs(vmi):
        yield index, "logical", size.logical or 0
        yield index, "physical", size.physical or 0
