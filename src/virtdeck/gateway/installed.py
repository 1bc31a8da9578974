"""What the installation's KubeVirt object says now, as rules and defaults need it."""

from virtdeck.basis.errors import Unready
from virtdeck.gateway.admission.cluster import ClusterConfig, cluster_config
from virtdeck.gateway.caches import GatewayCaches


def installed_cluster(caches: GatewayCaches, namespace: str) -> ClusterConfig:
    """The configuration. namespace: the installation's. Raises: Unready before it could be seen."""
    if not caches.kubevirts.synced:
        raise Unready("virt-api has not yet read its configuration")
    installed = [found for found in caches.kubevirts.all() if found.metadata.namespace == namespace]
    return cluster_config(installed[0] if installed else None, namespace)
