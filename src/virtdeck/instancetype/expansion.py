"""A template as it would be without an instance type and a preference."""

from copy import deepcopy
from dataclasses import dataclass

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.crds.instancetype.instancetype import VirtualMachineInstancetypeSpec
from virtdeck.crds.instancetype.preference import VirtualMachinePreferenceSpec
from virtdeck.crds.plain import Plain, part
from virtdeck.instancetype.attached import attach_disks, attach_input, attach_network, complete_inputs
from virtdeck.instancetype.preferences import apply_preference, attach_as_preferred
from virtdeck.instancetype.sizes import apply_size, conflicts


@dataclass(frozen=True)
class Chosen:
    """The instance type and the preference that a virtual machine names, found. name: the instance type's."""

    instancetype: VirtualMachineInstancetypeSpec | None = None
    preference: VirtualMachinePreferenceSpec | None = None
    name: str = ""

    def __bool__(self) -> bool:
        return self.instancetype is not None or self.preference is not None


def conflicts_with(template: Plain, chosen: Chosen) -> tuple[Cause, ...]:
    """Why the template cannot be expanded; empty when it can."""
    if chosen.instancetype is None:
        return ()
    return tuple(conflicts(template, chosen.instancetype, chosen.preference, chosen.name))


def expand(template: Plain, chosen: Chosen, default_interface: str) -> Plain:
    """A copy of the template with everything that the instance type gives and the preference fills in.

    Devices that attach unasked are there, for preferences count for them as well.
    Raises: Invalid when the template says what the instance type gives, with every field as a cause.
    """
    if not chosen:
        return template
    if causes := conflicts_with(template, chosen):
        raise Invalid(", ".join(f"{cause.field} {cause.message}" for cause in causes), causes=causes)
    expanded = deepcopy(template)
    spec = part(expanded, "spec")
    part(spec, "domain")
    attach_disks(spec)
    if chosen.preference is not None:
        attach_as_preferred(spec, chosen.preference)
    attach_network(spec, default_interface)
    attach_input(spec)
    if chosen.instancetype is not None:
        apply_size(expanded, chosen.instancetype, chosen.preference)
    if chosen.preference is not None:
        apply_preference(expanded, chosen.preference)
    complete_inputs(spec)
    return expanded
