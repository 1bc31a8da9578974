"""The whole document."""

from msgspec import field

from virtdeck.launcher.domain.elements.base import Element, Leaf
from virtdeck.launcher.domain.elements.devices import Devices
from virtdeck.launcher.domain.elements.machine import (
    Clock,
    Cpu,
    Features,
    Iothread,
    Memory,
    Os,
    Sysinfo,
    Vcpu,
)


class Domain(Element, frozen=True, kw_only=True):
    """Source: domain."""

    type: str
    name: Leaf
    uuid: Leaf
    memory: Memory
    vcpu: Vcpu
    iothreads: Iothread | None = None
    sysinfo: Sysinfo | None = None
    os: Os
    features: Features
    cpu: Cpu
    clock: Clock
    on_poweroff: Leaf | None = field(default=None, name="on_poweroff")
    on_reboot: Leaf | None = field(default=None, name="on_reboot")
    on_crash: Leaf | None = field(default=None, name="on_crash")
    devices: Devices
