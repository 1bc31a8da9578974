"""What the rules of a VirtualMachine look at, beside its template."""

from dataclasses import dataclass

from virtdeck.crds.kubevirt.data_volumes import DataVolumeTemplateSpec
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vm_status import VirtualMachineVolumeRequest
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.auth.user import User


@dataclass(frozen=True)
class Machine:
    """A VirtualMachine under examination.

    old: as it is stored, None when it is being made. running: its VMI, None when there is none.
    """

    vm: VirtualMachine
    old: VirtualMachine | None
    cluster: ClusterConfig
    user: User
    running: VirtualMachineInstance | None = None

    def gate(self, name: str) -> bool:
        """Whether a feature gate is on."""
        return self.cluster.gate(name)

    @property
    def templates(self) -> tuple[DataVolumeTemplateSpec, ...]:
        return self.vm.spec.data_volume_templates or ()

    @property
    def requests(self) -> tuple[VirtualMachineVolumeRequest, ...]:
        return self.vm.status.volume_requests or ()
