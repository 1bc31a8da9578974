"""The ring keeps the newest bytes."""

from hypothesis import given
from hypothesis import strategies as st

from virtdeck.launcher.serial.ring import Ring


@given(st.lists(st.binary(max_size=40)), st.integers(1, 50))
def test_the_newest_bytes_are_kept(chunks: list[bytes], limit: int) -> None:
    ring = Ring(limit)
    for chunk in chunks:
        ring.append(chunk)
    assert ring.contents() == b"".join(chunks)[-limit:]
    assert ring.contents() == b"".join(chunks)[-limit:]
