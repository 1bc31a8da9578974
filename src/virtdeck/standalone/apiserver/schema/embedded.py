"""Whole resources inside an object: each says what it is, and has metadata that is well-formed."""

from collections.abc import Iterator
from typing import Any, TypeGuard

from virtdeck.basis.errors import Cause
from virtdeck.crds.names import (
    causes_of_annotations,
    causes_of_labels,
    faults_of_subdomain,
)

Schema = dict[str, Any]

_EMBEDDED = "x-kubernetes-embedded-resource"


def causes_of_embedded(value: Any, schema: Schema, path: str = "") -> list[Cause]:
    """What is wrong with the resources embedded in a value."""
    return list(_walk(value, schema, path))


def has_embedded(schema: Any) -> bool:
    """Whether anything that the schema describes embeds a resource."""
    if not isinstance(schema, dict):
        return False
    if schema.get(_EMBEDDED):
        return True
    below = [
        *(schema.get("properties") or {}).values(),
        schema.get("items"),
        schema.get("additionalProperties"),
    ]
    return any(map(has_embedded, below))


def _walk(value: Any, schema: Schema, path: str) -> Iterator[Cause]:
    if isinstance(value, list) and isinstance(items := schema.get("items"), dict):
        for index, item in enumerate(value):
            yield from _walk(item, items, f"{path}[{index}]")
    if not isinstance(value, dict):
        return
    if schema.get(_EMBEDDED):
        yield from _causes(value, path)
    properties, others = schema.get("properties") or {}, schema.get("additionalProperties")
    for name, item in value.items():
        below = properties.get(name, others)
        if isinstance(below, dict) and isinstance(item, list | dict):
            yield from _walk(item, below, f"{path}.{name}" if path else name)


def _causes(value: dict[str, Any], path: str) -> Iterator[Cause]:
    for name in ("apiVersion", "kind"):
        given = value.get(name)
        if not given:
            yield Cause(f"{path}.{name}", "Required value: must not be empty", "FieldValueRequired")
        elif not isinstance(given, str):
            yield Cause(f"{path}.{name}", "Invalid value: must be string", "FieldValueTypeInvalid")
    meta = value.get("metadata")
    if meta is None:
        return
    if not isinstance(meta, dict):
        yield Cause(f"{path}.metadata", "Invalid value: must be object", "FieldValueTypeInvalid")
        return
    if isinstance(own := meta.get("name"), str) and own:
        for fault in faults_of_subdomain(own):
            yield Cause(f"{path}.metadata.name", f'Invalid value: "{own}": {fault}')
    for part, check in (("labels", causes_of_labels), ("annotations", causes_of_annotations)):
        texts = meta.get(part)
        if _are_texts(texts):
            yield from check(texts, f"{path}.metadata.{part}")
        elif texts is not None:
            yield Cause(
                f"{path}.metadata.{part}", "Invalid value: must be texts by name", "FieldValueTypeInvalid"
            )


def _are_texts(value: Any) -> TypeGuard[dict[str, str]]:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())
