"""How lists and maps of Kubernetes' own kinds merge: facts of its published API, by (type, field)."""

from typing import Any

_Place = tuple[str, str]

# Lists that merge by a key, in strategic merge patches (by the first key alone) and in server-side apply.
_KEYS: dict[_Place, tuple[str, ...]] = {
    ("core.v1.PodSpec", "containers"): ("name",),
    ("core.v1.PodSpec", "initContainers"): ("name",),
    ("core.v1.PodSpec", "ephemeralContainers"): ("name",),
    ("core.v1.PodSpec", "volumes"): ("name",),
    ("core.v1.PodSpec", "imagePullSecrets"): ("name",),
    ("core.v1.PodSpec", "hostAliases"): ("ip",),
    ("core.v1.PodSpec", "resourceClaims"): ("name",),
    ("core.v1.PodSpec", "schedulingGates"): ("name",),
    ("core.v1.PodSpec", "topologySpreadConstraints"): ("topologyKey", "whenUnsatisfiable"),
    ("core.v1.Container", "env"): ("name",),
    ("core.v1.Container", "ports"): ("containerPort", "protocol"),
    ("core.v1.Container", "volumeMounts"): ("mountPath",),
    ("core.v1.Container", "volumeDevices"): ("devicePath",),
    ("core.v1.EphemeralContainer", "env"): ("name",),
    ("core.v1.EphemeralContainer", "ports"): ("containerPort", "protocol"),
    ("core.v1.EphemeralContainer", "volumeMounts"): ("mountPath",),
    ("core.v1.EphemeralContainer", "volumeDevices"): ("devicePath",),
    ("core.v1.PodStatus", "conditions"): ("type",),
    ("core.v1.PodStatus", "podIPs"): ("ip",),
    ("core.v1.PodStatus", "hostIPs"): ("ip",),
    ("core.v1.PodStatus", "resourceClaimStatuses"): ("name",),
    ("core.v1.NodeStatus", "conditions"): ("type",),
    ("core.v1.NodeStatus", "addresses"): ("type",),
    ("core.v1.NamespaceStatus", "conditions"): ("type",),
    ("core.v1.PersistentVolumeClaimStatus", "conditions"): ("type",),
    ("core.v1.ServiceSpec", "ports"): ("port", "protocol"),
    ("core.v1.ServiceStatus", "conditions"): ("type",),
    ("core.v1.ServiceAccount", "secrets"): ("name",),
    ("core.v1.ServiceAccount", "imagePullSecrets"): ("name",),
    ("policy.v1.PodDisruptionBudgetStatus", "conditions"): ("type",),
    ("apiregistration.v1.APIServiceStatus", "conditions"): ("type",),
    ("apiextensions.v1.CustomResourceDefinitionStatus", "conditions"): ("type",),
    ("admissionregistration.v1.MutatingWebhookConfiguration", "webhooks"): ("name",),
    ("admissionregistration.v1.ValidatingWebhookConfiguration", "webhooks"): ("name",),
    ("admissionregistration.v1.MutatingWebhook", "matchConditions"): ("name",),
    ("admissionregistration.v1.ValidatingWebhook", "matchConditions"): ("name",),
    ("admissionregistration.v1.ValidatingAdmissionPolicySpec", "matchConditions"): ("name",),
    ("admissionregistration.v1.ValidatingAdmissionPolicySpec", "variables"): ("name",),
    ("admissionregistration.v1.ValidatingAdmissionPolicyStatus", "conditions"): ("type",),
    ("meta.v1.ObjectMeta", "ownerReferences"): ("uid",),
}
# Lists with a key that only one of the two ways of merging looks at.
_KEYS_OF_PATCHES_ALONE = frozenset(
    {("core.v1.PodStatus", "hostIPs"), ("core.v1.ServiceAccount", "imagePullSecrets")}
)
_KEYS_OF_APPLY_ALONE: dict[_Place, tuple[str, ...]] = {
    ("core.v1.ResourceRequirements", "claims"): ("name",),
    ("storage.v1.CSINodeSpec", "drivers"): ("name",),
}
# Lists of plain values that merge as sets.
_SETS = frozenset({("meta.v1.ObjectMeta", "finalizers"), ("core.v1.NodeSpec", "podCIDRs")})
# What a key of an item is when the item does not say.
_DEFAULTS: dict[_Place, dict[str, Any]] = {
    ("core.v1.Container", "ports"): {"protocol": "TCP"},
    ("core.v1.EphemeralContainer", "ports"): {"protocol": "TCP"},
    ("core.v1.ServiceSpec", "ports"): {"protocol": "TCP"},
}
# Types whose objects are one value in server-side apply.
_ATOMIC = frozenset(
    {
        "admissionregistration.v1.MatchResources",
        "admissionregistration.v1.ParamRef",
        "core.v1.ConfigMapKeySelector",
        "core.v1.FileKeySelector",
        "core.v1.LocalObjectReference",
        "core.v1.NodeSelector",
        "core.v1.NodeSelectorTerm",
        "core.v1.ObjectFieldSelector",
        "core.v1.ObjectReference",
        "core.v1.ResourceFieldSelector",
        "core.v1.ScopeSelector",
        "core.v1.SecretKeySelector",
        "core.v1.SecretReference",
        "core.v1.TypedLocalObjectReference",
        "meta.v1.LabelSelector",
        "meta.v1.OwnerReference",
        "rbac.v1.RoleRef",
        "rbac.v1.Subject",
        "storage.v1.TopologySelectorTerm",
    }
)
_GRANULAR = frozenset({("core.v1.PersistentVolumeSpec", "claimRef")})  # although its type is atomic elsewhere
# What is there (empty) before anybody wrote it, besides metadata, spec and status.
_ALWAYS_THERE: dict[str, dict[str, Any]] = {
    "apiextensions.v1.CustomResourceDefinition": {"spec": {"names": {}, "versions": None}},
    "core.v1.Event": {"involvedObject": {}, "source": {}},
    "core.v1.LimitRange": {"spec": {"limits": None}},
    "core.v1.Node": {"status": {"daemonEndpoints": {"kubeletEndpoint": {}}, "nodeInfo": {}}},
    "core.v1.PersistentVolumeClaim": {"spec": {"resources": {}}},
    "core.v1.Pod": {"spec": {"containers": None}},
    "core.v1.Service": {"status": {"loadBalancer": {}}},
    "rbac.v1.ClusterRole": {"rules": None},
    "rbac.v1.Role": {"rules": None},
}


def merge_keys(type_name: str, field: str) -> tuple[str, ...]:
    """The keys by which items of a list are the same item in a patch; empty when the list is one value."""
    return _KEYS.get((type_name, field), ())


def is_set(type_name: str, field: str) -> bool:
    """Whether a list of plain values merges as a set."""
    return (type_name, field) in _SETS


def apply_keys(type_name: str, field: str) -> tuple[str, ...]:
    """The keys by which items of a list are the same item in server-side apply."""
    place = (type_name, field)
    if place in _KEYS_OF_PATCHES_ALONE:
        return ()
    return _KEYS.get(place) or _KEYS_OF_APPLY_ALONE.get(place, ())


def key_defaults(type_name: str, field: str) -> dict[str, Any]:
    """What keys of an item are that it does not say."""
    return _DEFAULTS.get((type_name, field), {})


def is_atomic(type_name: str) -> bool:
    """Whether objects of this type are one value."""
    return type_name in _ATOMIC


def is_granular(type_name: str, field: str) -> bool:
    """Whether an object at this place has fields of its own although its type is one value elsewhere."""
    return (type_name, field) in _GRANULAR


def always_there(type_name: str) -> dict[str, Any]:
    """The parts of an object of this type that are there before anybody wrote them."""
    return _ALWAYS_THERE.get(type_name, {})
