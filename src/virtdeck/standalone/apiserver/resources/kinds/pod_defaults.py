"""What Kubernetes fills in of a pod that its writer left out."""

from collections.abc import Iterator
from typing import Any

from virtdeck.standalone.apiserver.resources.rules import Obj

_POD: dict[str, Any] = {
    "restartPolicy": "Always",
    "terminationGracePeriodSeconds": 30,
    "dnsPolicy": "ClusterFirst",
    "securityContext": {},
    "schedulerName": "default-scheduler",
    "enableServiceLinks": True,
    "serviceAccountName": "default",
}
_CONTAINER: dict[str, Any] = {
    "resources": {},
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
}
_PROBE = {"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3}
_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_READABLE = 0o644
_WITH_MODE = ("secret", "configMap", "downwardAPI", "projected")


def default_pod(spec: Obj) -> None:
    """The spec has everything that Kubernetes would give it."""
    for name, value in _POD.items():
        spec.setdefault(name, dict(value) if isinstance(value, dict) else value)
    spec.setdefault("serviceAccount", spec["serviceAccountName"])
    for container in containers_of(spec):
        _default_container(container, host_network=bool(spec.get("hostNetwork")))
    for volume in spec.get("volumes") or ():
        _default_volume(volume)


def containers_of(spec: Obj) -> Iterator[Obj]:
    """The containers that run first, and the others."""
    yield from spec.get("initContainers") or ()
    yield from spec.get("containers") or ()


def _default_container(container: Obj, *, host_network: bool) -> None:
    for name, value in _CONTAINER.items():
        container.setdefault(name, dict(value) if isinstance(value, dict) else value)
    if "imagePullPolicy" not in container:
        container["imagePullPolicy"] = (
            "Always" if _is_latest(container.get("image") or "") else "IfNotPresent"
        )
    resources = container["resources"]
    for name, amount in (resources.get("limits") or {}).items():
        resources["requests"] = resources.get("requests") or {}
        resources["requests"].setdefault(name, amount)
    for port in container.get("ports") or ():
        port.setdefault("protocol", "TCP")
        if host_network:
            port.setdefault("hostPort", port.get("containerPort"))
    for variable in container.get("env") or ():
        _default_reference(variable.get("valueFrom") or {})
    for name in _PROBES:
        if probe := container.get(name):
            _default_probe(probe)


def _is_latest(image: str) -> bool:
    tag = image.rpartition("/")[2].partition("@")[0].partition(":")[2]
    return tag in ("", "latest") and "@" not in image


def _default_reference(holder: Obj) -> None:
    if reference := holder.get("fieldRef"):
        reference.setdefault("apiVersion", "v1")
    if reference := holder.get("resourceFieldRef"):
        reference.setdefault("divisor", "0")


def _default_probe(probe: Obj) -> None:
    for name, value in _PROBE.items():
        probe.setdefault(name, value)
    if action := probe.get("httpGet"):
        action.setdefault("path", "/")
        action.setdefault("scheme", "HTTP")
    if action := probe.get("grpc"):
        action.setdefault("service", "")


def _default_volume(volume: Obj) -> None:
    if not set(volume) - {"name"}:
        volume["emptyDir"] = {}
    for name in _WITH_MODE:
        if source := volume.get(name):
            source.setdefault("defaultMode", _READABLE)
    if source := volume.get("hostPath"):
        source.setdefault("type", "")
    for item in (volume.get("downwardAPI") or {}).get("items") or ():
        _default_reference(item)
    for source in (volume.get("projected") or {}).get("sources") or ():
        if token := source.get("serviceAccountToken"):
            token.setdefault("expirationSeconds", 3600)
        for item in (source.get("downwardAPI") or {}).get("items") or ():
            _default_reference(item)
