"""Words for writing RBAC objects."""

from collections.abc import Sequence
from typing import Any

from virtdeck.install.names import LABELS, RBAC_API

Object = dict[str, Any]
Rule = dict[str, Any]

READ = ("get", "list", "watch")


def allow(group: str, resources: str, verbs: str | Sequence[str], *, names: Sequence[str] = ()) -> Rule:
    """One rule. resources: separated by blanks. names: only these objects, all when empty."""
    rule: Rule = {
        "apiGroups": [group],
        "resources": resources.split(),
        "verbs": verbs.split() if isinstance(verbs, str) else list(verbs),
    }
    return rule | ({"resourceNames": list(names)} if names else {})


def cluster_role(name: str, rules: Sequence[Rule], labels: dict[str, str] | None = None) -> Object:
    """A role for all namespaces."""
    return {
        "apiVersion": f"{RBAC_API}/v1",
        "kind": "ClusterRole",
        "metadata": {"name": name, "labels": {**LABELS, **(labels or {})}},
        "rules": list(rules),
    }


def role(name: str, namespace: str, rules: Sequence[Rule]) -> Object:
    """A role for one namespace."""
    return {
        "apiVersion": f"{RBAC_API}/v1",
        "kind": "Role",
        "metadata": {"name": name, "namespace": namespace, "labels": dict(LABELS)},
        "rules": list(rules),
    }


def cluster_role_binding(name: str, role_name: str, subject: Object) -> Object:
    """The subject holds the role in all namespaces."""
    return {
        "apiVersion": f"{RBAC_API}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": name, "labels": dict(LABELS)},
        "roleRef": {"apiGroup": RBAC_API, "kind": "ClusterRole", "name": role_name},
        "subjects": [subject],
    }


def role_binding(name: str, namespace: str, subject: Object) -> Object:
    """The subject holds the namespace's role of the same name."""
    return {
        "apiVersion": f"{RBAC_API}/v1",
        "kind": "RoleBinding",
        "metadata": {"name": name, "namespace": namespace, "labels": dict(LABELS)},
        "roleRef": {"apiGroup": RBAC_API, "kind": "Role", "name": name},
        "subjects": [subject],
    }


def service_account(name: str, namespace: str) -> Object:
    """A component as subject of a binding."""
    return {"kind": "ServiceAccount", "name": name, "namespace": namespace}


def group(name: str) -> Object:
    """A group of users as subject of a binding."""
    return {"apiGroup": RBAC_API, "kind": "Group", "name": name}
