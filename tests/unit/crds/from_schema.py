"""Values that a structural schema lets through, for property tests."""

from typing import Any

from hypothesis import strategies as st

Plain = dict[str, Any]

_TEXTS = st.sampled_from(
    ["", "root", "default", "1Gi", "-1", "sata", "virtio", "/", "../x", "x" * 300]
) | st.text(max_size=6)


def from_schema(schema: Plain) -> st.SearchStrategy[Any]:
    """Values that the API server would let through."""
    if schema.get("x-kubernetes-int-or-string"):
        return st.sampled_from(["1Gi", "128Mi", "100m", "1e3", "-1", "0", "junk"]) | st.integers(-1, 2**40)
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if schema["type"] == "array":
        least = schema.get("minItems", 0)
        return st.lists(from_schema(schema["items"]), min_size=least, max_size=least + 2)
    if schema["type"] == "object":
        return _object(schema)
    texts = _TEXTS.filter(bool) if schema.get("minLength") else _TEXTS
    scalars = {"string": texts, "boolean": st.booleans()}
    return scalars.get(schema["type"], st.integers(schema.get("minimum", -2), 70_000))


def _object(schema: Plain) -> st.SearchStrategy[Any]:
    if schema.get("x-kubernetes-preserve-unknown-fields"):
        return st.just({})
    if "additionalProperties" in schema:
        return st.dictionaries(_TEXTS, from_schema(schema["additionalProperties"]), max_size=2)
    required = set(schema.get("required", ()))
    named = {name: _later(prop) for name, prop in schema.get("properties", {}).items()}
    must = {name: strategy for name, strategy in named.items() if name in required}
    return _some_of(must, {name: strategy for name, strategy in named.items() if name not in required})


def _later(schema: Plain) -> st.SearchStrategy[Any]:
    return st.deferred(lambda: from_schema(schema))


@st.composite
def _some_of(draw: st.DrawFn, must: dict[str, Any], may: dict[str, Any]) -> Plain:
    chosen = draw(st.lists(st.sampled_from(sorted(may)), max_size=5, unique=True)) if may else []
    return {name: draw(strategy) for name, strategy in must.items()} | {
        name: draw(may[name]) for name in chosen
    }
