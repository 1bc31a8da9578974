"""What a VirtualMachine gets when it is stored: only what must not change later (D4–D7)."""

from copy import deepcopy

from virtdeck.crds.plain import Plain, part
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.decoding import decodes_as_vm
from virtdeck.gateway.admission.defaults import machine
from virtdeck.gateway.admission.defaults.fresh import Fresh


def mutate_vm(obj: Plain, old: Plain | None, cluster: ClusterConfig, fresh: Fresh) -> Plain:
    """The object as it is to be stored. What cannot be read is left to the API server to refuse."""
    if not decodes_as_vm(obj) or (obj.get("metadata") or {}).get("deletionTimestamp"):
        return obj
    vm = deepcopy(obj)
    template = vm["spec"]["template"]
    machine.fill_architecture(template["spec"], cluster)
    machine.fill_machine(template["spec"], cluster)
    if old is not None and decodes_as_vm(old):
        machine.keep_identity(template["spec"], old["spec"]["template"]["spec"])
    if old is None:
        machine.fill_identity(template["spec"], fresh, serial=True)
        machine.fill_pci_topology(part(template, "metadata"), template["spec"])
    return vm
