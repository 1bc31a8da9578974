"""Volumes that are asked to be attached to a VirtualMachine or taken from it (V269–V281)."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.disks import Disk
from virtdeck.crds.kubevirt.vm_status import AddVolumeOptions
from virtdeck.crds.kubevirt.volumes import Volume
from virtdeck.gateway.admission.machine import Machine
from virtdeck.gateway.admission.rule import (
    DUPLICATE,
    FORBIDDEN,
    INVALID,
    NOT_SUPPORTED,
    REQUIRED,
    Place,
    Rules,
    at,
)
from virtdeck.gateway.admission.rules.disks import bus_of

RULES: Rules[Machine] = Rules("VM, its requests")

_REQUEST = "status.volumeRequests[]"
_ADD, _REMOVE = f"{_REQUEST}.addVolumeOptions", f"{_REQUEST}.removeVolumeOptions"
_DISK = f"{_ADD}.disk"
_ASKED = "{value!r} is asked for twice"


@RULES.rule("V269", _REQUEST, REQUIRED, "must have addVolumeOptions or removeVolumeOptions")
def request_asks_for_something(machine: Machine) -> Iterator[Place]:
    """It has neither."""
    for index, request in enumerate(machine.requests):
        if request.add_volume_options is None and request.remove_volume_options is None:
            yield at(index)


@RULES.rule("V270", _REQUEST, INVALID, "must have only one of addVolumeOptions, removeVolumeOptions")
def request_asks_for_one_thing(machine: Machine) -> Iterator[Place]:
    """It has both."""
    for index, request in enumerate(machine.requests):
        if request.add_volume_options is not None and request.remove_volume_options is not None:
            yield at(index)


@RULES.rule("V271", f"{_ADD}.name", DUPLICATE, _ASKED)
def volume_is_added_once(machine: Machine) -> Iterator[Place]:
    """An earlier request adds it."""
    seen: set[str] = set()
    for index, options in _added(machine):
        if options.name in seen:
            yield at(index, value=options.name)
        seen.add(options.name)


@RULES.rule("V272", f"{_REMOVE}.name", DUPLICATE, _ASKED)
def volume_is_removed_once(machine: Machine) -> Iterator[Place]:
    """An earlier request removes it."""
    seen: set[str] = set()
    for index, request in enumerate(machine.requests):
        options = request.remove_volume_options
        if options is not None and options.name in seen:
            yield at(index, value=options.name)
        if options is not None:
            seen.add(options.name)


@RULES.rule("V273", f"{_ADD}.name", INVALID, "{name!r} is another volume of spec.template.spec.volumes")
def added_volume_is_new_to_the_template(machine: Machine) -> Iterator[Place]:
    """The template has a volume of this name with another source."""
    known = {volume.name: volume for volume in machine.vm.spec.template.spec.volumes or ()}
    return _clashes(machine, known)


@RULES.rule("V274", f"{_ADD}.name", INVALID, "{name!r} is another volume of the running guest")
def added_volume_is_new_to_the_guest(machine: Machine) -> Iterator[Place]:
    """The running VMI has a volume of this name with another source."""
    volumes = machine.running.spec.volumes if machine.running else None
    return _clashes(machine, {volume.name: volume for volume in volumes or ()})


@RULES.rule("V275", "status.volumeRequests", FORBIDDEN, "must wait until the guest has moved to its new node")
def volumes_rest_while_the_guest_moves(machine: Machine) -> Iterator[Place]:
    """The VMI is being migrated."""
    state = machine.running.status.migration_state if machine.running else None
    if machine.requests and state is not None and not state.completed and not state.failed:
        yield at()


@RULES.rule("V276", _DISK, REQUIRED, "must be given with the name of the volume")
def added_disk_is_given(machine: Machine) -> Iterator[Place]:
    """It is empty or has another name."""
    for index, options in _added(machine):
        if options.disk.name not in ("", options.name) or _is_empty(options.disk):
            yield at(index)


@RULES.rule(
    "V277",
    f"{_DISK}.disk.bus",
    NOT_SUPPORTED,
    "{value!r} cannot be added to a running guest; use scsi or virtio",
)
def added_disk_is_on_a_live_bus(machine: Machine) -> Iterator[Place]:
    """It is another."""
    for index, options in _added(machine):
        target = options.disk.disk
        if target is not None and target.bus not in ("scsi", "virtio"):
            yield at(index, value=target.bus or "")


@RULES.rule(
    "V278", f"{_DISK}.lun.bus", NOT_SUPPORTED, "{value!r} cannot be added to a running guest; use scsi"
)
def added_lun_is_on_scsi(machine: Machine) -> Iterator[Place]:
    """It is another."""
    for index, options in _added(machine):
        target = options.disk.lun
        if target is not None and target.bus != "scsi":
            yield at(index, value=target.bus or "")


@RULES.rule("V279", f"{_DISK}.cdrom", FORBIDDEN, "cannot be added to a running guest; use disk or lun")
def added_disk_is_no_drive(machine: Machine) -> Iterator[Place]:
    """It is given; drives are filled and emptied in the template."""
    for index, options in _added(machine):
        if options.disk.cdrom is not None:
            yield at(index)


@RULES.rule("V280", f"{_DISK}.dedicatedIOThread", FORBIDDEN, "needs the bus virtio")
def added_io_thread_is_on_virtio(machine: Machine) -> Iterator[Place]:
    """The bus is another."""
    for index, options in _added(machine):
        if options.disk.dedicated_io_thread and bus_of(options.disk) != "virtio":
            yield at(index)


@RULES.rule("V281", f"{_DISK}.bootOrder", INVALID, "must be 1 or more")
def added_boot_order_counts(machine: Machine) -> Iterator[Place]:
    """It is 0 or less."""
    for index, options in _added(machine):
        if options.disk.boot_order is not None and options.disk.boot_order < 1:
            yield at(index)


def _added(machine: Machine) -> Iterator[tuple[int, AddVolumeOptions]]:
    for index, request in enumerate(machine.requests):
        if request.add_volume_options is not None:
            yield index, request.add_volume_options


def _is_empty(disk: Disk) -> bool:
    return disk.disk is None and disk.lun is None and disk.cdrom is None


def _clashes(machine: Machine, known: dict[str, Volume]) -> Iterator[Place]:
    for index, options in _added(machine) if known else ():
        before = known.get(options.name)
        source = options.volume_source
        wanted = (source.persistent_volume_claim, source.data_volume)
        if before is not None and (before.persistent_volume_claim, before.data_volume) != wanted:
            yield at(index, name=options.name)
