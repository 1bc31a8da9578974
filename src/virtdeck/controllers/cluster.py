"""What the installation's KubeVirt object says about all virtual machines; pure."""

from dataclasses import dataclass, field

from virtdeck.crds.kubevirt.configuration import KubeVirtConfiguration
from virtdeck.crds.kubevirt.configuration_components import DeveloperConfiguration
from virtdeck.crds.kubevirt.kubevirt import KubeVirt


@dataclass(frozen=True)
class ClusterConfig:
    """The settings that rendering pods depends on.

    cpu_allocation_ratio: virtual CPUs a CPU of the node. memory_overcommit: percent that guests may have of
    what is asked of the node. overhead_ratio: factor on the memory that a VM costs beside its guest.
    """

    cpu_allocation_ratio: int = 10
    memory_overcommit: int = 100
    overhead_ratio: float = 1.0
    use_emulation: bool = False
    node_selectors: dict[str, str] = field(default_factory=dict)
    image_pull_policy: str | None = None
    runtime_class: str | None = None


def cluster_config(installation: KubeVirt | None) -> ClusterConfig:
    """The settings of this installation; KubeVirt's defaults where it says nothing."""
    config = (installation.spec.configuration if installation else None) or KubeVirtConfiguration()
    developer = config.developer_configuration or DeveloperConfiguration()
    return ClusterConfig(
        cpu_allocation_ratio=max(developer.cpu_allocation_ratio or 10, 1),
        memory_overcommit=max(developer.memory_overcommit or 100, 10),
        overhead_ratio=_ratio(config.additional_guest_memory_overhead_ratio),
        use_emulation=bool(developer.use_emulation),
        node_selectors=developer.node_selectors or {},
        image_pull_policy=config.image_pull_policy,
        runtime_class=config.default_runtime_class,
    )


def default_interface(installation: KubeVirt | None) -> str:
    """How a guest that names no network is bound to its pod's; by a bridge unless told otherwise."""
    config = installation.spec.configuration if installation else None
    return (config.network.default_network_interface if config and config.network else None) or "bridge"


def _ratio(text: str | None) -> float:
    """Admission lets only numbers of at least 1 in; anything older counts as 1."""
    try:
        return max(float(text or 1.0), 1.0)
    except ValueError:
        return 1.0
