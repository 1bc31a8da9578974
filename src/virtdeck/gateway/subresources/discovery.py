"""What kubectl and virtctl learn of the API before they use it."""

from typing import Any

from virtdeck.crds.subresources import GROUP, VERSIONS
from virtdeck.gateway.subresources.routes import ROUTES

_KINDS = {"virtualmachines": "VirtualMachine", "virtualmachineinstances": "VirtualMachineInstance"}


def api_group_list() -> dict[str, Any]:
    """``/apis``."""
    return {"kind": "APIGroupList", "apiVersion": "v1", "groups": [_group()]}


def api_group() -> dict[str, Any]:
    """``/apis/subresources.kubevirt.io``."""
    return {"kind": "APIGroup", "apiVersion": "v1"} | _group()


def api_resource_list(version: str) -> dict[str, Any]:
    """``/apis/subresources.kubevirt.io/<version>``: each name once, with all its verbs."""
    resources: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        entry = resources.setdefault(
            route.name,
            {
                "name": route.name,
                "singularName": "",
                "namespaced": route.namespaced,
                "kind": _KINDS.get(route.sub.resource, ""),
                "verbs": [],
            },
        )
        if route.sub.verb not in entry["verbs"]:
            entry["verbs"].append(route.sub.verb)
    return {
        "kind": "APIResourceList",
        "apiVersion": "v1",
        "groupVersion": f"{GROUP}/{version}",
        "resources": sorted(resources.values(), key=lambda entry: str(entry["name"])),
    }


def _group() -> dict[str, Any]:
    versions = [{"groupVersion": f"{GROUP}/{version}", "version": version} for version in VERSIONS]
    return {"name": GROUP, "versions": versions, "preferredVersion": versions[0]}
