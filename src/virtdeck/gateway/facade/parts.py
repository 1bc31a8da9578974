"""Pieces of an OpenAPI document that many operations share."""

from typing import Any

Document = dict[str, Any]

_SCHEMA = "#/components/schemas/"
_TEXTS = {
    "namespace": "Namespace of the object.",
    "name": "Name of the object.",
    "port": "Port of the guest, 1 to 65535.",
    "protocol": "tcp or udp.",
    "labelSelector": "Only objects with these labels, as app=web,tier!=test.",
    "fieldSelector": "Only objects with these fields, as metadata.name=web-1.",
    "limit": "At most so many; the answer's metadata.continue leads to the next ones.",
    "continue": "The next part of a list that was begun with limit.",
    "resourceVersion": "The state of the store to read or to begin a watch at.",
    "resourceVersionMatch": "How resourceVersion is meant: Exact or NotOlderThan.",
    "watch": "Answer with changes as they happen, one WatchEvent a line, instead of a list.",
    "timeoutSeconds": "How long a watch may take.",
    "allowWatchBookmarks": "Tell in a watch now and then how far it is.",
    "dryRun": "All: everything is checked and nothing is kept.",
    "fieldManager": "In whose name fields are set; who applies must say so.",
    "fieldValidation": "What becomes of unknown fields: Ignore, Warn or Strict.",
    "force": "Take fields from whoever set them before; only when applying.",
    "gracePeriodSeconds": "Seconds until it is gone.",
    "propagationPolicy": "What becomes of the objects that it owns: Background, Foreground or Orphan.",
}
_TYPES: Document = {
    "limit": {"type": "integer", "minimum": 0},
    "timeoutSeconds": {"type": "integer", "minimum": 0},
    "gracePeriodSeconds": {"type": "integer", "minimum": 0},
    "watch": {"type": "boolean"},
    "allowWatchBookmarks": {"type": "boolean"},
    "force": {"type": "boolean"},
    "dryRun": {"type": "string", "enum": ["All"]},
    "fieldManager": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[!-~]+$"},
    "fieldValidation": {"type": "string", "enum": ["Ignore", "Warn", "Strict"]},
    "resourceVersionMatch": {"type": "string", "enum": ["Exact", "NotOlderThan"]},
    "propagationPolicy": {"type": "string", "enum": ["Background", "Foreground", "Orphan"]},
    "port": {"type": "integer", "minimum": 1, "maximum": 65535},
    "protocol": {"type": "string", "enum": ["tcp", "udp"]},
    "namespace": {"type": "string", "pattern": "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$"},
    "name": {"type": "string", "pattern": "^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$"},
}
_IN_PATH = ("namespace", "name", "port", "protocol")
READING = ("resourceVersion",)
LISTING = (
    "labelSelector",
    "fieldSelector",
    "limit",
    "continue",
    "resourceVersion",
    "resourceVersionMatch",
    "watch",
    "timeoutSeconds",
    "allowWatchBookmarks",
)
WRITING = ("dryRun", "fieldManager", "fieldValidation")
PATCHING = (*WRITING, "force")
DELETING = ("dryRun", "gracePeriodSeconds", "propagationPolicy")
SWEEPING = ("labelSelector", "fieldSelector", *DELETING)


def parameters() -> Document:
    """All of them, by name."""
    return {
        name: {
            "name": name,
            "in": "path" if name in _IN_PATH else "query",
            "required": name in _IN_PATH,
            "description": text,
            "schema": _TYPES.get(name, {"type": "string"}),
        }
        for name, text in _TEXTS.items()
    }


def named(*names: str) -> list[Document]:
    """References to parameters."""
    return [{"$ref": f"#/components/parameters/{name}"} for name in names]


def refer(*types: str) -> Document:
    """A value of one of these types."""
    found = [{"$ref": f"{_SCHEMA}{name}"} for name in types]
    return found[0] if len(found) == 1 else {"anyOf": found}


def response(description: str, *types: str) -> Document:
    """An answer in JSON."""
    return {"description": description, "content": {"application/json": {"schema": refer(*types)}}}


def responses(**given: Document) -> Document:
    """Answers by code (``_200=…``), and what is answered when it is not done."""
    codes = {code.removeprefix("_"): answer for code, answer in given.items()}
    return codes | {"default": {"$ref": "#/components/responses/Failure"}}


def body(type_name: str, *, required: bool = True) -> Document:
    """What is sent, as JSON or YAML."""
    content = {"schema": refer(type_name)}
    return {"required": required, "content": {"application/json": content, "application/yaml": content}}


def patch_body(type_name: str) -> Document:
    """The three ways to say what is to be changed."""
    part = {"type": "object", "description": f"The fields of a {type_name} that change."}
    return {
        "required": True,
        "content": {
            "application/merge-patch+json": {"schema": part},
            "application/json-patch+json": {"schema": {"type": "array", "items": refer("PatchOperation")}},
            "application/apply-patch+yaml": {"schema": part},
        },
    }


PATCH_OPERATION: Document = {
    "type": "object",
    "description": "One step of a JSON Patch (RFC 6902).",
    "properties": {
        "op": {"type": "string", "enum": ["add", "remove", "replace", "move", "copy", "test"]},
        "path": {"type": "string", "description": "Where, as a JSON Pointer."},
        "from": {"type": "string", "description": "From where, for move and copy."},
        "value": {"description": "What, for add, replace and test."},
    },
    "required": ["op", "path"],
}
