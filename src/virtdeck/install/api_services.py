"""How the API server finds the subresource API that virt-api serves."""

import base64
from urllib.parse import urlsplit

from virtdeck.crds.subresources import GROUP, VERSIONS
from virtdeck.install.names import LABELS
from virtdeck.install.rules import Object
from virtdeck.install.webhooks import Gateway

# Kubernetes' own groups come first in kubectl's eyes; v1 is preferred to v1alpha3.
_GROUP_PRIORITY = 1000
_VERSION_PRIORITY = {"v1": 15, "v1alpha3": 10}


def api_services(gateway: Gateway) -> list[Object]:
    """One APIService for each version of subresources.kubevirt.io.

    An APIService names a Service, never a URL: see ``gateway_service`` for one machine without a cluster.
    """
    return [_api_service(gateway, version) for version in VERSIONS]


def gateway_service(gateway: Gateway) -> Object:
    """The Service in front of virt-api.

    With a URL it is of type ExternalName, which the API server's aggregation resolves to that address.
    """
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": gateway.service, "namespace": gateway.namespace, "labels": dict(LABELS)},
        "spec": {"ports": [{"name": "https", "port": _port(gateway), "protocol": "TCP"}], **_behind(gateway)},
    }


def _behind(gateway: Gateway) -> Object:
    host = urlsplit(gateway.url).hostname if gateway.url else None
    if host:
        return {"type": "ExternalName", "externalName": host}
    return {"type": "ClusterIP", "selector": {"kubevirt.io": "virt-api"}}


def _port(gateway: Gateway) -> int:
    return (urlsplit(gateway.url).port or 443) if gateway.url else gateway.port


def _api_service(gateway: Gateway, version: str) -> Object:
    service = {"namespace": gateway.namespace, "name": gateway.service, "port": _port(gateway)}
    return {
        "apiVersion": "apiregistration.k8s.io/v1",
        "kind": "APIService",
        "metadata": {"name": f"{version}.{GROUP}", "labels": dict(LABELS)},
        "spec": {
            "group": GROUP,
            "version": version,
            "service": service,
            "caBundle": base64.b64encode(gateway.ca_bundle.encode()).decode(),
            "groupPriorityMinimum": _GROUP_PRIORITY,
            "versionPriority": _VERSION_PRIORITY[version],
        },
    }
