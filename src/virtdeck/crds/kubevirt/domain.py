"""The machine that a VMI asks for: ``spec.domain``."""

from virtdeck.crds.kubevirt.clock import Clock
from virtdeck.crds.kubevirt.cpu import CPU
from virtdeck.crds.kubevirt.devices import Devices
from virtdeck.crds.kubevirt.features import Features
from virtdeck.crds.kubevirt.firmware import Firmware
from virtdeck.crds.kubevirt.memory import Memory, ResourceRequirements
from virtdeck.crds.kubevirt.security import LaunchSecurity
from virtdeck.crds.model import Model


class Chassis(Model, frozen=True, kw_only=True):
    """TBD"""

    asset: str | None = None
    manufacturer: str | None = None
    serial: str | None = None
    sku: str | None = None
    version: str | None = None


class DiskIOThreads(Model, frozen=True, kw_only=True):
    """TBD"""

    supplemental_pool_thread_count: int | None = None


class Machine(Model, frozen=True, kw_only=True):
    """TBD"""

    type: str | None = None


class DomainSpec(Model, frozen=True, kw_only=True):
    """TBD"""

    chassis: Chassis | None = None
    clock: Clock | None = None
    cpu: CPU | None = None
    devices: Devices
    features: Features | None = None
    firmware: Firmware | None = None
    io_threads: DiskIOThreads | None = None
    io_threads_policy: str | None = None
    launch_security: LaunchSecurity | None = None
    machine: Machine | None = None
    memory: Memory | None = None
    reboot_policy: str | None = None
    resources: ResourceRequirements | None = None
