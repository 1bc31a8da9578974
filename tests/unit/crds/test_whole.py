"""An object with every field set goes through the types unharmed, for every kind."""

from typing import Any

import pytest
from tests.unit.crds.whole import whole

from virtdeck.crds import codec
from virtdeck.crds.kinds import CUSTOM, Kind
from virtdeck.crds.manifests import openapi_schema


def _fields(schema: dict[str, Any]) -> int:
    parts = [*schema.get("properties", {}).values()]
    parts += [schema[key] for key in ("items", "additionalProperties") if key in schema]
    return len(schema.get("properties", {})) + sum(_fields(part) for part in parts)


def _set(value: Any) -> int:
    if isinstance(value, list):
        return sum(map(_set, value))
    return sum(1 + _set(item) for item in value.values()) if isinstance(value, dict) else 0


@pytest.mark.parametrize("kind", CUSTOM, ids=lambda kind: kind.kind)
def test_every_field_survives(kind: Kind[Any]) -> None:
    schema = openapi_schema(kind)
    doc = whole(schema)
    assert _set(doc) >= _fields(schema)
    doc["metadata"] = {"name": "a"}
    assert codec.to_dict(codec.decode(doc, kind.type)) == doc
