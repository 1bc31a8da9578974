"""Kubernetes quantities."""

from decimal import Decimal

import pytest

from virtdeck.basis.errors import Invalid
from virtdeck.crds.quantity import format_bytes, format_milli, parse_bytes, parse_milli, parse_quantity


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("0", "0"),
        ("1", "1"),
        (2, "2"),
        (0.5, "0.5"),
        ("100m", "0.1"),
        ("5u", "0.000005"),
        ("1k", "1000"),
        ("1Ki", "1024"),
        ("1.5Gi", str(3 * 2**29)),
        ("1M", "1000000"),
        ("2E", "2000000000000000000"),
        ("1e3", "1000"),
        ("1E-2", "0.01"),
        (".5", "0.5"),
        ("5.", "5"),
        ("-1Mi", "-1048576"),
        ("+3", "3"),
    ],
)
def test_an_amount_is_read(text: str | int | float, amount: str) -> None:
    assert parse_quantity(text) == Decimal(amount)


@pytest.mark.parametrize(
    "text", ["", "Gi", "1 Gi", "1gi", "1KB", "1mi", "0x10", "NaN", "1e", "--1", "1" * 100, "１"]
)
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        parse_quantity(text)


def test_bytes_are_whole_and_rounded_up() -> None:
    assert parse_bytes("1Gi") == 2**30
    assert parse_bytes("1.5") == 2
    assert parse_bytes("100m") == 1
    with pytest.raises(Invalid):
        parse_bytes("8Ei")


def test_processors_are_counted_in_thousandths() -> None:
    assert parse_milli("100m") == 100
    assert parse_milli("2") == 2000
    assert parse_milli("1u") == 1


def test_amounts_are_printed_as_people_write_them() -> None:
    assert [format_bytes(n) for n in (0, 1000, 1024, 2**30, 3 * 2**29)] == [
        "0",
        "1000",
        "1Ki",
        "1Gi",
        "1536Mi",
    ]
    assert [format_milli(n) for n in (100, 2000, 1500)] == ["100m", "2", "1500m"]
