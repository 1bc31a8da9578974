"""What each component may do, and nothing beyond; ``tests/golden/install`` holds the result for review.

No rule has a wildcard, and nobody may list or watch secrets outside the installation's own namespace.
"""

from collections.abc import Sequence

from virtdeck.crds.kinds import (
    BACKUP,
    CLUSTER_INSTANCETYPE,
    CLUSTER_PREFERENCE,
    MIGRATION,
    PRESET,
    REPLICA_SET,
    SNAPSHOT,
)
from virtdeck.crds.kinds.instancetype import KINDS as INSTANCETYPES
from virtdeck.crds.kinds.snapshot import KINDS as SNAPSHOTS
from virtdeck.install.names import API, CONTROLLER, HANDLER, NAMESPACE
from virtdeck.install.rules import READ, Object, Rule, allow, cluster_role, role

KUBE_SYSTEM = "kube-system"
AGGREGATION_CONFIG = "extension-apiserver-authentication"
AGGREGATION_READER = f"{API}:{AGGREGATION_CONFIG}"

# RBAC knows no wildcard behind "userextras/": these are the keys that Kubernetes itself gives to tokens.
_USER_EXTRAS = " ".join(
    f"userextras/authentication.kubernetes.io/{key}"
    for key in ("credential-id", "node-name", "node-uid", "pod-name", "pod-uid")
)
_INSTANCETYPES = INSTANCETYPES[0].group
_BUNDLED = f"{CLUSTER_INSTANCETYPE.plural} {CLUSTER_PREFERENCE.plural}"
_EVENTS = (allow("", "events", "create patch"), allow("events.k8s.io", "events", "create patch"))


def component_cluster_roles(node_names: Sequence[str] = ()) -> list[Object]:
    """The roles of virt-api, virt-controller and virt-handler.

    node_names: the nodes that virt-handler may patch; empty means all, which an admission policy then narrows
    to each handler's own (RBAC cannot).
    """
    return [
        cluster_role(API, _api_rules()),
        cluster_role(CONTROLLER, _controller_rules()),
        cluster_role(HANDLER, _handler_rules(node_names)),
    ]


def component_roles(namespace: str = NAMESPACE) -> list[Object]:
    """Rights in single namespaces."""
    return [
        # Console sessions and login links survive a restart in secrets.
        role(API, namespace, [allow("", "secrets", (*READ, "create", "update", "patch", "delete"))]),
        role(AGGREGATION_READER, KUBE_SYSTEM, [allow("", "configmaps", READ, names=(AGGREGATION_CONFIG,))]),
        role(CONTROLLER, namespace, [allow("coordination.k8s.io", "leases", "get create update patch")]),
    ]


def _api_rules() -> list[Rule]:
    return [
        # It acts as the user who asks, so that the API server decides what they may.
        allow("", "users groups serviceaccounts", "impersonate"),
        allow("authentication.k8s.io", f"uids {_USER_EXTRAS}", "impersonate"),
        allow("authentication.k8s.io", "tokenreviews", "create"),
        allow("authorization.k8s.io", "subjectaccessreviews", "create"),
        # Its caches; what a user sees of them is filtered by that user's rights.
        allow("kubevirt.io", "virtualmachines virtualmachineinstances kubevirts", READ),
        allow("", "pods nodes events namespaces", READ),
        allow(_INSTANCETYPES, " ".join(kind.plural for kind in INSTANCETYPES), READ),
        # What a machine's instance type was frozen in, and labels that one can be inferred from.
        allow("apps", "controllerrevisions", "get"),
        allow("", "persistentvolumeclaims", "get"),
        allow("cdi.kubevirt.io", "datavolumes datasources", "get"),
        allow("snapshot.storage.k8s.io", "volumesnapshots", "get"),
        # What rules need to know of other objects: is the guest being moved, restored or backed up already.
        allow("kubevirt.io", f"{PRESET.plural} {REPLICA_SET.plural} {MIGRATION.plural}", READ),
        allow(SNAPSHOT.group, " ".join(kind.plural for kind in SNAPSHOTS), "get list"),
        allow(BACKUP.group, BACKUP.plural, "get list"),
        # Start, stop and restart, after the access review of the subresource.
        allow("kubevirt.io", "virtualmachines virtualmachines/status virtualmachineinstances", "patch"),
    ]


def _controller_rules() -> list[Rule]:
    return [
        # Pools make, change and delete machines.
        allow("kubevirt.io", "virtualmachines", (*READ, "create", "delete", "patch")),
        allow("kubevirt.io", "virtualmachines/status", "patch"),
        allow("pool.kubevirt.io", "virtualmachinepools", READ),
        allow("pool.kubevirt.io", "virtualmachinepools/status", "patch"),
        allow("pool.kubevirt.io", "virtualmachinepools/finalizers", "update"),
        allow("kubevirt.io", "virtualmachineinstances", (*READ, "create", "delete", "patch")),
        allow("kubevirt.io", REPLICA_SET.plural, READ),
        allow("kubevirt.io", f"{REPLICA_SET.plural}/status", "patch"),
        allow("kubevirt.io", f"{REPLICA_SET.plural}/finalizers", "update"),
        # Setting blockOwnerDeletion asks for this right where OwnerReferencesPermissionEnforcement is on.
        allow("kubevirt.io", "virtualmachines/finalizers virtualmachineinstances/finalizers", "update"),
        allow("kubevirt.io", "kubevirts", READ),
        allow(_INSTANCETYPES, " ".join(kind.plural for kind in INSTANCETYPES), READ),
        # The bundled ones.
        allow(_INSTANCETYPES, _BUNDLED, "create patch delete"),
        allow("", "pods", (*READ, "create", "delete")),
        # The launcher pod's readiness gate.
        allow("", "pods/status", "patch"),
        # The label kubevirt.io/schedulable of a node whose virt-handler fell silent.
        allow("", "nodes", (*READ, "patch")),
        allow("apps", "controllerrevisions", (*READ, "create", "delete", "patch")),
        *_EVENTS,
    ]


def _handler_rules(node_names: Sequence[str]) -> list[Rule]:
    return [
        allow("kubevirt.io", "virtualmachineinstances", (*READ, "patch")),
        allow("kubevirt.io", "kubevirts", READ),
        allow("", "pods", READ),
        allow("", "nodes", READ),
        allow("", "nodes nodes/status", "patch", names=node_names),
        *_EVENTS,
    ]
