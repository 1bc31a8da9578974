"""One machine in full: its disks, networks and conditions."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from virtdeck.basis.errors import Invalid
from virtdeck.crds.kubevirt.disks import Disk
from virtdeck.crds.kubevirt.network import Interface, Network
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.kubevirt.volumes import Volume
from virtdeck.crds.meta import Condition
from virtdeck.crds.quantity import parse_bytes
from virtdeck.gateway.console.views.machine import size, spec_of, when
from virtdeck.web.words import Text, mark

GOOD_WHEN_TRUE = {
    "Ready",
    "LiveMigratable",
    "StorageLiveMigratable",
    "AgentConnected",
    "PodScheduled",
    "Synchronized",
    "Provisioning",
    "DataVolumesReady",
    "AccessCredentialsSynchronized",
}
WORTH_KNOWING = ("Paused", "RestartRequired", "SoftwareEmulation", "MigrationRequired")


@dataclass(frozen=True)
class DiskView:
    """A disk in the guest and what is behind it.

    lost_on: what loses its content: "stop", "delete" or "" (kept).
    """

    name: str
    bus: str
    device: str
    source: str | Text
    detail: str
    size: str
    lost_on: str
    boot_order: int | None


@dataclass(frozen=True)
class NicView:
    """A network interface of the guest."""

    name: str
    network: str | Text
    binding: str
    model: str
    mac: str
    addresses: tuple[str, ...]


@dataclass(frozen=True)
class ConditionView:
    """A condition; ``kind`` says whether its answer is good news."""

    type: str
    status: str
    kind: str
    shape: str
    reason: str
    message: str
    since: datetime | None


_SHAPES = {"idle": "stop", "good": "done", "bad": "bad", "warn": "warn"}


def condition_view(one: Condition, kind: str) -> ConditionView:
    """The condition as good news, bad, worth knowing (``warn``) or neither (``idle``)."""
    since = when(one.last_transition_time)
    return ConditionView(
        one.type, one.status, kind, _SHAPES[kind], one.reason or "", one.message or "", since
    )


@dataclass(frozen=True)
class _Source:
    """How one kind of volume source is shown: its words, a detail, its size, and what loses its content."""

    words: str
    detail: Callable[[Any], str | None] = lambda _: ""
    amount: Callable[[Any], Any] = lambda _: None
    lost_on: str = ""


_SOURCES = {
    "container_disk": _Source(mark("Image, changes are not kept"), lambda one: one.image, lost_on="stop"),
    "empty_disk": _Source(mark("Empty disk, not kept"), amount=lambda one: one.capacity, lost_on="stop"),
    "ephemeral": _Source(
        mark("Overlay on a claim, changes are not kept"),
        lambda one: one.persistent_volume_claim and one.persistent_volume_claim.claim_name,
        lost_on="stop",
    ),
    "persistent_volume_claim": _Source(mark("Claim"), lambda one: one.claim_name),
    "data_volume": _Source(mark("Data volume"), lambda one: one.name),
    "host_disk": _Source(mark("File on the node"), lambda one: one.path, lambda one: one.capacity),
    "cloud_init_no_cloud": _Source(mark("cloud-init"), lambda _: "NoCloud", lost_on="delete"),
    "cloud_init_config_drive": _Source(mark("cloud-init"), lambda _: "ConfigDrive", lost_on="delete"),
    "secret": _Source(mark("Secret"), lambda one: one.secret_name),
    "config_map": _Source(mark("ConfigMap"), lambda one: one.name),
    "service_account": _Source(mark("Service account"), lambda one: one.service_account_name),
    "sysprep": _Source(mark("Windows answer file")),
}


def _source(volume: Volume | None) -> tuple[str, str, str, str]:
    """What a volume is, its detail, its size, and what loses its content."""
    if volume is None:
        return mark("volume is missing"), "", "", ""
    for name, source in _SOURCES.items():
        one = getattr(volume, name)
        if one is not None:
            return source.words, source.detail(one) or "", _size(source.amount(one)), source.lost_on
    return mark("Other"), "", "", ""


def _size(amount: str | int | float | None) -> str:
    try:
        return size(parse_bytes(amount)) if amount is not None else ""
    except Invalid:
        return str(amount)


def _device(disk: Disk) -> tuple[str, str]:
    """Device and bus as the guest sees them."""
    if disk.cdrom:
        return "CD-ROM", disk.cdrom.bus or "sata"
    if disk.lun:
        return "LUN", disk.lun.bus or "virtio"
    return "disk", (disk.disk and disk.disk.bus) or "virtio"


def disks_of(vm: VirtualMachine | None, vmi: VirtualMachineInstance | None) -> tuple[DiskView, ...]:
    """The machine's disks, with the sizes that the node has seen."""
    spec = spec_of(vm, vmi)
    if spec is None:
        return ()
    volumes = {volume.name: volume for volume in spec.volumes or ()}
    listed = {disk.name for disk in spec.domain.devices.disks or ()}
    disks = list(spec.domain.devices.disks or ()) + [
        Disk(name=name) for name in volumes if name not in listed
    ]
    seen = {one.name: one.size for one in (vmi and vmi.status and vmi.status.volume_status) or ()}
    return tuple(_disk(disk, volumes.get(disk.name), seen.get(disk.name)) for disk in disks)


def _disk(disk: Disk, volume: Volume | None, seen_size: int | None) -> DiskView:
    source, detail, said, lost_on = _source(volume)
    device, bus = _device(disk)
    return DiskView(
        name=disk.name,
        bus=bus,
        device=device,
        source=source,
        detail=detail,
        size=said or (size(seen_size) if seen_size else ""),
        lost_on=lost_on,
        boot_order=disk.boot_order,
    )


def _binding(interface: Interface) -> str:
    for name in ("masquerade", "bridge", "sriov", "passt", "slirp", "macvtap"):
        if getattr(interface, name) is not None:
            return name
    return interface.binding.name if interface.binding else "bridge"


def _network(network: Network | None) -> str | Text:
    if network is None:
        return mark("network is missing")
    return network.multus.network_name if network.multus else mark("Pod network")


def nics_of(vm: VirtualMachine | None, vmi: VirtualMachineInstance | None) -> tuple[NicView, ...]:
    """The machine's interfaces, with the addresses they have now."""
    spec = spec_of(vm, vmi)
    if spec is None:
        return ()
    networks = {network.name: network for network in spec.networks or ()}
    now = {one.name: one for one in (vmi and vmi.status and vmi.status.interfaces) or ()}
    found = []
    for interface in spec.domain.devices.interfaces or ():
        live = now.get(interface.name)
        addresses = (live.ip_addresses or ((live.ip_address,) if live.ip_address else ())) if live else ()
        found.append(
            NicView(
                name=interface.name,
                network=_network(networks.get(interface.name)),
                binding=_binding(interface),
                model=interface.model or "virtio",
                mac=(live and live.mac) or interface.mac_address or "",
                addresses=tuple(address for address in addresses if address),
            )
        )
    return tuple(found)


def conditions_of(*groups: tuple[Condition, ...] | None) -> tuple[ConditionView, ...]:
    """Conditions of the machine and its instance, each type once, bad news first."""
    found: dict[str, ConditionView] = {}
    for one in (condition for group in groups for condition in group or ()):
        good = (one.status == "True") == (one.type in GOOD_WHEN_TRUE)
        known = one.status in ("True", "False")
        neutral = one.type in (
            "LiveMigratable",
            "StorageLiveMigratable",
            "AgentConnected",
            "SoftwareEmulation",
        )
        kind = "idle" if (neutral and not good) or not known else "good" if good else "bad"
        if kind == "bad" and one.type in WORTH_KNOWING:
            kind = "warn"
        found[one.type] = condition_view(one, kind)
    return tuple(
        sorted(found.values(), key=lambda view: (("bad", "warn", "good", "idle").index(view.kind), view.type))
    )
