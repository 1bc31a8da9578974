"""Names that an installation's objects share."""

NAMESPACE = "kubevirt"

API = "kubevirt-apiserver"
CONTROLLER = "kubevirt-controller"
HANDLER = "kubevirt-handler"
COMPONENTS = (API, CONTROLLER, HANDLER)

GATEWAY_SERVICE = "virt-api"
RBAC_API = "rbac.authorization.k8s.io"
LABELS = {"kubevirt.io": "", "app.kubernetes.io/managed-by": "virtdeck"}


def service_account_user(component: str, namespace: str = NAMESPACE) -> str:
    """The user name that a component's certificate or token carries."""
    return f"system:serviceaccount:{namespace}:{component}"
