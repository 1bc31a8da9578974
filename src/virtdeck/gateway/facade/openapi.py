"""The façade's OpenAPI document, made from the kinds, their schemas and the subresources' table."""

from typing import Any

from virtdeck import __version__
from virtdeck.crds import kinds
from virtdeck.crds.kinds import Kind
from virtdeck.crds.manifests import openapi_schema
from virtdeck.gateway.subresources.routes import ROUTES, Route

Document = dict[str, Any]

_KINDS: tuple[Kind[Any], ...] = (kinds.VM, kinds.VMI, kinds.KUBEVIRT)
_SELECTORS = (
    "labelSelector",
    "fieldSelector",
    "limit",
    "continue",
    "resourceVersion",
    "watch",
    "timeoutSeconds",
)
_STATUS: Document = {
    "type": "object",
    "description": "What went wrong, or that all is well.",
    "properties": {
        "kind": {"type": "string", "enum": ["Status"]},
        "apiVersion": {"type": "string"},
        "status": {"type": "string", "enum": ["Success", "Failure"]},
        "message": {"type": "string", "description": "For people."},
        "reason": {"type": "string", "description": "For programs, in one word."},
        "code": {"type": "integer", "description": "The HTTP code."},
        "details": {"type": "object", "additionalProperties": True},
    },
}


def facade_document(own: Document) -> Document:
    """``own`` (what FastAPI knows) and all of the façade's paths and types."""
    schemas: Document = {kind.kind: openapi_schema(kind) for kind in _KINDS}
    schemas |= {kind.list_kind: _list_schema(kind) for kind in _KINDS} | {"Status": _STATUS}
    paths: Document = {}
    for kind in _KINDS:
        paths |= _kind_paths(kind)
    for route in ROUTES:
        paths |= _subresource_path(route)
    paths |= own.get("paths", {})
    own_schemas = own.get("components", {}).get("schemas", {})
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "virtdeck",
            "version": __version__,
            "description": "Virtual machines behind the KubeVirt API; every path is Kubernetes' own.",
        },
        "paths": paths,
        "components": {
            "schemas": own_schemas | schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}, {}],
    }


def _kind_paths(kind: Kind[Any]) -> Document:
    collection = f"/apis/{kind.group}/{kind.version}/namespaces/{{namespace}}/{kind.plural}"
    one = collection + "/{name}"
    queries = [_parameter(name, "query") for name in _SELECTORS]
    namespaced = [_parameter("namespace", "path")]
    named = [*namespaced, _parameter("name", "path")]
    tag = kind.kind
    paths: Document = {
        f"/apis/{kind.group}/{kind.version}/{kind.plural}": {
            "get": _operation(f"List every {tag}", tag, kind.list_kind) | {"parameters": queries}
        },
        collection: {
            "parameters": namespaced,
            "get": _operation(f"List {tag}s of a namespace", tag, kind.list_kind) | {"parameters": queries},
            "post": _operation(f"Create a {tag}", tag, tag, body=tag, code="201"),
        },
        one: {
            "parameters": named,
            "get": _operation(f"Read a {tag}", tag, tag),
            "put": _operation(f"Replace a {tag}", tag, tag, body=tag),
            "patch": _operation(f"Change a {tag}", tag, tag) | {"requestBody": _patch_body()},
            "delete": _operation(f"Delete a {tag}", tag, "Status"),
        },
    }
    return paths


def _subresource_path(route: Route) -> Document:
    names = (["namespace"] if route.namespaced else []) + (["name"] if route.sub.resource else [])
    tag = route.sub.resource or "subresources.kubevirt.io"
    operation: Document = {
        "summary": route.summary,
        "tags": [f"{tag}: actions" if route.sub.resource else tag],
        "responses": {"default": _response("Done, or why not", "Status")},
    }
    if route.body:
        operation["requestBody"] = {
            "content": {"application/json": {"schema": {"type": "object", "title": route.body}}}
        }
    if route.sub.websocket:
        operation["description"] = "A WebSocket with the subprotocol plain.kubevirt.io and binary frames."
    parameters = [_parameter(name, "path") for name in (*names, *route.sub.parameters)]
    return {route.path("v1"): {"parameters": parameters, route.sub.method.lower(): operation}}


def _operation(summary: str, tag: str, answer: str, *, body: str = "", code: str = "200") -> Document:
    operation: Document = {
        "summary": summary,
        "tags": [tag],
        "responses": {code: _response("The object", answer), "default": _response("Why not", "Status")},
    }
    if body:
        reference = {"schema": {"$ref": f"#/components/schemas/{body}"}}
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": reference, "application/yaml": reference},
        }
    return operation


def _patch_body() -> Document:
    types = ("merge-patch+json", "json-patch+json", "apply-patch+yaml")
    return {"required": True, "content": {f"application/{name}": {"schema": {}} for name in types}}


def _response(description: str, schema: str) -> Document:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    return {"description": description, "content": content}


def _parameter(name: str, where: str) -> Document:
    kind = {"limit": "integer", "timeoutSeconds": "integer", "watch": "boolean"}.get(name, "string")
    return {"name": name, "in": where, "required": where == "path", "schema": {"type": kind}}


def _list_schema(kind: Kind[Any]) -> Document:
    return {
        "type": "object",
        "properties": {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string", "enum": [kind.list_kind]},
            "metadata": {"type": "object", "additionalProperties": True},
            "items": {"type": "array", "items": {"$ref": f"#/components/schemas/{kind.kind}"}},
        },
    }
