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
        str | None,
        doc(
            "VirtualMachineClusterInstancetype (the default) or VirtualMachineInstancetype, which is "
            "looked for in this namespace."
        ),
    ] = None
    name: Annotated[str | None, doc("Name of the instance type. Excludes inferFromVolume.")] = None
    infer_from_volume: Annotated[
        str | None,
        doc(
            "Volume of the template whose claim, DataVolume or snapshot names it by labels "
            "(instancetype.kubevirt.io/default-…). The answer is written into name. Excludes name."
        ),
    ] = None
    infer_from_volume_failure_policy: Annotated[
        str | None,
        doc(
            "What happens when those labels are not there: Reject (the default) refuses the machine, "
            "Ignore lets it be without."
        ),
    ] = None
    revision_name: Annotated[
        str | None,
        doc(
            "ControllerRevision with the copy that the machine was given, so that later changes do not "
            "reach it. Written by virt-controller; clear it to take the object as it is now."
        ),
    ] = None


class PreferenceMatcher(Model, frozen=True, kw_only=True):
    """The preference that fills in what the template leaves open."""

    kind: Annotated[
        str | None,
        doc(
            "VirtualMachineClusterPreference (the default) or VirtualMachinePreference, which is looked "
            "for in this namespace."
        ),
    ] = None
    name: Annotated[str | None, doc("Name of the preference. Excludes inferFromVolume.")] = None
    infer_from_volume: Annotated[
        str | None,
        doc(
            "Volume of the template whose claim, DataVolume or snapshot names it by labels "
            "(instancetype.kubevirt.io/default-…). The answer is written into name. Excludes name."
        ),
    ] = None
    infer_from_volume_failure_policy: Annotated[
        str | None,
        doc(
            "What happens when those labels are not there: Reject (the default) refuses the machine, "
            "Ignore lets it be without."
        ),
    ] = None
    revision_name: Annotated[
        str | None,
        doc(
            "ControllerRevision with the copy that the machine was given, so that later changes do not "
            "reach it. Written by virt-controller; clear it to take the object as it is now."
        ),
    ] = None


class VirtualMachineInstanceTemplateSpec(Model, frozen=True, kw_only=True):
    """The VMI that a start makes."""

    metadata: Annotated[ObjectMeta, doc("Labels and annotations of the VMI; its name is the machine's.")] = (
        ObjectMeta()
    )
    spec: Annotated[
        VirtualMachineInstanceSpec, doc("Spec of the VMI; a machine without any devices when absent.")
    ] = VirtualMachineInstanceSpec(domain=DomainSpec(devices=Devices()))


class VirtualMachineSpec(Model, frozen=True, kw_only=True):
    """When it runs, and what starts then."""

    data_volume_templates: Annotated[
        tuple[DataVolumeTemplateSpec, ...] | None,
        doc("Disks that are made with the machine and go with it; volumes of the template name them."),
    ] = None
    instancetype: Annotated[
        InstancetypeMatcher | None,
        doc(
            "The size that the machine gets: processors, memory, devices. What it gives may not be set in "
            "the template as well."
        ),
    ] = None
    preference: Annotated[
        PreferenceMatcher | None,
        doc("Settings that suit a guest system; they fill in only what the template leaves open."),
    ] = None
    run_strategy: Annotated[
        str | None,
        doc(
            "Always keeps it running, RerunOnFailure starts it again only after a failure, Once starts it "
            "a single time, Manual leaves it to virtctl start and stop, Halted keeps it off; "
            "WaitAsReceiver waits for a guest that migrates here. Excludes running; one of the two must "
            "be there."
        ),
    ] = None
    running: Annotated[
        bool | None, doc("Deprecated, use runStrategy: true is Always and false is Halted.")
    ] = None
    template: Annotated[
        VirtualMachineInstanceTemplateSpec,
        doc(
            "The VMI that a start makes. A change reaches the guest at its next start, but for what can "
            "change while it runs."
        ),
    ]
    update_volumes_strategy: Annotated[
        str | None,
        doc(
            "What happens when volumes are exchanged while the guest runs: Replacement (the default) "
            "waits for the next start, Migration copies their data to the new ones at once."
        ),
    ] = None


class VirtualMachine(Model, frozen=True, kw_only=True):
    """The lasting definition of a guest, running or not."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[VirtualMachineSpec, doc("When it runs, and what starts then.")]
    status: Annotated[VirtualMachineStatus, doc("What is known about it.")] = VirtualMachineStatus()
