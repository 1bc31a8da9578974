"""The paths of OpenAPI documents: as much as clients look for (kinds, verbs, dryRun, fieldValidation)."""

from collections.abc import Iterable
from typing import Any

from virtdeck.standalone.apiserver.discovery.openapi_schemas import gvk, resource_name
from virtdeck.standalone.apiserver.resources.resource import Resource

Obj = dict[str, Any]

_COLLECTION = {"list": "get", "create": "post", "deletecollection": "delete"}
_ITEM = {"get": "get", "update": "put", "patch": "patch", "delete": "delete"}
_ACTIONS = {"create": "post", "update": "put"}
_WRITES = ("create", "update", "patch")


def paths_of(resources: Iterable[Resource], *, v3: bool) -> dict[str, Obj]:
    """The operations on each resource; parameters are spelled as version 2 or 3 wants them."""
    found: dict[str, Obj] = {}
    for resource in resources:
        prefix = (
            f"/apis/{resource.group}/{resource.version}" if resource.group else f"/api/{resource.version}"
        )
        place = f"{prefix}/namespaces/{{namespace}}" if resource.namespaced else prefix
        collection = f"{place}/{resource.plural}"
        found[collection] = _operations(resource, _COLLECTION, v3)
        found[f"{collection}/{{name}}"] = _operations(resource, _ITEM, v3)
        for subresource in resource.subresources:
            if subresource in ("status", "scale"):
                verbs = {verb: _ITEM[verb] for verb in ("get", "update", "patch")}
                found[f"{collection}/{{name}}/{subresource}"] = _operations(resource, verbs, v3)
    return found


def _operations(resource: Resource, verbs: dict[str, str], v3: bool) -> Obj:
    return {
        method: _operation(resource, verb, v3) for verb, method in verbs.items() if verb in resource.verbs
    }


def _operation(resource: Resource, verb: str, v3: bool) -> Obj:
    names = ["dryRun", "fieldManager", "fieldValidation"] if verb in _WRITES else []
    if verb in ("delete", "deletecollection"):
        names = ["dryRun", "gracePeriodSeconds", "propagationPolicy"]
    group = resource.group.title().replace(".", "")
    return {
        "operationId": f"{verb}{group}{resource.version.title()}{resource.kind}",
        "parameters": [_parameter(name, v3) for name in names],
        **(_body(resource) if v3 and verb in ("create", "update") else {}),
        "responses": {"200": {"description": "OK"}},
        "x-kubernetes-action": _ACTIONS.get(verb, verb),
        "x-kubernetes-group-version-kind": gvk(resource),
    }


def _body(resource: Resource) -> Obj:
    """What the request carries, in whatever form."""
    schema = {"$ref": f"#/components/schemas/{resource_name(resource)}"}
    return {"requestBody": {"content": {"*/*": {"schema": schema}}}}


def _parameter(name: str, v3: bool) -> Obj:
    kind = "integer" if name == "gracePeriodSeconds" else "string"
    schema: Obj = {"schema": {"type": kind}} if v3 else {"type": kind}
    return {"name": name, "in": "query", **schema}
