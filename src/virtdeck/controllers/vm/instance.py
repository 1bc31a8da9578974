"""From a VM to the VMI that runs it; pure."""

import uuid

from msgspec.structs import replace

from virtdeck.controllers import names
from virtdeck.controllers.vm.revision import owner_reference, revision_name
from virtdeck.crds import kinds
from virtdeck.crds.kubevirt.devices import Input
from virtdeck.crds.kubevirt.domain import DomainSpec
from virtdeck.crds.kubevirt.firmware import Firmware
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance, VirtualMachineInstanceSpec
from virtdeck.crds.kubevirt.vmi_status import VirtualMachineInstanceStatus
from virtdeck.crds.meta import ObjectMeta
from virtdeck.instancetype.attached import AUTOATTACHED_INPUT
from virtdeck.instancetype.matchers import name_annotations

# Source: the name space in which KubeVirt derives a firmware UUID from a VM's name, so that a VM that was
# made before admission chose UUIDs keeps its own.
_LEGACY_UUIDS = uuid.UUID("6a1a24a1-4061-4607-8bf4-a3963d0c5895")
START_PAUSED = "Paused"


def render_vmi(vm: VirtualMachine, *, paused: bool = False) -> VirtualMachineInstance:
    """The VMI as the template says, by the VM's name and owned by it."""
    template = vm.spec.template
    generation = str(vm.metadata.generation or 0)
    return VirtualMachineInstance(
        api_version=kinds.VMI.api_version,
        kind=kinds.VMI.kind,
        metadata=ObjectMeta(
            name=vm.metadata.name,
            namespace=vm.metadata.namespace,
            labels=template.metadata.labels,
            annotations={
                **(template.metadata.annotations or {}),
                **name_annotations(vm.spec),
                names.VM_GENERATION: generation,
            },
            owner_references=(owner_reference(vm),),
            finalizers=(names.VM_FINALIZER, names.VMI_FINALIZER),
        ),
        spec=_spec(vm, template.spec, paused=paused),
        status=VirtualMachineInstanceStatus(virtual_machine_revision_name=revision_name(vm)),
    )


def _spec(
    vm: VirtualMachine, spec: VirtualMachineInstanceSpec, *, paused: bool
) -> VirtualMachineInstanceSpec:
    domain = _with_input(_with_uuid(spec.domain, vm.metadata.name or ""))
    return replace(spec, domain=domain, start_strategy=START_PAUSED if paused else spec.start_strategy)


def _with_uuid(domain: DomainSpec, vm_name: str) -> DomainSpec:
    firmware = domain.firmware or Firmware()
    if firmware.uuid:
        return domain
    return replace(domain, firmware=replace(firmware, uuid=str(uuid.uuid5(_LEGACY_UUIDS, vm_name))))


def _with_input(domain: DomainSpec) -> DomainSpec:
    devices = domain.devices
    if not devices.autoattach_input_device or devices.inputs:
        return domain
    return replace(domain, devices=replace(devices, inputs=(Input(name=AUTOATTACHED_INPUT, type="tablet"),)))
