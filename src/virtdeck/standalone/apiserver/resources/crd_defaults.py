"""Defaults of a schema: each is a value that the schema would take."""

from collections.abc import Iterator
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.resources.rules import Obj
from virtdeck.standalone.apiserver.schema.structural import copy_json, prune
from virtdeck.standalone.apiserver.schema.validation import show, validate


def causes_of_default(schema: Obj, path: str) -> Iterator[Cause]:
    """What is wrong with the defaults of a structural schema and of all below it."""
    if "default" in schema:
        yield from _causes(schema, f"{path}.default")
    for name, below in (schema.get("properties") or {}).items():
        yield from causes_of_default(below, f"{path}.properties[{name}]")
    for part in ("items", "additionalProperties"):
        if isinstance(below := schema.get(part), dict):
            yield from causes_of_default(below, f"{path}.{part}")


def _causes(schema: Obj, path: str) -> Iterator[Cause]:
    value: Any = schema["default"]
    pruned = copy_json(value)
    if lost := prune(pruned, schema):
        yield Cause(path, f"Invalid value: {show(value)}: must not have unknown fields: {', '.join(lost)}")
    for cause in validate(pruned, schema, path):
        yield Cause(cause.field, cause.message, cause.reason)
