"""String formats."""

import pytest

from virtdeck.standalone.apiserver.schema.formats import has_format


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("date-time", "2026-01-02T03:04:05Z", "2026-01-02"),
        ("date-time", "2026-01-02T03:04:05.123456789+02:00", "2026-13-02T03:04:05Z"),
        ("date", "2026-01-02", "2026-02-30"),
        ("byte", "YQ==", "YQ="),
        ("ipv4", "10.0.0.1", "10.0.0.256"),
        ("ipv6", "::1", "10.0.0.1"),
        ("cidr", "10.0.0.0/8", "10.0.0.0/40"),
        ("mac", "02:00:00:00:00:01", "02:00"),
        ("uuid", "123e4567-e89b-12d3-a456-426614174000", "123"),
        ("duration", "1h30m", "1 hour"),
        ("email", "a@b", "a"),
    ],
)
def test_format(name: str, good: str, bad: str) -> None:
    assert has_format(good, name)
    assert not has_format(bad, name)


def test_unknown_format_holds_for_everything() -> None:
    assert has_format("anything", "quantity-of-love")
