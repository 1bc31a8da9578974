"""String formats."""

import pytest

from virtdeck.crds.formats import has_format


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
        ("duration", "1h30m", "1 fortnight"),
        ("duration", "2 weeks", "weeks"),
        ("hostname", "a-b.example.com", "-a.example.com"),
        ("uri", "https://example.com/x", "example"),
        ("uuid4", "123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"),
        ("uuid3", "123e4567-e89b-32d3-a456-426614174000", "123e4567-e89b-42d3-a456-426614174000"),
        ("hexcolor", "#ff00aa", "#ff00a"),
        ("rgbcolor", "rgb(1, 2, 255)", "rgb(1, 2, 256)"),
        ("isbn10", "0-306-40615-2", "0-306-40615-3"),
        ("isbn13", "978-0-306-40615-7", "978-0-306-40615-8"),
        ("isbn", "0306406152", "03064"),
        ("creditcard", "4111 1111 1111 1111", "4111 1111 1111 1112"),
        ("ssn", "111-22-3333", "111-22-333"),
        ("bsonobjectid", "507f1f77bcf86cd799439011", "507f1f"),
        ("email", "a@b", "a"),
    ],
)
def test_format(name: str, good: str, bad: str) -> None:
    assert has_format(good, name)
    assert not has_format(bad, name)


def test_unknown_format_holds_for_everything() -> None:
    assert has_format("anything", "quantity-of-love")
