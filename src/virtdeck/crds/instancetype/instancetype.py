"""Instance types: how large a machine is."""

from typing import Annotated

from msgspec import Meta, field

from virtdeck.crds.kubevirt.cpu import NUMA, Realtime
from virtdeck.crds.kubevirt.domain import DiskIOThreads
from virtdeck.crds.kubevirt.host_devices import GPU, HostDevice
from virtdeck.crds.kubevirt.memory import Hugepages
from virtdeck.crds.kubevirt.security import LaunchSecurity
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Count, Quantity

Percent = Annotated[int, Meta(extra_json_schema={"format": "int32"})]


class CPUInstancetype(Model, frozen=True, kw_only=True):
    """The processors that every machine of this type has."""

    dedicated_cpu_placement: Annotated[
        bool | None,
        doc("Each processor of the guest has one of the host to itself; the pod asks for whole ones then."),
    ] = field(default=None, name="dedicatedCPUPlacement")
    guest: Annotated[
        Count,
        doc(
            "How many processors the guest sees. Whether they appear as sockets, cores or threads is the "
            "preference's choice (preferredCPUTopology); sockets without one."
        ),
    ]
    isolate_emulator_thread: Annotated[
        bool | None,
        doc("QEMU's own work runs on a further dedicated processor; needs dedicatedCPUPlacement."),
    ] = None
    max_sockets: Annotated[
        Count | None, doc("How many sockets the guest may grow to while it runs; the cluster's limit when 0.")
    ] = None
    model: Annotated[
        str | None, doc("host-model (the default), host-passthrough, or a model that libvirt knows.")
    ] = None
    numa: Annotated[
        NUMA | None, doc("Memory nodes of the guest; needs dedicatedCPUPlacement and huge pages.")
    ] = None
    realtime: Annotated[
        Realtime | None,
        doc("Scheduling for guests that must react in time; needs dedicatedCPUPlacement and numa."),
    ] = None


class MemoryInstancetype(Model, frozen=True, kw_only=True):
    """The memory that every machine of this type has."""

    guest: Annotated[Quantity, doc("Memory that the guest sees, as 512Mi or 4Gi.")]
    hugepages: Annotated[
        Hugepages | None, doc("Memory in large pages, which the node must have; excludes overcommitPercent.")
    ] = None
    max_guest: Annotated[
        Quantity | None, doc("How much memory the guest may grow to while it runs; the cluster's limit else.")
    ] = None
    overcommit_percent: Annotated[
        Percent | None,
        doc(
            "Share of the guest's memory, 0 to 100 percent, that the pod does not ask of the node; 10 lets "
            "the pod of a 4Gi guest request 3.6Gi. Excludes hugepages."
        ),
    ] = None


class VirtualMachineInstancetypeSpec(Model, frozen=True, kw_only=True):
    """What every machine of this type has; a virtual machine that uses it may not set the same itself."""

    annotations: Annotated[
        dict[str, str] | None, doc("Annotations of each VMI; the template may not give them other values.")
    ] = None
    cpu: Annotated[CPUInstancetype, doc("Processors.")]
    gpus: Annotated[tuple[GPU, ...] | None, doc("Graphics processors of the host.")] = None
    host_devices: Annotated[tuple[HostDevice, ...] | None, doc("Devices of the host.")] = None
    io_threads: Annotated[DiskIOThreads | None, doc("Threads for disks.")] = None
    io_threads_policy: Annotated[
        str | None, doc("How disks share threads: shared, auto or supplementalPool.")
    ] = None
    launch_security: Annotated[
        LaunchSecurity | None,
        doc("Deprecated, use preferredLaunchSecurity of a preference: the host cannot read the memory."),
    ] = None
    memory: Annotated[MemoryInstancetype, doc("Memory.")]
    node_selector: Annotated[
        dict[str, str] | None, doc("Labels that a node must have; the template may not name the same keys.")
    ] = None
    scheduler_name: Annotated[str | None, doc("Scheduler that places the pod; the cluster's own else.")] = (
        None
    )


class VirtualMachineInstancetype(Model, frozen=True, kw_only=True):
    """A size that the virtual machines of one namespace can share."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[VirtualMachineInstancetypeSpec, doc("What every machine of this type has.")]


class VirtualMachineClusterInstancetype(Model, frozen=True, kw_only=True):
    """A size that the virtual machines of all namespaces can share."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[VirtualMachineInstancetypeSpec, doc("What every machine of this type has.")]
