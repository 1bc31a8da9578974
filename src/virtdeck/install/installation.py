"""All of an installation's objects in the order in which they are applied."""

from collections.abc import Sequence

from virtdeck.crds.kinds import CUSTOM
from virtdeck.crds.manifests import crd_manifests
from virtdeck.install.api_services import api_services, gateway_service
from virtdeck.install.bindings import component_bindings, user_bindings
from virtdeck.install.component_roles import component_cluster_roles, component_roles
from virtdeck.install.names import NAMESPACE
from virtdeck.install.objects import kubevirt_object, namespaces, priority_classes, service_accounts
from virtdeck.install.policies import policies
from virtdeck.install.rules import Object
from virtdeck.install.user_roles import user_cluster_roles
from virtdeck.install.webhooks import Gateway, webhook_configurations


def cluster_roles(node_names: Sequence[str] = ()) -> list[Object]:
    """The components' roles and the users'."""
    return [*component_cluster_roles(node_names), *user_cluster_roles()]


def role_bindings(namespace: str = NAMESPACE) -> list[Object]:
    """The components' bindings and the users'."""
    return [*component_bindings(namespace), *user_bindings()]


def installation(
    gateway: Gateway, *, node_names: Sequence[str] = (), use_emulation: bool = False
) -> list[Object]:
    """Everything, kinds and rights first, the KubeVirt object after them, webhooks last.

    Webhooks come last because the first KubeVirt object must get in before virt-api serves.
    """
    return [
        *crd_manifests(CUSTOM),
        *namespaces(gateway.namespace),
        *service_accounts(gateway.namespace),
        *priority_classes(),
        *cluster_roles(node_names),
        *component_roles(gateway.namespace),
        *role_bindings(gateway.namespace),
        kubevirt_object(gateway.namespace, use_emulation=use_emulation),
        gateway_service(gateway),
        *api_services(gateway),
        *policies(gateway.namespace),
        *webhook_configurations(gateway),
    ]
