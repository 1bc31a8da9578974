"""Which writes virt-api is asked about, and where it is reached.

Every webhook is limited to our own kinds, or to pods that carry our labels or belong to our machines, and
fails closed: when virt-api is down, nothing else in the cluster is held up. An eviction does not carry its
pod's labels; the webhook for evictions fails open, as KubeVirt's does.
"""

import base64
from dataclasses import dataclass
from typing import Any

from virtdeck.install.asked import MUTATING, VALIDATING
from virtdeck.install.names import GATEWAY_SERVICE, LABELS, NAMESPACE
from virtdeck.install.rules import Object

TIMEOUT_SECONDS = 10  # Kubernetes' own default; a full VM is checked in a few milliseconds


# A pod that has a machine for its owner, or had one, without the label by which it is asked about anyway.
_OWNED = (
    {
        "name": "owned-by-a-machine",
        "expression": "[object, oldObject].exists(pod, pod != null && has(pod.metadata.ownerReferences) && "
        "pod.metadata.ownerReferences.exists(owner, owner.apiVersion.startsWith('kubevirt.io/') && "
        "owner.kind in ['VirtualMachine', 'VirtualMachineInstance']))",
    },
    {
        "name": "not-labelled",
        "expression": "![object, oldObject].exists(pod, pod != null && has(pod.metadata.labels) && "
        "'kubevirt.io/created-by' in pod.metadata.labels)",
    },
)


@dataclass(frozen=True)
class Gateway:
    """Where the API server reaches virt-api.

    ca_bundle: PEM of the CA that signed virt-api's internal certificate. url: ``https://host:port`` where
    there is no cluster; otherwise the Service is used.
    """

    ca_bundle: str
    url: str | None = None
    namespace: str = NAMESPACE
    service: str = GATEWAY_SERVICE
    port: int = 443

    def client_config(self, path: str) -> dict[str, Any]:
        """A webhook's clientConfig for a path that begins with a slash."""
        ca = base64.b64encode(self.ca_bundle.encode()).decode()
        if self.url:
            return {"url": self.url.rstrip("/") + path, "caBundle": ca}
        service = {"namespace": self.namespace, "name": self.service, "path": path, "port": self.port}
        return {"service": service, "caBundle": ca}


def webhook_configurations(gateway: Gateway) -> list[Object]:
    """One configuration that completes objects and one that checks them."""
    return [
        _configuration("MutatingWebhookConfiguration", "virt-api-mutator", _mutating(gateway)),
        _configuration("ValidatingWebhookConfiguration", "virt-api-validator", _validating(gateway)),
    ]


def _mutating(gateway: Gateway) -> list[Object]:
    return [_webhook(gateway, asked.name, asked.path, asked.rule) for asked in MUTATING]


def _validating(gateway: Gateway) -> list[Object]:
    pods = {
        "apiGroups": [""],
        "apiVersions": ["v1"],
        "operations": ["CREATE", "UPDATE"],
        "resources": ["pods"],
        "scope": "Namespaced",
    }
    return [
        *(_webhook(gateway, asked.name, asked.path, asked.rule) | dict(asked.only) for asked in VALIDATING),
        # Selectors are joined by AND, so each label has its own webhook.
        _labelled(
            gateway,
            "launcher-pods",
            pods,
            {"key": "kubevirt.io", "operator": "In", "values": ["virt-launcher"]},
        ),
        _labelled(gateway, "created-by-pods", pods, {"key": "kubevirt.io/created-by", "operator": "Exists"}),
        _webhook(gateway, "owned-pods-validator", "/launcher-pods-validate", pods)
        | {"matchConditions": [dict(condition) for condition in _OWNED]},
        _evictions(gateway),
    ]


def _evictions(gateway: Gateway) -> Object:
    rule = {
        "apiGroups": [""],
        "apiVersions": ["v1"],
        "operations": ["CREATE"],
        "resources": ["pods/eviction"],
        "scope": "Namespaced",
    }
    # A VMI is marked, unless the eviction is a dry run.
    asked = _webhook(gateway, "pod-evictions-validator", "/pod-evictions-validate", rule)
    return asked | {"failurePolicy": "Ignore", "sideEffects": "NoneOnDryRun"}


def _labelled(gateway: Gateway, name: str, rule: Object, expression: Object) -> Object:
    webhook = _webhook(gateway, f"{name}-validator", "/launcher-pods-validate", rule)
    return webhook | {"objectSelector": {"matchExpressions": [expression]}}


def _webhook(gateway: Gateway, name: str, path: str, rule: Object) -> Object:
    return {
        "name": f"{name}.kubevirt.io",
        "admissionReviewVersions": ["v1"],
        "clientConfig": gateway.client_config(path),
        "rules": [rule],
        "failurePolicy": "Fail",
        "matchPolicy": "Equivalent",
        "sideEffects": "None",
        "timeoutSeconds": TIMEOUT_SECONDS,
    }


def _configuration(kind: str, name: str, webhooks: list[Object]) -> Object:
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": name, "labels": dict(LABELS)},
        "webhooks": webhooks,
    }
