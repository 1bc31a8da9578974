"""The façade's OpenAPI 3.1 document, made from the kinds, their types and the tables of routes.

It is asked for rarely and its types are many, so all of them are loaded here and nowhere before.
"""

from typing import Any

from virtdeck import __version__
from virtdeck.crds.kinds import CUSTOM, Kind
from virtdeck.crds.model import Model
from virtdeck.gateway.facade import parts
from virtdeck.gateway.facade.action_paths import action_paths, discovery_paths
from virtdeck.gateway.facade.kind_paths import kind_paths, list_schemas
from virtdeck.gateway.facade.parts import Document


def facade_document(own: Document) -> Document:
    """``own`` (what FastAPI knows) and all of the façade's paths and types."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "virtdeck",
            "version": __version__,
            "description": "Virtual machines behind the KubeVirt API; every path is Kubernetes' own.",
        },
        "paths": {**kind_paths(), **action_paths(), **discovery_paths(), **_own_paths(own)},
        "components": {
            "schemas": _own_schemas(own) | _schemas(),
            "parameters": parts.parameters(),
            "responses": {"Failure": parts.response("Why it was not done", "Status")},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}, {}],
    }


# FastAPI's account of a refusal; ours is a Status, whatever is wrong.
_FASTAPIS_OWN = {"HTTPValidationError", "ValidationError"}


def _own_schemas(own: Document) -> Document:
    schemas: Document = own.get("components", {}).get("schemas", {})
    return {name: schema for name, schema in schemas.items() if name not in _FASTAPIS_OWN}


def _own_paths(own: Document) -> Document:
    """What FastAPI knows of the other routes, with the failures that they really answer with."""
    return {
        path: {method: _with_failures(operation) for method, operation in item.items()}
        for path, item in own.get("paths", {}).items()
    }


def _with_failures(operation: Document) -> Document:
    answers = {code: answer for code, answer in operation["responses"].items() if code != "422"}
    return operation | {"responses": parts.responses() | answers}


def _schemas() -> Document:
    from virtdeck.crds.manifests.components import components_of

    kinds: list[type[Model]] = [kind.type for kind in CUSTOM]
    schemas = components_of([*kinds, *_around()])
    objects = {kind.kind: _named(schemas[kind.kind], kind) for kind in CUSTOM}
    return schemas | objects | list_schemas(CUSTOM) | {"PatchOperation": parts.PATCH_OPERATION}


def _named(schema: Document, kind: Kind[Any]) -> Document:
    """The schema of a whole object, which must say what it is."""
    versions = [f"{kind.group}/{version}" for version in (kind.version, *kind.older_versions)]
    said = {"apiVersion": versions, "kind": [kind.kind]}
    properties = schema["properties"]
    named = {name: properties[name] | {"enum": values} for name, values in said.items()}
    required = [*said, "metadata", *schema.get("required", ())]
    return schema | {"properties": properties | named, "required": required}


def _around() -> list[type[Any]]:
    """What is sent and answered besides objects."""
    from virtdeck.crds import answers
    from virtdeck.crds.backup.checkpoint import BackupCheckpoint
    from virtdeck.crds.kubevirt import guest_info, options
    from virtdeck.crds.kubevirt.vm_status import VirtualMachineMemoryDumpRequest

    found: list[type[Any]] = [BackupCheckpoint, VirtualMachineMemoryDumpRequest]
    for module in (answers, options, guest_info):
        found += [
            value
            for value in vars(module).values()
            if isinstance(value, type) and issubclass(value, Model) and value.__module__ == module.__name__
        ]
    return found
