"""VirtualMachine: the lasting definition of a guest, running or not."""

from typing import Annotated

from virtdeck.crds.kubevirt.data_volumes import DataVolumeTemplateSpec
from virtdeck.crds.kubevirt.devices import Devices
from virtdeck.crds.kubevirt.domain import DomainSpec
from virtdeck.crds.kubevirt.vm_status import VirtualMachineStatus
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstanceSpec
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.model import Model, doc


class InstancetypeMatcher(Model, frozen=True, kw_only=True):
    """The instance type that gives processors and memory."""

    kind: Annotated[
        str | None, doc("VirtualMachineInstancetype or VirtualMachineClusterInstancetype (the default).")
    ] = None
    name: Annotated[str | None, doc("Its name.")] = None
    infer_from_volume: Annotated[str | None, doc("Volume whose labels name it.")] = None
    infer_from_volume_failure_policy: Annotated[
        str | None, doc("What happens when they do not: Reject (the default) or Ignore.")
    ] = None
    revision_name: Annotated[str | None, doc("ControllerRevision with its frozen copy.")] = None


class PreferenceMatcher(Model, frozen=True, kw_only=True):
    """The preference that fills in what the template leaves open."""

    kind: Annotated[
        str | None, doc("VirtualMachinePreference or VirtualMachineClusterPreference (the default).")
    ] = None
    name: Annotated[str | None, doc("Its name.")] = None
    infer_from_volume: Annotated[str | None, doc("Volume whose labels name it.")] = None
    infer_from_volume_failure_policy: Annotated[
        str | None, doc("What happens when they do not: Reject (the default) or Ignore.")
    ] = None
    revision_name: Annotated[str | None, doc("ControllerRevision with its frozen copy.")] = None


class VirtualMachineInstanceTemplateSpec(Model, frozen=True, kw_only=True):
    """The VMI that a start makes."""

    metadata: Annotated[ObjectMeta, doc("Labels and annotations of the VMI.")] = ObjectMeta()
    spec: Annotated[
        VirtualMachineInstanceSpec, doc("Spec of the VMI; a machine without any devices when absent.")
    ] = VirtualMachineInstanceSpec(domain=DomainSpec(devices=Devices()))


class VirtualMachineSpec(Model, frozen=True, kw_only=True):
    """When it runs, and what starts then."""

    data_volume_templates: Annotated[
        tuple[DataVolumeTemplateSpec, ...] | None, doc("Disks that are made with the virtual machine.")
    ] = None
    instancetype: Annotated[
        InstancetypeMatcher | None, doc("The instance type that gives processors and memory.")
    ] = None
    preference: Annotated[
        PreferenceMatcher | None, doc("The preference that fills in what the template leaves open.")
    ] = None
    run_strategy: Annotated[str | None, doc("Always, RerunOnFailure, Once, Manual or Halted.")] = None
    running: Annotated[bool | None, doc("Deprecated: true is Always and false is Halted.")] = None
    template: Annotated[VirtualMachineInstanceTemplateSpec, doc("The VMI that a start makes.")]
    update_volumes_strategy: Annotated[
        str | None, doc("How changed volumes are taken over: Replacement (the default) or Migration.")
    ] = None


class VirtualMachine(Model, frozen=True, kw_only=True):
    """The lasting definition of a guest, running or not."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[VirtualMachineSpec, doc("When it runs, and what starts then.")]
    status: Annotated[VirtualMachineStatus, doc("What is known about it.")] = VirtualMachineStatus()
