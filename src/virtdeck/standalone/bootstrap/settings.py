"""What the bootstrap needs to know."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Read from config/bootstrap.json.

    kubeconfig: the administrator's. component_ca: PEM file that signs virt-api's internal certificate.
    gateway_url: where virt-api's webhooks are served, https. node_name: the one node.
    """

    kubeconfig: str
    namespace: str
    component_ca: str
    gateway_url: str
    node_name: str
    verbosity: str = "info"
