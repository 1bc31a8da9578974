"""The smallest parts that differ."""

from typing import Any

import pytest

from virtdeck.gateway.admission.changed import changed


@pytest.mark.parametrize(
    ("before", "after", "paths"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, [".a"]),
        ({}, {"b": {"c": 1}}, [".b"]),
        ({"b": {"c": 1}}, {}, [".b"]),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 2, "c": 3}}, [".a.b", ".a.c"]),
        ({"a": [{"n": 1}, {"n": 2}]}, {"a": [{"n": 1}, {"n": 3}]}, [".a[1].n"]),
        ({"a": [1]}, {"a": [1, 2]}, [".a"]),
        ({"a": {}}, {"a": []}, [".a"]),
    ],
)
def test_paths(before: Any, after: Any, paths: list[str]) -> None:
    assert list(changed(before, after)) == paths
