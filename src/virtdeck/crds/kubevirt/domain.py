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

    asset: Annotated[str | None, doc("Asset tag of the case, in the guest's DMI table.")] = None
    manufacturer: Annotated[str | None, doc("Manufacturer of the case.")] = None
    serial: Annotated[str | None, doc("Serial number of the case.")] = None
    sku: Annotated[str | None, doc("Article number of the case.")] = None
    version: Annotated[str | None, doc("Version of the case.")] = None


class DiskIOThreads(Model, frozen=True, kw_only=True):
    """Threads for disks."""

    supplemental_pool_thread_count: Annotated[
        Count | None,
        doc(
            "How many threads share the work of all disks; at least 1. Only with ioThreadsPolicy: "
            "supplementalPool, which needs it."
        ),
    ] = None


class Machine(Model, frozen=True, kw_only=True):
    """The kind of machine."""

    type: Annotated[
        str | None,
        doc(
            "q35 (the default on amd64), virt on arm64, s390-ccw-virtio on s390x, or one version of "
            "these, as pc-q35-7.2. The cluster's machineType when absent; a lasting machine keeps the one "
            "that it started with."
        ),
    ] = None


class DomainSpec(Model, frozen=True, kw_only=True):
    """The machine that the guest sees."""

    chassis: Annotated[Chassis | None, doc("What the firmware says of the machine's case.")] = None
    clock: Annotated[
        Clock | None,
        doc("The guest's clock and timers; UTC with the timers that suit most guests when absent."),
    ] = None
    cpu: Annotated[
        CPU | None, doc("How many processors the guest has and which; a single one when absent.")
    ] = None
    devices: Annotated[Devices, doc("Disks, network cards and all other devices.")]
    features: Annotated[
        Features | None,
        doc("ACPI, interrupt controllers and what makes Windows feel at home; ACPI alone when absent."),
    ] = None
    firmware: Annotated[
        Firmware | None,
        doc("What starts the guest, and how the machine is identified; SeaBIOS on amd64 when absent."),
    ] = None
    io_threads: Annotated[
        DiskIOThreads | None, doc("Threads for disks; only with ioThreadsPolicy: supplementalPool.")
    ] = None
    io_threads_policy: Annotated[
        str | None,
        doc(
            "Who does the disks' work: shared gives them one thread, auto up to two for each processor of "
            "the guest, supplementalPool as many as ioThreads says. QEMU's main thread when absent."
        ),
    ] = None
    launch_security: Annotated[
        LaunchSecurity | None,
        doc(
            "The guest's memory is encrypted, so that the host cannot read it. Needs a processor that can "
            "(AMD SEV, Intel TDX), and EFI."
        ),
    ] = None
    machine: Annotated[
        Machine | None, doc("The kind of machine; the architecture's usual one when absent.")
    ] = None
    memory: Annotated[Memory | None, doc("How much memory the guest has and of which kind.")] = None
    reboot_policy: Annotated[
        str | None,
        doc(
            "What a reboot by the guest does: Reboot (the default) starts it again on the same node, "
            "Terminate ends the VMI, so that the next start takes over changes."
        ),
    ] = None
    resources: Annotated[
        ResourceRequirements | None,
        doc("What the launcher's pod asks of the node; derived from cpu and memory when absent."),
    ] = None
