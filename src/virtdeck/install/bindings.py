"""Who holds which role."""

from virtdeck.install.component_roles import AGGREGATION_READER, KUBE_SYSTEM
from virtdeck.install.names import API, COMPONENTS, CONTROLLER, NAMESPACE
from virtdeck.install.rules import Object, cluster_role_binding, group, role_binding, service_account
from virtdeck.install.user_roles import DEFAULT, SHARED


def component_bindings(namespace: str = NAMESPACE) -> list[Object]:
    """Each component holds its own roles, and only those."""
    everywhere = [
        cluster_role_binding(component, component, service_account(component, namespace))
        for component in COMPONENTS
    ]
    api, controller = service_account(API, namespace), service_account(CONTROLLER, namespace)
    return [
        *everywhere,
        role_binding(API, namespace, api),
        role_binding(AGGREGATION_READER, KUBE_SYSTEM, api),
        role_binding(CONTROLLER, namespace, controller),
    ]


def user_bindings() -> list[Object]:
    """Everybody who is known may ask which version this is, and which instance types there are for all."""
    return [cluster_role_binding(role, role, group("system:authenticated")) for role in (DEFAULT, SHARED)]
