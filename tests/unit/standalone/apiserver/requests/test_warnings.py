"""Warnings are headers: whatever they quote, the answer gets out."""

import pytest

from virtdeck.standalone.apiserver.requests.answers import stream_headers


def _headers(*warnings: str) -> list[bytes]:
    headers = stream_headers("application/json", list(warnings))
    return [value for name, value in headers if name == b"warning"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("use v1", b'299 - "use v1"'),
        ('unknown field "spec.a\\b"', b'299 - "unknown field \\"spec.a\\\\b\\""'),
        ("unknown field a\x00b\x1f\x7f\r\n\tc", b'299 - "unknown field a b     c"'),
        ("unknown field é", '299 - "unknown field é"'.encode()),
        ("unknown field \ud800", b'299 - "unknown field ?"'),
    ],
)
def test_a_warning_fits_into_a_header(text: str, value: bytes) -> None:
    assert _headers(text) == [value]


def test_many_long_warnings_are_cut_as_kubernetes_cuts_them() -> None:
    found = _headers(*(f"{number} " + "x" * 1000 for number in range(100)))
    assert len(found) == 16
    assert all(len(value) < 300 and value.endswith(b'..."') for value in found)
    assert _headers(*["short"] * 100) == [b'299 - "short"'] * 100
