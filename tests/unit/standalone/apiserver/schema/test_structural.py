"""Pruning, defaulting and validation beyond what the contract tests show."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from virtdeck.standalone.apiserver.schema.structural import apply_defaults, prune_root
from virtdeck.standalone.apiserver.schema.validation import validate

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=3),
    max_leaves=12,
)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "a": {"type": "object", "properties": {"b": {"type": "integer", "default": 1}}},
        "b": {"type": "array", "items": {"type": "object", "properties": {"c": {"type": "string"}}}},
        "c": {
            "type": "object",
            "additionalProperties": {"type": "object", "properties": {"d": {"type": "string"}}},
        },
    },
}


@given(st.dictionaries(st.sampled_from("abcd"), JSON, max_size=4))
def test_pruning_twice_loses_nothing_more(value: dict[str, Any]) -> None:
    prune_root(value, SCHEMA)
    assert prune_root(value, SCHEMA) == []


@given(JSON)
def test_validation_never_fails_on_any_json(value: Any) -> None:
    validate(value, SCHEMA)
    apply_defaults(value, SCHEMA)


def test_pruned_paths_go_through_lists_and_maps() -> None:
    value = {"x": 1, "b": [{"c": "", "y": 1}], "c": {"any": {"d": "", "z": 1}}}
    assert prune_root(value, SCHEMA) == ["x", "b[0].y", "c.any.z"]


def test_default_of_an_absent_parent_is_not_made_up() -> None:
    value: dict[str, Any] = {}
    apply_defaults(value, SCHEMA)
    assert value == {}
    value = {"a": {"b": None}}
    apply_defaults(value, SCHEMA)
    assert value == {"a": {"b": 1}}


@pytest.mark.parametrize(
    ("schema", "value", "text"),
    [
        (
            {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {},
            "must validate at least one schema (anyOf)",
        ),
        (
            {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {"a": 1, "b": 1},
            "Found 2 valid alternatives",
        ),
        ({"not": {"required": ["a"]}}, {"a": 1}, "must not validate the schema (not)"),
        ({"allOf": [{"required": ["a"]}]}, {}, "Required value"),
        ({"minProperties": 1}, {}, "should have at least 1 properties"),
    ],
)
def test_combinations(schema: Any, value: Any, text: str) -> None:
    causes = validate(value, schema, "spec")
    assert len(causes) == 1
    assert text in causes[0].message


def test_integers_fit_their_format() -> None:
    schema = {"type": "integer", "format": "int32"}
    assert validate(2**31 - 1, schema, "n") == []
    assert validate(2**31, schema, "n")
    assert validate(1.0, schema, "n") == []
    assert validate(1.5, schema, "n")[0].reason == "FieldValueTypeInvalid"


def test_an_object_with_very_many_faults_is_told_a_hundred() -> None:
    schema = {"type": "array", "items": {"type": "string"}}
    assert len(validate([1] * 5000, schema, "l")) == 100
