"""The types of Kubernetes' own kinds: which fields they have, which of them must be there, how lists merge.

The data beside this module holds facts alone. A field has as its type a letter (``s`` string, ``i`` integer,
``b`` boolean, ``f`` number, ``t`` time, ``y`` base64, ``q`` quantity, ``n`` number or text, ``o`` anything),
``[x]`` a list or ``{x}`` a map of x, or another type's name. A ``!`` after the field's name says that it must
be there.
"""

from functools import cache
from importlib import resources
from typing import Any

import orjson

# Lists that merge by a key, in strategic merge patches and in server-side apply: (type, field) to key.
_MERGE_KEYS: dict[tuple[str, str], tuple[str, ...]] = {
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
    ("core.v1.PodStatus", "conditions"): ("type",),
    ("core.v1.PodStatus", "podIPs"): ("ip",),
    ("core.v1.PodStatus", "hostIPs"): ("ip",),
    ("core.v1.NodeStatus", "conditions"): ("type",),
    ("core.v1.NodeStatus", "addresses"): ("type",),
    ("core.v1.NamespaceStatus", "conditions"): ("type",),
    ("core.v1.PersistentVolumeClaimStatus", "conditions"): ("type",),
    ("core.v1.ServiceSpec", "ports"): ("port", "protocol"),
    ("core.v1.ServiceStatus", "conditions"): ("type",),
    ("core.v1.ServiceAccount", "secrets"): ("name",),
    ("policy.v1.PodDisruptionBudgetStatus", "conditions"): ("type",),
    ("apiregistration.v1.APIServiceStatus", "conditions"): ("type",),
    ("apiextensions.v1.CustomResourceDefinitionStatus", "conditions"): ("type",),
    ("admissionregistration.v1.MutatingWebhookConfiguration", "webhooks"): ("name",),
    ("admissionregistration.v1.ValidatingWebhookConfiguration", "webhooks"): ("name",),
    ("admissionregistration.v1.MutatingWebhook", "matchConditions"): ("name",),
    ("admissionregistration.v1.ValidatingWebhook", "matchConditions"): ("name",),
    ("meta.v1.ObjectMeta", "ownerReferences"): ("uid",),
}
# Lists of plain values that merge as sets.
_SETS = frozenset(
    {
        ("meta.v1.ObjectMeta", "finalizers"),
        ("core.v1.NodeSpec", "podCIDRs"),
        ("core.v1.NamespaceSpec", "finalizers"),
    }
)


@cache
def all_types() -> dict[str, dict[str, str]]:
    """Every type: field name (with ``!`` when required) to field type."""
    data = resources.files(__package__).joinpath("kubernetes_types.json").read_bytes()
    types: dict[str, dict[str, str]] = orjson.loads(data)
    return types


@cache
def fields_of(type_name: str) -> dict[str, str]:
    """The type's fields by name."""
    return {name.rstrip("!"): kind for name, kind in all_types()[type_name].items()}


@cache
def required_of(type_name: str) -> tuple[str, ...]:
    """The names of the fields that must be there."""
    return tuple(name[:-1] for name in all_types()[type_name] if name.endswith("!"))


def merge_keys(type_name: str, field: str) -> tuple[str, ...]:
    """The keys by which items of a list are the same item; empty when the list is one value."""
    return _MERGE_KEYS.get((type_name, field), ())


def is_set(type_name: str, field: str) -> bool:
    """Whether a list of plain values merges as a set."""
    return (type_name, field) in _SETS


def is_type(kind: str) -> bool:
    """Whether a field's type is one with fields of its own."""
    return "." in kind


def item_type(kind: str) -> str:
    """What a list or map holds."""
    return kind[1:-1]


def type_or_none(type_name: str) -> dict[str, Any] | None:
    """The type's fields, None if there is no such type."""
    return fields_of(type_name) if type_name in all_types() else None
