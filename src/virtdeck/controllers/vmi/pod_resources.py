"""What a launcher pod asks of its node: memory with the overhead of running a guest, processors, devices."""

from virtdeck.controllers.cluster import ClusterConfig
from virtdeck.crds.core.pod_containers import Resources
from virtdeck.crds.kubevirt.cpu import CPU
from virtdeck.crds.kubevirt.memory import Memory, ResourceRequirements
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.quantity import format_bytes, format_milli, parse_bytes, parse_milli, parse_quantity
from virtdeck.crds.scalars import Quantity

MIB = 1024 * 1024

# Measured without a guest's memory: the launcher and libvirtd, QEMU's own code, tables and device models.
LAUNCHER = 26 * MIB
LIBVIRT = 18 * MIB
QEMU = 20 * MIB
EACH_VCPU = 8 * MIB
IO_THREADS = 8 * MIB
GRAPHICS = 32 * MIB  # 16 MiB of video memory, and VNC's copy of the screen
ARM64 = 128 * MIB  # firmware in two flash chips of 64 MiB
VFIO = 1024 * MIB
TPM = 53 * MIB
DEDICATED = 100 * MIB
PAGE_TABLE_SHARE = 512  # one page table of 4 KiB maps 2 MiB
KVM_DEVICE = "devices.kubevirt.io/kvm"


def vcpu_count(cpu: CPU | None) -> int:
    """The processors that the guest sees at boot."""
    cpu = cpu or CPU()
    return max(cpu.sockets or 1, 1) * max(cpu.cores or 1, 1) * max(cpu.threads or 1, 1)


def guest_bytes(vmi: VirtualMachineInstance) -> int:
    """The guest's memory; admission sees to it that one of its sources is there."""
    domain = vmi.spec.domain
    memory, resources = domain.memory or Memory(), domain.resources or ResourceRequirements()
    requested = (resources.requests or {}).get("memory") or (resources.limits or {}).get("memory")
    amount = memory.guest or requested
    if amount is None and memory.hugepages:
        amount = memory.hugepages.page_size
    return parse_bytes(amount) if amount is not None else 0


def overhead_bytes(vmi: VirtualMachineInstance, config: ClusterConfig) -> int:
    """The memory that running this guest costs beside the guest's own."""
    domain = vmi.spec.domain
    devices, cpu = domain.devices, domain.cpu or CPU()
    terms = (
        guest_bytes(vmi) // PAGE_TABLE_SHARE,
        LAUNCHER + LIBVIRT + QEMU,
        EACH_VCPU * vcpu_count(cpu),
        IO_THREADS if domain.io_threads_policy else 0,
        GRAPHICS if devices.autoattach_graphics_device is not False else 0,
        ARM64 if vmi.spec.architecture == "arm64" else 0,
        VFIO if devices.gpus or devices.host_devices else 0,
        TPM if devices.tpm and devices.tpm.enabled is not False else 0,
        DEDICATED if cpu.dedicated_cpu_placement else 0,
        _added(domain.memory),
    )
    return int(sum(terms) * config.overhead_ratio)


def pod_resources(vmi: VirtualMachineInstance, config: ClusterConfig) -> Resources:
    """Requests and limits of the compute container."""
    domain = vmi.spec.domain
    asked = domain.resources or ResourceRequirements()
    overhead = 0 if asked.overcommit_guest_overhead else overhead_bytes(vmi, config)
    requests: dict[str, Quantity] = _others(asked.requests)
    limits: dict[str, Quantity] = _others(asked.limits)
    requests["cpu"] = _cpu_request(domain.cpu, asked, config)
    if cpu_limit := (asked.limits or {}).get("cpu"):
        limits["cpu"] = cpu_limit
    requests |= _memory_requests(vmi, config, overhead)
    if memory_limit := (asked.limits or {}).get("memory"):
        limits["memory"] = format_bytes(parse_bytes(memory_limit) + overhead)
    if not config.use_emulation:
        limits[KVM_DEVICE] = "1"
    return Resources(requests=requests, limits=limits or None)


def _cpu_request(cpu: CPU | None, asked: ResourceRequirements, config: ClusterConfig) -> Quantity:
    given = (asked.requests or {}).get("cpu")
    if given is not None:
        return given
    if cpu and cpu.dedicated_cpu_placement:
        return str(vcpu_count(cpu))
    milli = max(vcpu_count(cpu) * 1000 // config.cpu_allocation_ratio, 1)
    limit = (asked.limits or {}).get("cpu")
    return format_milli(min(milli, parse_milli(limit)) if limit is not None else milli)


def _memory_requests(
    vmi: VirtualMachineInstance, config: ClusterConfig, overhead: int
) -> dict[str, Quantity]:
    memory = vmi.spec.domain.memory
    if memory and memory.hugepages and memory.hugepages.page_size:
        pages = f"hugepages-{memory.hugepages.page_size}"
        return {pages: format_bytes(guest_bytes(vmi)), "memory": format_bytes(overhead)}
    given = ((vmi.spec.domain.resources or ResourceRequirements()).requests or {}).get("memory")
    wanted = parse_bytes(given) if given else guest_bytes(vmi) * 100 // config.memory_overcommit
    return {"memory": format_bytes(wanted + overhead)}


def _added(memory: Memory | None) -> int:
    reserved = memory.reserved_overhead if memory else None
    return parse_bytes(reserved.added_overhead) if reserved and reserved.added_overhead else 0


def _others(amounts: dict[str, Quantity] | None) -> dict[str, Quantity]:
    """Extended resources as they were asked for; Raises: Invalid when an amount is none."""
    return {
        name: amount
        for name, amount in (amounts or {}).items()
        if name not in ("cpu", "memory") and parse_quantity(amount) >= 0
    }
