"""What this node offers guests, as the KVM probe and the KubeVirt object say it."""

from virtdeck.crds.kubevirt.kubevirt import KubeVirt
from virtdeck.kube.cache import Cache
from virtdeck.node_agent.host.kvm import KvmVerdict
from virtdeck.node_agent.vmi.seen import HostView


class HostWatch:
    """The current HostView."""

    def __init__(self, kvm: KvmVerdict, installations: Cache[KubeVirt]) -> None:
        self._kvm = kvm
        self._installations = installations

    def view(self) -> HostView:
        """What holds now."""
        return HostView(self._kvm, any(allows_emulation(obj) for obj in self._installations.all()))


def allows_emulation(installation: KubeVirt) -> bool:
    """The installation's developerConfiguration.useEmulation."""
    configuration = installation.spec.configuration
    developer = configuration.developer_configuration if configuration else None
    return bool(developer and developer.use_emulation)
