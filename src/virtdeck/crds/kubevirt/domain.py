"""The machine that a VMI asks for: ``spec.domain``."""

from typing import Annotated

from virtdeck.crds.kubevirt.clock import Clock
from virtdeck.crds.kubevirt.cpu import CPU
from virtdeck.crds.kubevirt.devices import Devices
from virtdeck.crds.kubevirt.features import Features
from virtdeck.crds.kubevirt.firmware import Firmware
from virtdeck.crds.kubevirt.memory import Memory, ResourceRequirements
from virtdeck.crds.kubevirt.security import LaunchSecurity
from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Count


class Chassis(Model, frozen=True, kw_only=True):
    """What the firmware says of the case."""

    asset: Annotated[str | None, doc("Asset tag.")] = None
    manufacturer: Annotated[str | None, doc("Manufacturer.")] = None
    serial: Annotated[str | None, doc("Serial number.")] = None
    sku: Annotated[str | None, doc("Article number.")] = None
    version: Annotated[str | None, doc("Version.")] = None


class DiskIOThreads(Model, frozen=True, kw_only=True):
    """Threads for disks."""

    supplemental_pool_thread_count: Annotated[
        Count | None, doc("How many threads there are with the policy supplementalPool.")
    ] = None


class Machine(Model, frozen=True, kw_only=True):
    """The kind of machine."""

    type: Annotated[str | None, doc("q35, or one of its versions.")] = None


class DomainSpec(Model, frozen=True, kw_only=True):
    """The machine that the guest sees."""

    chassis: Annotated[Chassis | None, doc("What the firmware says of the case.")] = None
    clock: Annotated[Clock | None, doc("The guest's clock.")] = None
    cpu: Annotated[CPU | None, doc("Processors.")] = None
    devices: Annotated[Devices, doc("Disks, network cards and all other devices.")]
    features: Annotated[Features | None, doc("Features of the machine.")] = None
    firmware: Annotated[Firmware | None, doc("What the guest's firmware is and says.")] = None
    io_threads: Annotated[DiskIOThreads | None, doc("Threads for disks.")] = None
    io_threads_policy: Annotated[
        str | None, doc("How disks share threads: shared, auto or supplementalPool.")
    ] = None
    launch_security: Annotated[LaunchSecurity | None, doc("The host cannot read the guest's memory.")] = None
    machine: Annotated[Machine | None, doc("The kind of machine.")] = None
    memory: Annotated[Memory | None, doc("Memory.")] = None
    reboot_policy: Annotated[
        str | None, doc("What a reboot by the guest does: Reboot (the default) or Terminate.")
    ] = None
    resources: Annotated[ResourceRequirements | None, doc("What the pod asks of the node.")] = None
