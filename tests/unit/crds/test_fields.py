"""Every field of KubeVirt's API is here, with its type, and whether it must be given.

``tests/data/kubevirt/types.json`` holds the names. Shape: type → field → ``T``, ``[T]`` or ``map<T>``, then
``!`` when required and ``enum=A|B``.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from virtdeck.crds.kinds import CUSTOM, Kind
from virtdeck.crds.manifests import openapi_schema

Schema = dict[str, Any]

FACTS = json.loads((Path(__file__).parents[2] / "data" / "kubevirt" / "types.json").read_text())
TYPES: dict[str, dict[str, str]] = FACTS["types"]

_FIELD = re.compile(r"^(?P<type>[^! ]+)(?P<required>!)?(?: enum=(?P<enum>\S+))?$")
_INT_OR_STRING = {"x-kubernetes-int-or-string": True}
_SCALARS: dict[str, Schema] = {
    "string": {"type": "string"},
    "boolean": {"type": "boolean"},
    "integer:int32": {"type": "integer", "format": "int32"},
    "integer:int64": {"type": "integer", "format": "int64"},
    "integer:byte": {"type": "integer"},
    "number:float": {"type": "number"},
    "Quantity": _INT_OR_STRING,
    "IntOrString": _INT_OR_STRING,
    "Time": {"type": "string", "format": "date-time"},
    "Duration": {"type": "string"},
    "Any": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    "ObjectMeta": {"type": "object"},
}


def _faults(schema: Schema, name: str, path: str, above: tuple[str, ...] = ()) -> Iterator[str]:
    """What is missing, too much or different at a value of this type, and below."""
    fields, here = TYPES[name], schema.get("properties", {})
    yield from (f"{path}.{field} is missing" for field in fields.keys() - here.keys())
    yield from (f"{path}.{field} is not KubeVirt's" for field in here.keys() - fields.keys())
    required = set(schema.get("required", ()))
    for field in fields.keys() & here.keys():
        fact = _FIELD.fullmatch(fields[field])
        assert fact is not None, fields[field]
        if (field in required) != bool(fact["required"]):
            yield f"{path}.{field} is required: {field in required}"
        if fact["enum"] and sorted(here[field].get("enum", ())) != sorted(fact["enum"].split("|")):
            yield f"{path}.{field} may be {here[field].get('enum')}, not {fact['enum']}"
        yield from _typed(here[field], fact["type"], f"{path}.{field}", (*above, name))


def _typed(schema: Schema, fact: str, path: str, above: tuple[str, ...]) -> Iterator[str]:
    if fact.startswith("["):
        yield from _inside(schema, "array", "items", fact[1:-1], path, above)
    elif fact.startswith("map<"):
        yield from _inside(schema, "object", "additionalProperties", fact[4:-1], path, above)
    elif fact in TYPES:
        if fact not in above:
            yield from _faults(schema, fact, path, above)
    elif any(schema.get(key) != value for key, value in _SCALARS[fact].items()):
        given = {key: schema.get(key) for key in ("type", "format") if key in schema}
        yield f"{path} is {given}, not {fact}"


def _inside(
    schema: Schema, outer: str, key: str, fact: str, path: str, above: tuple[str, ...]
) -> Iterator[str]:
    if schema.get("type") != outer or key not in schema:
        yield f"{path} is no {outer} of {fact}"
    else:
        yield from _typed(schema[key], fact, f"{path}[]", above)


@pytest.mark.parametrize("kind", CUSTOM, ids=lambda kind: kind.kind)
def test_a_kind_has_the_fields_that_kubevirt_has(kind: Kind[Any]) -> None:
    assert sorted(_faults(openapi_schema(kind), FACTS["kinds"][kind.kind], "")) == []


def test_every_kind_of_kubevirt_is_here() -> None:
    assert sorted(kind.kind for kind in CUSTOM) == sorted(FACTS["kinds"])


def test_the_comparison_sees_what_differs() -> None:
    schema = {
        "type": "object",
        "properties": {"name": {"type": "integer", "format": "int64"}, "more": {"type": "string"}},
    }
    assert sorted(_faults(schema, "v1alpha1.AdmissionReference", "")) == [
        ".more is not KubeVirt's",
        ".name is required: False",
        ".name is {'type': 'integer', 'format': 'int64'}, not string",
    ]
