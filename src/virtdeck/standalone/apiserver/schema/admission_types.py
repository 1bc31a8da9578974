"""What expressions about a write may name, and of which types that is."""

from virtdeck.cel.library.authorization import AUTHORIZER, RESOURCE_CHECK
from virtdeck.cel.types import (
    BOOL,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    Type,
    list_of,
    map_of,
    object_of,
)

_KIND = object_of("kubernetes.GroupVersionKind", {"group": STRING, "version": STRING, "kind": STRING})
_RESOURCE = object_of(
    "kubernetes.GroupVersionResource", {"group": STRING, "version": STRING, "resource": STRING}
)
_USER = object_of(
    "kubernetes.UserInfo",
    {
        "username": STRING,
        "uid": STRING,
        "groups": list_of(STRING),
        "extra": map_of(STRING, list_of(STRING)),
    },
)
REQUEST = object_of(
    "kubernetes.AdmissionRequest",
    {
        "kind": _KIND,
        "resource": _RESOURCE,
        "subResource": STRING,
        "requestKind": _KIND,
        "requestResource": _RESOURCE,
        "requestSubResource": STRING,
        "name": STRING,
        "namespace": STRING,
        "operation": STRING,
        "userInfo": _USER,
        "dryRun": BOOL,
        "options": DYN,
    },
)
_NAMESPACE_META = object_of(
    "kubernetes.NamespaceMetadata",
    {
        **dict.fromkeys(("name", "generateName", "namespace", "uid", "resourceVersion"), STRING),
        "labels": map_of(STRING, STRING),
        "annotations": map_of(STRING, STRING),
        "creationTimestamp": TIMESTAMP,
        "deletionTimestamp": TIMESTAMP,
        "deletionGracePeriodSeconds": INT,
        "generation": INT,
        "finalizers": list_of(STRING),
    },
)
NAMESPACE = object_of(
    "kubernetes.Namespace",
    {
        "metadata": _NAMESPACE_META,
        "spec": object_of("kubernetes.NamespaceSpec", {"finalizers": list_of(STRING)}),
        "status": object_of("kubernetes.NamespaceStatus", {"phase": STRING}),
    },
)

# Of matchConditions; policies know more.
CONDITION_VARIABLES: dict[str, Type] = {
    "object": DYN,
    "oldObject": DYN,
    "request": REQUEST,
    "authorizer": AUTHORIZER,
    "authorizer.requestResource": RESOURCE_CHECK,
}


def policy_variables(*, has_params: bool) -> dict[str, Type]:
    """What the expressions of a policy may name, before it defines variables of its own."""
    params = {"params": DYN} if has_params else {}
    return {**CONDITION_VARIABLES, **params, "namespaceObject": NAMESPACE, "variables": _variables({})}


def with_variable(types: dict[str, Type], name: str, of: Type | None) -> dict[str, Type]:
    """The same with one more entry of ``variables``; of an unknown type where its expression has none."""
    return {**types, "variables": _variables({**types["variables"].fields, name: of or DYN})}


def _variables(fields: dict[str, Type]) -> Type:
    return object_of("kubernetes.variables", fields)
