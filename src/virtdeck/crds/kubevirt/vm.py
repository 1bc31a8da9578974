"""VirtualMachine: the lasting definition of a guest, running or not."""

from virtdeck.crds.kubevirt.data_volumes import DataVolumeTemplateSpec
from virtdeck.crds.kubevirt.vm_status import VirtualMachineStatus
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstanceSpec
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.model import Model


class InstancetypeMatcher(Model, frozen=True, kw_only=True):
    """TBD"""

    kind: str | None = None
    name: str | None = None
    infer_from_volume: str | None = None
    infer_from_volume_failure_policy: str | None = None
    revision_name: str | None = None


class PreferenceMatcher(Model, frozen=True, kw_only=True):
    """TBD"""

    kind: str | None = None
    name: str | None = None
    infer_from_volume: str | None = None
    infer_from_volume_failure_policy: str | None = None
    revision_name: str | None = None


class VirtualMachineInstanceTemplateSpec(Model, frozen=True, kw_only=True):
    """TBD"""

    metadata: ObjectMeta = ObjectMeta()
    spec: VirtualMachineInstanceSpec


class VirtualMachineSpec(Model, frozen=True, kw_only=True):
    """TBD"""

    data_volume_templates: tuple[DataVolumeTemplateSpec, ...] | None = None
    instancetype: InstancetypeMatcher | None = None
    preference: PreferenceMatcher | None = None
    run_strategy: str | None = None
    running: bool | None = None
    template: VirtualMachineInstanceTemplateSpec
    update_volumes_strategy: str | None = None


class VirtualMachine(Model, frozen=True, kw_only=True):
    """TBD"""

    api_version: str | None = None
    kind: str | None = None
    metadata: ObjectMeta = ObjectMeta()
    spec: VirtualMachineSpec
    status: VirtualMachineStatus = VirtualMachineStatus()
