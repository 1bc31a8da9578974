"""The objects that make up an installation, as plain values: namespaces, identities, roles, bindings, webhook
configurations, APIServices, the KubeVirt object.

Pure; whoever installs applies them: ``standalone/bootstrap`` on one machine, virt-operator in a cluster. The
CustomResourceDefinitions come from ``crds.manifests``. ``installation`` names them all, in the order in which
they are to be applied.
"""

from virtdeck.install.api_services import api_services, gateway_service
from virtdeck.install.bindings import component_bindings, user_bindings
from virtdeck.install.component_roles import component_cluster_roles, component_roles
from virtdeck.install.installation import cluster_roles, installation, role_bindings
from virtdeck.install.node_roles import node_roles
from virtdeck.install.objects import kubevirt_object, namespaces, priority_classes, service_accounts
from virtdeck.install.policies import policies
from virtdeck.install.user_roles import user_cluster_roles
from virtdeck.install.webhooks import Gateway, webhook_configurations

__all__ = [
    "Gateway",
    "api_services",
    "cluster_roles",
    "component_bindings",
    "component_cluster_roles",
    "component_roles",
    "gateway_service",
    "installation",
    "kubevirt_object",
    "namespaces",
    "node_roles",
    "policies",
    "priority_classes",
    "role_bindings",
    "service_accounts",
    "user_bindings",
    "user_cluster_roles",
    "webhook_configurations",
]
