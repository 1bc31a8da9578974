"""The roles and bindings that every Kubernetes has, as far as they mean something here."""

from typing import Any

Obj = dict[str, Any]

_READ = ("get", "list", "watch")
_WRITE = ("create", "delete", "deletecollection", "patch", "update")
_LABEL = {"kubernetes.io/bootstrapping": "rbac-defaults"}
# Whoever sets it to false keeps a role as they made it.
AUTO_UPDATE = "rbac.authorization.kubernetes.io/autoupdate"
_ANNOTATION = {AUTO_UPDATE: "true"}
_RBAC = "rbac.authorization.k8s.io"

_VIEWED = (
    "configmaps",
    "endpoints",
    "events",
    "limitranges",
    "namespaces",
    "namespaces/status",
    "persistentvolumeclaims",
    "persistentvolumeclaims/status",
    "pods",
    "pods/log",
    "pods/status",
    "resourcequotas",
    "resourcequotas/status",
    "serviceaccounts",
    "services",
    "services/status",
)
_EDITED = (
    "configmaps",
    "endpoints",
    "events",
    "persistentvolumeclaims",
    "pods",
    "secrets",
    "serviceaccounts",
    "services",
)
_HEALTH = ("/healthz", "/livez", "/readyz")
_VERSION = ("/version", "/version/")
_DISCOVERY = ("/api", "/api/*", "/apis", "/apis/*")
_OPENAPI = ("/openapi", "/openapi/*")


def rule(groups: tuple[str, ...], resources: tuple[str, ...], verbs: tuple[str, ...], *names: str) -> Obj:
    """A PolicyRule on resources."""
    made: Obj = {"apiGroups": list(groups), "resources": list(resources), "verbs": list(verbs)}
    return made | ({"resourceNames": list(names)} if names else {})


def _paths(*paths: str) -> Obj:
    return {"nonResourceURLs": list(paths), "verbs": ["get"]}


def _role(name: str, rules: list[Obj], labels: Obj | None = None, aggregates: str = "") -> Obj:
    role: Obj = {
        "apiVersion": f"{_RBAC}/v1",
        "kind": "ClusterRole",
        "metadata": {"name": name, "labels": _LABEL | (labels or {}), "annotations": dict(_ANNOTATION)},
        "rules": rules,
    }
    if aggregates:
        selector = {"matchLabels": {f"rbac.authorization.k8s.io/aggregate-to-{aggregates}": "true"}}
        role["aggregationRule"] = {"clusterRoleSelectors": [selector]}
    return role


def _to(name: str) -> Obj:
    return {f"rbac.authorization.k8s.io/aggregate-to-{name}": "true"}


def _binding(name: str, role: str, *groups: str) -> Obj:
    return {
        "apiVersion": f"{_RBAC}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": name, "labels": dict(_LABEL), "annotations": dict(_ANNOTATION)},
        "roleRef": {"apiGroup": _RBAC, "kind": "ClusterRole", "name": role},
        "subjects": [{"apiGroup": _RBAC, "kind": "Group", "name": group} for group in groups],
    }


def default_cluster_roles() -> list[Obj]:
    """Every default ClusterRole."""
    return [
        _role("cluster-admin", [rule(("*",), ("*",), ("*",)), {"nonResourceURLs": ["*"], "verbs": ["*"]}]),
        _role("admin", [], aggregates="admin"),
        _role("edit", [], _to("admin"), aggregates="edit"),
        _role("view", [], _to("edit"), aggregates="view"),
        _role("system:aggregate-to-admin", _admin_rules(), _to("admin")),
        _role("system:aggregate-to-edit", _edit_rules(), _to("edit")),
        _role("system:aggregate-to-view", _view_rules(), _to("view")),
        _role("system:basic-user", _basic_rules()),
        _role(
            "system:discovery", [_paths(*_DISCOVERY, "/healthz", "/livez", *_OPENAPI, "/readyz", *_VERSION)]
        ),
        _role("system:public-info-viewer", [_paths(*_HEALTH, *_VERSION)]),
        _role("system:monitoring", [_paths(*_HEALTH, "/metrics")]),
        _role("system:auth-delegator", _delegator_rules()),
        _role("system:node", _node_rules()),
        _role("system:persistent-volume-provisioner", _provisioner_rules()),
    ]


def default_cluster_role_bindings() -> list[Obj]:
    """Every default ClusterRoleBinding."""
    authenticated, anonymous = "system:authenticated", "system:unauthenticated"
    return [
        _binding("cluster-admin", "cluster-admin", "system:masters"),
        _binding("system:basic-user", "system:basic-user", authenticated),
        _binding("system:discovery", "system:discovery", authenticated),
        _binding("system:public-info-viewer", "system:public-info-viewer", authenticated, anonymous),
        _binding("system:monitoring", "system:monitoring", "system:monitoring"),
        _binding("system:node", "system:node", "system:nodes"),
    ]


def authentication_reader() -> tuple[Obj, Obj]:
    """The Role in kube-system that lets extension servers learn about the front proxy, and its binding.

    Every authenticated user may: what it shows are certificates of authorities.
    """
    name = "extension-apiserver-authentication-reader"
    meta = {
        "name": name,
        "namespace": "kube-system",
        "labels": dict(_LABEL),
        "annotations": dict(_ANNOTATION),
    }
    role = {
        "apiVersion": f"{_RBAC}/v1",
        "kind": "Role",
        "metadata": meta,
        "rules": [rule(("",), ("configmaps",), _READ, "extension-apiserver-authentication")],
    }
    binding = {
        "apiVersion": f"{_RBAC}/v1",
        "kind": "RoleBinding",
        "metadata": {**meta},
        "roleRef": {"apiGroup": _RBAC, "kind": "Role", "name": name},
        "subjects": [{"apiGroup": _RBAC, "kind": "Group", "name": "system:serviceaccounts"}],
    }
    return role, binding


def _view_rules() -> list[Obj]:
    return [
        rule(("",), _VIEWED, _READ),
        rule(("apps",), ("controllerrevisions",), _READ),
        rule(("discovery.k8s.io",), ("endpointslices",), _READ),
        rule(("events.k8s.io",), ("events",), _READ),
        rule(("networking.k8s.io",), ("networkpolicies",), _READ),
        rule(("policy",), ("poddisruptionbudgets", "poddisruptionbudgets/status"), _READ),
    ]


def _edit_rules() -> list[Obj]:
    return [
        rule(("",), ("secrets",), _READ),
        rule(("",), ("serviceaccounts",), ("impersonate",)),
        rule(("",), _EDITED, _WRITE),
        rule(("",), ("pods/eviction", "serviceaccounts/token"), ("create",)),
        rule(("networking.k8s.io",), ("networkpolicies",), _WRITE),
        rule(("policy",), ("poddisruptionbudgets",), _WRITE),
        rule(("coordination.k8s.io",), ("leases",), _READ + _WRITE),
    ]


def _admin_rules() -> list[Obj]:
    return [
        rule((_RBAC,), ("roles", "rolebindings"), _READ + _WRITE),
        rule(("authorization.k8s.io",), ("localsubjectaccessreviews",), ("create",)),
    ]


def _basic_rules() -> list[Obj]:
    return [
        rule(("authorization.k8s.io",), ("selfsubjectaccessreviews", "selfsubjectrulesreviews"), ("create",)),
        rule(("authentication.k8s.io",), ("selfsubjectreviews",), ("create",)),
    ]


def _delegator_rules() -> list[Obj]:
    return [
        rule(("authentication.k8s.io",), ("tokenreviews",), ("create",)),
        rule(("authorization.k8s.io",), ("subjectaccessreviews",), ("create",)),
    ]


def _node_rules() -> list[Obj]:
    """A node's agent and, since one process is both here, the scheduler's binding of pods."""
    return [
        *_delegator_rules(),
        rule(("",), ("nodes", "nodes/status"), (*_READ, "create", "patch", "update")),
        rule(("",), ("pods",), (*_READ, "create", "delete", "patch", "update")),
        rule(("",), ("pods/status",), ("get", "patch", "update")),
        rule(("",), ("pods/binding", "pods/eviction", "bindings"), ("create",)),
        rule(("",), ("events",), ("create", "patch", "update")),
        rule(("events.k8s.io",), ("events",), ("create", "patch", "update")),
        rule(("",), ("configmaps", "secrets", "services", "endpoints", "namespaces"), _READ),
        rule(
            ("",),
            ("persistentvolumeclaims", "persistentvolumes"),
            (*_READ, "create", "delete", "patch", "update"),
        ),
        rule(
            ("",), ("persistentvolumeclaims/status", "persistentvolumes/status"), ("get", "patch", "update")
        ),
        rule(("",), ("serviceaccounts",), _READ),
        rule(("",), ("serviceaccounts/token",), ("create",)),
        rule(
            ("coordination.k8s.io",),
            ("leases",),
            ("get", "list", "watch", "create", "delete", "patch", "update"),
        ),
        rule(("storage.k8s.io",), ("storageclasses",), _READ),
        rule(("policy",), ("poddisruptionbudgets",), _READ),
        rule(("scheduling.k8s.io",), ("priorityclasses",), _READ),
    ]


def _provisioner_rules() -> list[Obj]:
    return [
        rule(("",), ("persistentvolumes",), (*_READ, "create", "delete")),
        rule(("",), ("persistentvolumeclaims",), (*_READ, "update")),
        rule(("storage.k8s.io",), ("storageclasses",), _READ),
        rule(("",), ("events",), (*_READ, "create", "patch", "update")),
    ]
