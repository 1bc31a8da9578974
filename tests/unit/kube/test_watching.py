"""Bytes of a watch become events."""

import json
from collections.abc import AsyncIterator

import pytest

from virtdeck.basis.errors import Bug, Unready
from virtdeck.crds import kinds
from virtdeck.kube.errors import Expired
from virtdeck.kube.watching import lines, parse_event

pytestmark = pytest.mark.anyio
MAP = kinds.CONFIG_MAP


def line(type_: str, obj: object) -> bytes:
    return json.dumps({"type": type_, "object": obj}).encode()


def test_a_change_carries_the_object_and_its_version() -> None:
    event = parse_event(line("MODIFIED", {"metadata": {"name": "a", "resourceVersion": "7"}}), MAP)
    assert (event.type, event.resource_version) == ("MODIFIED", "7")
    assert event.object is not None
    assert event.object.metadata.name == "a"


def test_a_bookmark_has_a_version_only() -> None:
    event = parse_event(line("BOOKMARK", {"metadata": {"resourceVersion": "9"}}), MAP)
    assert (event.type, event.resource_version, event.object) == ("BOOKMARK", "9", None)


def test_an_error_event_is_raised_as_what_it_is() -> None:
    with pytest.raises(Expired):
        parse_event(line("ERROR", {"code": 410, "reason": "Expired", "message": "too old"}), MAP)


@pytest.mark.parametrize("bad", [b"{", b"[]", b'{"type":"ADDED"}', line("NEW", {"metadata": {"name": "a"}})])
def test_what_is_no_event_is_a_bug_of_the_server(bad: bytes) -> None:
    with pytest.raises(Bug):
        parse_event(bad, MAP)


async def chunks(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def test_lines_come_whole_however_they_arrive() -> None:
    stream = lines(chunks(b"on", b"e\ntwo\n\n", b"thr", b"ee\nfo"))
    assert [found async for found in stream] == [b"one", b"two", b"three"]


async def test_a_line_without_end_is_cut() -> None:
    with pytest.raises(Unready):
        async for _ in lines(chunks(b"x" * 6, b"x" * 6), limit=10):
            pass
