"""What a VirtualMachine's template gets when it is stored: only what must not change later (D4–D7)."""

from virtdeck.crds.plain import part, unset
from virtdeck.gateway.admission.default import Defaults
from virtdeck.gateway.admission.defaults.draft import MachineDraft
from virtdeck.gateway.admission.defaults.machine import PCI_MACHINES, PCI_TOPOLOGY, PCI_TOPOLOGY_VERSION

DEFAULTS: Defaults[MachineDraft] = Defaults("VM")

_TEMPLATE = "spec.template"


@DEFAULTS.fills("D5", f"{_TEMPLATE}.spec.architecture", "the cluster's defaultArchitecture")
def machine_architecture(draft: MachineDraft) -> None:
    """It is absent. (Where KubeVirt looks at the label of a DataSource first, there are none here.)"""
    unset(draft.spec, "architecture", draft.cluster.architecture)


@DEFAULTS.fills(
    "D6",
    f"{_TEMPLATE}.spec.domain.machine.type",
    "q35, virt or s390-ccw-virtio by architecture, or the cluster's machineType",
)
def machine_type_of_the_template(draft: MachineDraft) -> None:
    """It is absent."""
    machine = draft.cluster.machine_types.get(draft.spec["architecture"])
    if machine:
        unset(part(part(draft.spec, "domain"), "machine"), "type", machine)


@DEFAULTS.fills("", f"{_TEMPLATE}.spec.domain.firmware.{{uuid|serial}}", "what is stored")
def identity_is_kept(draft: MachineDraft) -> None:
    """An update does not mention it, as ``kubectl replace`` does."""
    template = ((draft.old or {}).get("spec") or {}).get("template") or {}
    before = ((template.get("spec") or {}).get("domain") or {}).get("firmware") or {}
    for name in ("uuid", "serial"):
        if before.get(name):
            unset(part(part(draft.spec, "domain"), "firmware"), name, before[name])


@DEFAULTS.fills("D4", f"{_TEMPLATE}.spec.domain.firmware.{{uuid|serial}}", "random UUIDs")
def identity_is_made(draft: MachineDraft) -> None:
    """It is absent when the machine is made: what the firmware says must not change between starts."""
    if draft.old is None:
        firmware = part(part(draft.spec, "domain"), "firmware")
        for name in ("uuid", "serial"):
            if firmware.get(name) in (None, ""):
                firmware[name] = draft.fresh.new_id()


@DEFAULTS.fills("D7", f"{_TEMPLATE}.metadata.annotations[{PCI_TOPOLOGY}]", PCI_TOPOLOGY_VERSION)
def pci_topology_is_written_down(draft: MachineDraft) -> None:
    """It is absent when the machine is made, and the machine is q35 or virt."""
    machine = (part(draft.spec, "domain").get("machine") or {}).get("type") or ""
    if draft.old is None and machine.startswith(PCI_MACHINES):
        annotations = part(part(draft.template, "metadata"), "annotations")
        unset(annotations, PCI_TOPOLOGY, PCI_TOPOLOGY_VERSION)
