"""Copies of plain JSON."""

from datetime import UTC, datetime
from typing import Any

import pytest

from virtdeck.gateway.admission.copying import copied


def _deep(levels: int) -> Any:
    value: Any = {"leaf": 1}
    for _ in range(levels):
        value = {"a": [value]}
    return value


@pytest.mark.parametrize(
    "value",
    [
        {"a": {"b": [1, 2.5, -0.0, 1e300, None, True, "é", {}]}},
        {"big": 2**70, "small": -(2**70), "most": 2**64 - 1},
        {"text": "\ud800"},
        {"made": datetime(2026, 1, 31, tzinfo=UTC)},
        {1: "a key that is no text"},
        _deep(200),
        [],
        "text",
        None,
    ],
    ids=["usual", "numbers", "surrogate", "time", "key", "deep", "list", "text", "nothing"],
)
def test_a_copy_is_equal(value: Any) -> None:
    assert repr(copied(value)) == repr(value)


def test_a_copy_is_another() -> None:
    value: dict[str, Any] = {"a": {"b": [{}]}}
    made = copied(value)
    made["a"]["b"][0]["c"] = 1
    assert value == {"a": {"b": [{}]}}
