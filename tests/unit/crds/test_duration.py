"""Durations as Go writes them."""

import pytest

from virtdeck.basis.errors import Invalid
from virtdeck.crds.duration import parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1h30m", 5400), ("45s", 45), ("500ms", 0.5), ("0", 0), ("1.5h", 5400), ("-2s", -2), (".5m", 30)],
)
def test_a_duration_is_read_as_seconds(text: str, seconds: float) -> None:
    assert parse_duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "5", "5 m", "1d", "soon", "--1s", "1h" * 40])
def test_what_go_would_not_read_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        parse_duration(text)
