"""What virt-handler may write of Nodes, as a policy that every API server enforces by itself.

A node that was broken into steers no machines elsewhere: whoever has its virt-handler's identity changes that
one Node, and of it only what virtdeck says there.
"""

from typing import Any

from virtdeck.install.names import HANDLER, LABELS, NAMESPACE, service_account_user
from virtdeck.install.rules import Object

NAME = "kubevirt-node-restriction"
_API = "admissionregistration.k8s.io/v1"
_BOUND = "authentication.kubernetes.io/node-name"
_DOMAIN = "key.split('/')[0]"
_OURS = f"{_DOMAIN} == 'kubevirt.io' || {_DOMAIN}.endsWith('.kubevirt.io')"

# Absent and empty are the same; of a deleted Node there is no new one, and of a new one no old.
_VARIABLES = {
    "nodes": f"request.userInfo.?extra[?'{_BOUND}'].orValue([])",
    "now": "object == null ? {} : dyn(object.metadata)",
    "before": "oldObject == null ? {} : dyn(oldObject.metadata)",
}
_VARIABLES |= {
    f"{when}{part.title()}": f"variables.{when}.?{part}.orValue({{}})"
    for when in ("now", "before")
    for part in ("labels", "annotations")
}


def _unchanged(part: str) -> str:
    """Every key of either that is not ours has the same value in both."""
    now, before = f"variables.now{part.title()}", f"variables.before{part.title()}"
    same = f"(key in {now}) && (key in {before}) && {now}[key] == {before}[key]"
    kept = f"{_OURS} || ({same})"
    return f"{now}.all(key, {kept}) && {before}.all(key, {kept})"


def _same(path: str) -> str:
    return f"variables.now.?{path}.orValue([]) == variables.before.?{path}.orValue([])"


_VALIDATIONS = (
    (
        "size(variables.nodes) == 0 || request.name in variables.nodes",
        "virt-handler may write its own Node alone",
    ),
    ("request.operation == 'UPDATE'", "virt-handler may neither make nor delete a Node"),
    (
        "request.operation != 'UPDATE' || dyn(object).?spec.orValue({}) == dyn(oldObject).?spec.orValue({})",
        "virt-handler may not change a Node's spec",
    ),
    (_unchanged("labels"), "virt-handler may not change labels of other domains than kubevirt.io"),
    (_unchanged("annotations"), "virt-handler may not change annotations of other domains than kubevirt.io"),
    (_same("finalizers"), "virt-handler may not change a Node's finalizers"),
    (_same("ownerReferences"), "virt-handler may not change a Node's owners"),
)


def policies(namespace: str = NAMESPACE) -> list[Object]:
    """The policy and what binds it."""
    user = service_account_user(HANDLER, namespace)
    spec: dict[str, Any] = {
        "failurePolicy": "Fail",
        "matchConstraints": {
            "resourceRules": [
                {
                    "apiGroups": [""],
                    "apiVersions": ["v1"],
                    "operations": ["CREATE", "UPDATE", "DELETE"],
                    "resources": ["nodes", "nodes/*"],
                }
            ]
        },
        "matchConditions": [
            {"name": "virt-handler", "expression": f"request.userInfo.username == '{user}'"},
        ],
        "variables": [{"name": name, "expression": text} for name, text in _VARIABLES.items()],
        "validations": [
            {"expression": text, "message": message, "reason": "Forbidden"} for text, message in _VALIDATIONS
        ],
    }
    bound = {"policyName": NAME, "validationActions": ["Deny"]}
    return [
        _object("ValidatingAdmissionPolicy", spec),
        _object("ValidatingAdmissionPolicyBinding", bound),
    ]


def _object(kind: str, spec: dict[str, Any]) -> Object:
    return {
        "apiVersion": _API,
        "kind": kind,
        "metadata": {"name": NAME, "labels": dict(LABELS)},
        "spec": spec,
    }
