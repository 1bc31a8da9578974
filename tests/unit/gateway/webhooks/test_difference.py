"""The patch turns the one value into the other."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from virtdeck.gateway.webhooks.difference import difference

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


def apply(value: Any, patch: list[dict[str, Any]]) -> Any:
    """RFC 6902, as far as ``difference`` uses it."""
    root = {"": deepcopy(value)}
    for operation in patch:
        target: Any = root
        keys = ["", *(k.replace("~1", "/").replace("~0", "~") for k in operation["path"].split("/")[1:])]
        for key in keys[:-1]:
            target = target[int(key) if isinstance(target, list) else key]
        last = int(keys[-1]) if isinstance(target, list) else keys[-1]
        if operation["op"] == "remove":
            del target[last]
        else:
            if operation["op"] == "replace":
                target[last]  # must be there
            target[last] = operation["value"]
    return root[""]


@given(JSON, JSON)
def test_applying_the_difference_gives_the_other_value(before: Any, after: Any) -> None:
    changed = apply(before, difference(before, after))
    assert repr(changed) == repr(after) or changed == after


@given(JSON)
def test_equal_values_do_not_differ(value: Any) -> None:
    assert difference(value, deepcopy(value)) == []


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ({"a": 1}, {"a": 1, "b": {"c": 2}}, [{"op": "add", "path": "/b", "value": {"c": 2}}]),
        ({"a": [{"x": 1}]}, {"a": [{"x": 2}]}, [{"op": "replace", "path": "/a/0/x", "value": 2}]),
        ({"a": [1]}, {"a": [1, 2]}, [{"op": "replace", "path": "/a", "value": [1, 2]}]),
        ({"a/b~": 1}, {}, [{"op": "remove", "path": "/a~1b~0"}]),
        ({"a": 1}, {"a": True}, [{"op": "replace", "path": "/a", "value": True}]),
    ],
)
def test_the_difference_is_small(before: Any, after: Any, patch: Any) -> None:
    assert difference(before, after) == patch
