"""Namespaces, identities, the priority class and the KubeVirt object itself."""

from typing import Any

from virtdeck.install.names import COMPONENTS, LABELS, NAMESPACE
from virtdeck.install.rules import Object

PRIORITY_CLASS = "kubevirt-cluster-critical"


def namespaces(namespace: str = NAMESPACE) -> list[Object]:
    """The installation's own namespace."""
    return [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace, "labels": dict(LABELS)}}
    ]


def service_accounts(namespace: str = NAMESPACE) -> list[Object]:
    """The components' identities."""
    return [
        {
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": {"name": component, "namespace": namespace, "labels": dict(LABELS)},
        }
        for component in COMPONENTS
    ]


def priority_classes() -> list[Object]:
    """What the components' own pods run with, so that a full node does not push them out."""
    return [
        {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": "PriorityClass",
            "metadata": {"name": PRIORITY_CLASS, "labels": dict(LABELS)},
            "value": 1_000_000_000,
            "globalDefault": False,
            "description": "For the components that virtual machines depend on.",
        }
    ]


def kubevirt_object(namespace: str = NAMESPACE, *, use_emulation: bool = False) -> Object:
    """The installation's configuration, with the defaults that a user then owns.

    use_emulation: guests may run without KVM, slowly; on one machine that is better than not at all.
    """
    configuration: dict[str, Any] = {"network": {"defaultNetworkInterface": "masquerade"}}
    if use_emulation:
        configuration["developerConfiguration"] = {"useEmulation": True}
    return {
        "apiVersion": "kubevirt.io/v1",
        "kind": "KubeVirt",
        "metadata": {"name": "kubevirt", "namespace": namespace, "labels": dict(LABELS)},
        "spec": {"configuration": configuration},
    }
