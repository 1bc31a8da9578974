"""A difference, applied, gives the other object."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from virtdeck.kube.patches import holds_list, json_diff, merge_diff

scalars = st.integers() | st.text(max_size=3) | st.booleans()
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab/~", max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)
objects = st.dictionaries(st.text("abc/~", max_size=2), values, max_size=4)


def apply_merge(old: Any, patch: Any) -> Any:
    if not isinstance(patch, dict):
        return patch
    merged = dict(old) if isinstance(old, dict) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = apply_merge(merged.get(name), value)
    return merged


def apply_json(old: Any, ops: list[dict[str, Any]]) -> Any:
    root = {"": old}
    for op in ops:
        names = [step.replace("~1", "/").replace("~0", "~") for step in op["path"].split("/")]
        place: Any = root
        for name in names[:-1]:
            place = place[name]
        if op["op"] == "test":
            assert place[names[-1]] == op["value"]
        elif op["op"] == "remove":
            del place[names[-1]]
        else:
            place[names[-1]] = op["value"]
    return root[""]


@given(objects, objects)
def test_a_merge_patch_leads_from_one_to_the_other(old: Any, new: Any) -> None:
    assert apply_merge(old, merge_diff(old, new)) == new


@given(objects, objects)
def test_json_operations_lead_from_one_to_the_other(old: Any, new: Any) -> None:
    import copy

    assert apply_json(copy.deepcopy(old), json_diff(old, new)) == new


@given(objects)
def test_equal_objects_need_no_patch(obj: Any) -> None:
    assert (merge_diff(obj, obj), json_diff(obj, obj)) == ({}, [])


def test_a_replaced_list_is_tested_first() -> None:
    assert json_diff({"a": [1]}, {"a": [2]}) == [
        {"op": "test", "path": "/a", "value": [1]},
        {"op": "replace", "path": "/a", "value": [2]},
    ]


@pytest.mark.parametrize(
    ("patch", "answer"), [({"a": {"b": 1}}, False), ({"a": {"b": []}}, True), ({}, False)]
)
def test_a_patch_tells_whether_it_replaces_a_list(patch: Any, answer: bool) -> None:
    assert holds_list(patch) is answer
