"""Which generation of the VM its guest shows; pure."""

from virtdeck.controllers import names
from virtdeck.controllers.vm.observed import Seen, StampGeneration, SyncPlacement, is_live
from virtdeck.controllers.vm.revision import fingerprint, kept_fingerprint
from virtdeck.crds.core.revision import ControllerRevision
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance


def template_changed(seen: Seen) -> bool | None:
    """True when the guest was started from another template; None when nobody knows from which."""
    if seen.vmi is None:
        return False
    kept = kept_fingerprint(_start_revision(seen, seen.vmi))
    return None if kept is None else kept != fingerprint(seen.vm)


def observed_generation(seen: Seen) -> int | None:
    """The generation that the guest shows; the VM's own while it is off."""
    if seen.vmi is None:
        return seen.vm.metadata.generation
    stamp = (seen.vmi.metadata.annotations or {}).get(names.VM_GENERATION, "")
    return int(stamp) if stamp.isdigit() else seen.vm.status.observed_generation


def stamp_action(seen: Seen, changed: bool | None) -> StampGeneration | None:
    """A guest whose template did not change shows the VM's newest generation."""
    generation = seen.vm.metadata.generation
    if seen.vmi is None or not is_live(seen.vmi) or changed is not False or generation is None:
        return None
    if observed_generation(seen) == generation:
        return None
    return StampGeneration(seen.vmi, generation)


def placement_action(seen: Seen) -> SyncPlacement | None:
    """What only counts at the next placement is carried over to the VMI at once."""
    vmi, wanted = seen.vmi, seen.vm.spec.template.spec
    if vmi is None or not is_live(vmi):
        return None
    same = (
        (is_selector_given(seen.vm) or vmi.spec.node_selector == wanted.node_selector)
        and vmi.spec.affinity == wanted.affinity
        and vmi.spec.tolerations == wanted.tolerations
    )
    return None if same else SyncPlacement(seen.vm, vmi)


def is_selector_given(vm: VirtualMachine) -> bool:
    """True when an instance type may give the node selector; a template that has one as well is refused."""
    return vm.spec.instancetype is not None and not vm.spec.template.spec.node_selector


def _start_revision(seen: Seen, vmi: VirtualMachineInstance) -> ControllerRevision | None:
    name = vmi.status.virtual_machine_revision_name
    return next((found for found in seen.revisions if found.metadata.name == name), None)
