"""Architecture, machine type, firmware, CPU model and what annotations say of them (D9, D24, D28, D29, D33,
D34, D38)."""

from virtdeck.crds.plain import part, unset
from virtdeck.gateway.admission.cluster import EVEN_PARITY
from virtdeck.gateway.admission.default import Defaults
from virtdeck.gateway.admission.defaults.draft import Draft

DEFAULTS: Defaults[Draft] = Defaults("VMI")

PCI_TOPOLOGY = "kubevirt.io/pci-topology-version"
PCI_TOPOLOGY_VERSION = "v3"
PCI_MACHINES = ("q35", "pc-q35", "virt")
QUOTE_SOCKET = "kubevirt.io/qgs-socket-path"


@DEFAULTS.fills("D9a", "spec.architecture", "the cluster's defaultArchitecture")
def architecture(draft: Draft) -> None:
    """It is absent."""
    unset(draft.spec, "architecture", draft.cluster.architecture)


@DEFAULTS.fills(
    "D9b",
    "spec.domain.machine.type",
    "q35, virt or s390-ccw-virtio by architecture, or the cluster's machineType",
)
def machine_type(draft: Draft) -> None:
    """It is absent."""
    machine = draft.cluster.machine_types.get(draft.architecture)
    if machine:
        unset(part(draft.domain, "machine"), "type", machine)


@DEFAULTS.fills("D38", f"metadata.annotations[{PCI_TOPOLOGY}]", PCI_TOPOLOGY_VERSION)
def pci_topology(draft: Draft) -> None:
    """It is absent and the machine is q35 or virt: no later release may renumber a guest's devices."""
    machine = (draft.domain.get("machine") or {}).get("type") or ""
    if machine.startswith(PCI_MACHINES):
        draft.annotate(PCI_TOPOLOGY, PCI_TOPOLOGY_VERSION)


@DEFAULTS.fills("D24", "spec.domain.firmware.uuid", "a random UUID")
def identity(draft: Draft) -> None:
    """It is absent."""
    firmware = part(draft.domain, "firmware")
    if firmware.get("uuid") in (None, ""):
        firmware["uuid"] = draft.fresh.new_id()


@DEFAULTS.fills("D28a", "spec.domain.firmware.bootloader", "efi with secureBoot: false")
def arm_boot_loader(draft: Draft) -> None:
    """It is absent on arm64, which knows no BIOS."""
    firmware = part(draft.domain, "firmware")
    if draft.architecture == "arm64" and firmware.get("bootloader") is None:
        firmware["bootloader"] = {"efi": {"secureBoot": False}}


@DEFAULTS.fills("D28b", "spec.domain.cpu.model", "host-passthrough")
def arm_cpu_model(draft: Draft) -> None:
    """It is absent on arm64, which knows no other."""
    if draft.architecture == "arm64":
        unset(part(draft.domain, "cpu"), "model", "host-passthrough")


@DEFAULTS.fills("D29", "spec.domain.cpu.model", "the cluster's cpuModel, else host-model")
def cpu_model(draft: Draft) -> None:
    """It is absent."""
    unset(part(draft.domain, "cpu"), "model", draft.cluster.cpu_model or "host-model")


@DEFAULTS.fills("D33", f"metadata.annotations[{EVEN_PARITY}]", "an empty text")
def even_parity(draft: Draft) -> None:
    """isolateEmulatorThread is true, the KubeVirt object has the annotation, and the gate AlignCPUs is on."""
    isolated = (draft.domain.get("cpu") or {}).get("isolateEmulatorThread")
    if isolated and draft.cluster.even_parity and draft.cluster.gate("AlignCPUs"):
        draft.annotate(EVEN_PARITY, "")


@DEFAULTS.fills("D34", f"metadata.annotations[{QUOTE_SOCKET}]", "the cluster's qgsSocketPath")
def quote_socket(draft: Draft) -> None:
    """The guest is a trust domain of TDX: where it has its quotes from."""
    if (draft.domain.get("launchSecurity") or {}).get("tdx") is not None:
        draft.annotate(QUOTE_SOCKET, draft.cluster.quote_socket)


@DEFAULTS.fills("D16", "spec.evictionStrategy", "the cluster's evictionStrategy")
def eviction_strategy(draft: Draft) -> None:
    """It is absent and the cluster has one."""
    if draft.cluster.eviction_strategy:
        unset(draft.spec, "evictionStrategy", draft.cluster.eviction_strategy)
