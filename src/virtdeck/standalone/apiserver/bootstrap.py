"""The objects that every cluster has: made or repaired at each start."""

from pathlib import Path
from typing import Any

import orjson

from virtdeck.standalone.apiserver.access.default_roles import (
    AUTO_UPDATE,
    authentication_reader,
    default_cluster_role_bindings,
    default_cluster_roles,
)
from virtdeck.standalone.apiserver.default_definitions import default_definitions
from virtdeck.standalone.apiserver.problems import StatusError
from virtdeck.standalone.apiserver.resources.registry import Registry
from virtdeck.standalone.apiserver.settings import Settings
from virtdeck.standalone.apiserver.verbs.attributes import Attributes
from virtdeck.standalone.apiserver.verbs.pipeline import Pipeline
from virtdeck.standalone.wanted import contains

Obj = dict[str, Any]

NAMESPACES = ("default", "kube-system", "kube-public", "kube-node-lease")
_RBAC = "rbac.authorization.k8s.io"


async def ensure_defaults(pipeline: Pipeline, registry: Registry, settings: Settings) -> None:
    """Namespaces, roles, priority classes, CRDs, how to trust the front proxy, and where this server is."""
    keeper = _Keeper(pipeline, registry)
    for name in NAMESPACES:
        await keeper.ensure("", "namespaces", _named("v1", "Namespace", name))
    for role in default_cluster_roles():
        await keeper.ensure(
            _RBAC, "clusterroles", role, "rules" if "aggregationRule" not in role else "aggregationRule"
        )
    for binding in default_cluster_role_bindings():
        await keeper.ensure(_RBAC, "clusterrolebindings", binding)
    role, binding = authentication_reader()
    await keeper.ensure(_RBAC, "roles", role, "rules")
    await keeper.ensure(_RBAC, "rolebindings", binding)
    for name, value in (("system-cluster-critical", 2_000_000_000), ("system-node-critical", 2_000_001_000)):
        named = _named("scheduling.k8s.io/v1", "PriorityClass", name)
        await keeper.ensure("scheduling.k8s.io", "priorityclasses", {**named, "value": value})
    for definition in default_definitions():
        await keeper.ensure("apiextensions.k8s.io", "customresourcedefinitions", definition)
    await keeper.ensure("", "configmaps", _front_proxy(settings), "data")
    host, port = _address(settings)
    await keeper.ensure("", "services", _service(port), "spec")
    await keeper.ensure("", "endpoints", _endpoints(host, port), "subsets")


class _Keeper:
    """Creates what is missing, and puts one part of it right where it differs."""

    def __init__(self, pipeline: Pipeline, registry: Registry) -> None:
        self._pipeline = pipeline
        self._registry = registry

    async def ensure(self, group: str, plural: str, wanted: Obj, part: str = "") -> None:
        """The object exists; its ``part`` is as wanted."""
        resource = self._registry.require(group, "v1", plural)
        meta = wanted["metadata"]
        attributes = Attributes(resource, "UPDATE", meta.get("namespace", ""), meta["name"])
        row = self._pipeline.latest(attributes)
        if row is None:
            try:
                await self._pipeline.create(
                    Attributes(**{**vars(attributes), "operation": "CREATE"}),
                    orjson.loads(orjson.dumps(wanted)),
                )
            except StatusError as fault:
                if fault.reason != "AlreadyExists":
                    raise
            return
        held = row.decode()["metadata"].get("annotations") or {}
        if (
            part
            and held.get(AUTO_UPDATE) != "false"
            and not contains(row.decode().get(part), wanted.get(part))
        ):
            await self._pipeline.update(attributes, lambda old: {**old, part: wanted[part]})


def _named(api_version: str, kind: str, name: str, namespace: str = "") -> Obj:
    meta = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": api_version, "kind": kind, "metadata": meta}


def _front_proxy(settings: Settings) -> Obj:
    """What aggregated servers need to believe our X-Remote headers and client certificates."""
    named = _named("v1", "ConfigMap", "extension-apiserver-authentication", "kube-system")
    data = {
        "client-ca-file": Path(settings.client_ca).read_text(encoding="ascii"),
        "requestheader-allowed-names": '["front-proxy-client"]',
        "requestheader-client-ca-file": Path(settings.front_proxy_ca).read_text(encoding="ascii"),
        "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
        "requestheader-group-headers": '["X-Remote-Group"]',
        "requestheader-username-headers": '["X-Remote-User"]',
        "requestheader-uid-headers": '["X-Remote-Uid"]',
    }
    return {**named, "data": data}


def _address(settings: Settings) -> tuple[str, int]:
    host, _, port = (settings.advertise or settings.bind).rpartition(":")
    return host.strip("[]"), int(port)


def _service(port: int) -> Obj:
    named = _named("v1", "Service", "kubernetes", "default")
    named["metadata"]["labels"] = {"component": "apiserver", "provider": "kubernetes"}
    ports = [{"name": "https", "port": 443, "protocol": "TCP", "targetPort": port}]
    return {**named, "spec": {"clusterIP": "None", "ports": ports, "type": "ClusterIP"}}


def _endpoints(host: str, port: int) -> Obj:
    named = _named("v1", "Endpoints", "kubernetes", "default")
    return {**named, "subsets": [{"addresses": [{"ip": host}], "ports": [{"name": "https", "port": port}]}]}
