"""JSON patch and merge patch."""

from typing import Any

import pytest

from virtdeck.standalone.apiserver.patching.json_patch import json_patch, merge_patch
from virtdeck.standalone.apiserver.problems import StatusError

DOC = {"a": {"b": [1, 2]}, "s/t": {"~x": 1}}


@pytest.mark.parametrize(
    ("operation", "path", "expected"),
    [
        ({"op": "add", "path": "/a/c", "value": 3}, ("a", "c"), 3),
        ({"op": "add", "path": "/a/b/-", "value": 3}, ("a", "b"), [1, 2, 3]),
        ({"op": "add", "path": "/a/b/0", "value": 0}, ("a", "b"), [0, 1, 2]),
        ({"op": "remove", "path": "/a/b/0"}, ("a", "b"), [2]),
        ({"op": "replace", "path": "/a/b/1", "value": 9}, ("a", "b"), [1, 9]),
        ({"op": "move", "from": "/a/b", "path": "/m"}, ("m",), [1, 2]),
        ({"op": "copy", "from": "/a/b/0", "path": "/a/b/-"}, ("a", "b"), [1, 2, 1]),
        ({"op": "replace", "path": "/s~1t/~0x", "value": 2}, ("s/t", "~x"), 2),
    ],
)
def test_operation(operation: Any, path: tuple[str, ...], expected: Any) -> None:
    found: Any = json_patch(DOC, [operation])
    for part in path:
        found = found[part]
    assert found == expected
    assert DOC == {"a": {"b": [1, 2]}, "s/t": {"~x": 1}}


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "remove", "path": "/none"},
        {"op": "replace", "path": "/none", "value": 1},
        {"op": "add", "path": "/none/x", "value": 1},
        {"op": "add", "path": "/a/b/9", "value": 1},
        {"op": "remove", "path": "/a/b/01"},
        {"op": "test", "path": "/a/b/0", "value": True},
        {"op": "remove", "path": ""},
        {"op": "odd", "path": "/a"},
        {"op": "add", "path": "a", "value": 1},
        {"op": "add", "path": "/a"},
    ],
)
def test_operation_that_does_not_apply_is_invalid(operation: Any) -> None:
    with pytest.raises(StatusError) as caught:
        json_patch(DOC, [operation])
    assert caught.value.code == 422


@pytest.mark.parametrize("patch", [{}, [1]])
def test_nonsense_is_a_bad_request(patch: Any) -> None:
    with pytest.raises(StatusError) as caught:
        json_patch(DOC, patch)
    assert caught.value.code == 400


def test_merge_patch_merges_maps_and_replaces_the_rest() -> None:
    target = {"a": {"b": 1, "c": 2}, "l": [1, 2], "gone": 1}
    patch = {"a": {"c": None, "d": {"e": None, "f": 1}}, "l": [3], "gone": None}
    assert merge_patch(target, patch) == {"a": {"b": 1, "d": {"f": 1}}, "l": [3]}
    assert target["l"] == [1, 2]
