"""Typed views of what a webhook was sent."""

from typing import Any

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance

Plain = dict[str, Any]


def vm_or_causes(obj: Plain) -> VirtualMachine | tuple[Cause, ...]:
    """The VirtualMachine, or why it is none."""
    try:
        return decode(obj, VirtualMachine)
    except Invalid as fault:
        return fault.causes


def vmi_or_causes(obj: Plain) -> VirtualMachineInstance | tuple[Cause, ...]:
    """The VirtualMachineInstance, or why it is none."""
    try:
        return decode(obj, VirtualMachineInstance)
    except Invalid as fault:
        return fault.causes


def decodes_as_vm(obj: Plain) -> bool:
    return not isinstance(vm_or_causes(obj), tuple)


def decodes_as_vmi(obj: Plain) -> bool:
    return not isinstance(vmi_or_causes(obj), tuple)
