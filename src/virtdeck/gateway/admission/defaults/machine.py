"""Architecture, machine type, firmware identity, CPU model (D5–D7, D9, D24, D28, D29, D38)."""

from virtdeck.crds.plain import Plain, part, unset
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.defaults.fresh import Fresh

PCI_TOPOLOGY = "kubevirt.io/pci-topology-version"
_PCI_TOPOLOGY_VERSION = "v3"
_PCI_MACHINES = ("q35", "pc-q35", "virt")


def fill_architecture(spec: Plain, cluster: ClusterConfig) -> None:
    unset(spec, "architecture", cluster.architecture)


def fill_machine(spec: Plain, cluster: ClusterConfig) -> None:
    machine = cluster.machine_types.get(spec["architecture"])
    if machine:
        unset(part(spec["domain"], "machine"), "type", machine)


def fill_pci_topology(metadata: Plain, spec: Plain) -> None:
    """The layout of PCI slots is written down, so that no later release renumbers a guest's devices."""
    machine = (spec["domain"].get("machine") or {}).get("type") or ""
    if machine.startswith(_PCI_MACHINES):
        unset(part(metadata, "annotations"), PCI_TOPOLOGY, _PCI_TOPOLOGY_VERSION)


def fill_identity(spec: Plain, fresh: Fresh, *, serial: bool) -> None:
    """The guest keeps its identity: what the firmware says must not change between starts."""
    firmware = part(spec["domain"], "firmware")
    if firmware.get("uuid") in (None, ""):
        firmware["uuid"] = fresh.new_id()
    if serial and firmware.get("serial") in (None, ""):
        firmware["serial"] = fresh.new_id()


def keep_identity(spec: Plain, old_spec: Plain) -> None:
    """An update that does not mention the identity (``kubectl replace``) leaves it as it is."""
    before = (old_spec.get("domain") or {}).get("firmware") or {}
    for name in ("uuid", "serial"):
        if before.get(name):
            unset(part(spec["domain"], "firmware"), name, before[name])


def fill_cpu_model(spec: Plain, cluster: ClusterConfig) -> None:
    arm = spec["architecture"] == "arm64"
    model = "host-passthrough" if arm else cluster.cpu_model or "host-model"
    unset(part(spec["domain"], "cpu"), "model", model)


def fill_boot_loader(spec: Plain) -> None:
    """arm64 knows no BIOS."""
    firmware = part(spec["domain"], "firmware")
    if spec["architecture"] == "arm64" and firmware.get("bootloader") is None:
        firmware["bootloader"] = {"efi": {"secureBoot": False}}
