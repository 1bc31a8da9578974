"""What the rules of a KubeVirt object look at."""

from dataclasses import dataclass
from functools import cached_property

from virtdeck.crds.kubevirt.configuration import KubeVirtConfiguration
from virtdeck.crds.kubevirt.configuration_components import DeveloperConfiguration
from virtdeck.crds.kubevirt.kubevirt import KubeVirt
from virtdeck.gateway.admission.cluster import ClusterConfig, cluster_config
from virtdeck.gateway.admission.kinds.write import Write


@dataclass(frozen=True)
class Installation(Write[KubeVirt]):
    """others: KubeVirt objects that exist, as ``namespace/name``; empty for one that is changed."""

    others: tuple[str, ...] = ()

    @cached_property
    def configuration(self) -> KubeVirtConfiguration:
        return self.obj.spec.configuration or KubeVirtConfiguration()

    @cached_property
    def developer(self) -> DeveloperConfiguration:
        return self.configuration.developer_configuration or DeveloperConfiguration()

    @cached_property
    def _own(self) -> ClusterConfig:
        return cluster_config(self.obj)

    def gate(self, name: str) -> bool:
        """Whether a feature gate is on once this object is stored."""
        return self._own.gate(name)


@dataclass(frozen=True)
class Uninstallation:
    """workloads: how many virtual machines, instances and replica sets exist."""

    obj: KubeVirt
    workloads: int
