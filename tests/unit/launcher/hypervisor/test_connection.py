"""libvirt's RPC messages, byte by byte."""

import asyncio
import struct
from typing import Any, cast

import pytest

from virtdeck.basis.errors import Absent, Bug, Conflict, HostFault, Lost, Unready
from virtdeck.launcher.hypervisor import protocol, xdr
from virtdeck.launcher.hypervisor.connection import Connection, decode_error
from virtdeck.launcher.hypervisor.events import (
    AgentEvent,
    IoErrorEvent,
    LifecycleEvent,
    RebootEvent,
    decode_event,
)
from virtdeck.launcher.hypervisor.protocol import Procedure

pytestmark = pytest.mark.anyio
DOMAIN = xdr.string("d") + bytes(16) + xdr.uint(7)


class Wire:
    """What the connection writes."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        self.sent.append(data)

    def close(self) -> None:
        self.closed = True


def connect(events: list[Any] | None = None) -> tuple[Connection, Wire]:
    wire = Wire()
    taken = [] if events is None else events
    connection = Connection(lambda procedure, payload: taken.append((procedure, payload)))
    connection.connection_made(cast(asyncio.WriteTransport, wire))
    return connection, wire


def message(kind: int, serial: int, payload: bytes = b"", status: int = 0, procedure: int = 14) -> bytes:
    return (
        struct.pack(
            ">IIIiiIi", 28 + len(payload), protocol.REMOTE_PROGRAM, 1, procedure, kind, serial, status
        )
        + payload
    )


def error(code: int, text: str) -> bytes:
    return xdr.uint(code) + xdr.uint(10) + xdr.optional_string(text) + bytes(40)


async def test_a_reply_that_arrives_in_pieces_answers_its_call() -> None:
    connection, wire = connect()
    async with asyncio.TaskGroup() as tasks:
        one = tasks.create_task(connection.call(Procedure.DOMAIN_GET_XML_DESC, b"abcd"))
        two = tasks.create_task(connection.call(Procedure.DOMAIN_GET_STATE))
        await asyncio.sleep(0)
        assert wire.sent[0].endswith(b"abcd")
        whole = message(protocol.REPLY, 2, b"second") + message(protocol.REPLY, 1, b"first")
        for at in range(len(whole)):
            connection.data_received(whole[at : at + 1])
    assert (one.result(), two.result()) == (b"first", b"second")


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (protocol.ERROR_NO_DOMAIN, Absent),
        (protocol.ERROR_OPERATION_INVALID, Conflict),
        (protocol.ERROR_AGENT_UNRESPONSIVE, Unready),
        (1, HostFault),
    ],
)
async def test_an_error_is_sorted_by_who_must_act(code: int, kind: type[Exception]) -> None:
    connection, _ = connect()
    reply = asyncio.ensure_future(connection.call(14))
    await asyncio.sleep(0)
    connection.data_received(message(protocol.REPLY, 1, error(code, "words"), protocol.ERROR))
    with pytest.raises(kind, match="words"):
        await reply
    assert isinstance(decode_error(error(code, "words")), kind)


async def test_a_stream_is_read_to_its_end_and_finished() -> None:
    connection, wire = connect()
    reading = asyncio.ensure_future(connection.read_stream(211, b"", 100))
    await asyncio.sleep(0)
    connection.data_received(message(protocol.REPLY, 1, b"mime"))
    for part in (b"abc", b"def", b""):
        connection.data_received(message(protocol.STREAM, 1, part, protocol.CONTINUE))
    assert await reading == (b"mime", b"abcdef")
    assert wire.sent[-1] == message(protocol.STREAM, 1, procedure=211)


async def test_a_stream_past_its_limit_is_an_error() -> None:
    connection, _ = connect()
    reading = asyncio.ensure_future(connection.read_stream(211, b"", 2))
    await asyncio.sleep(0)
    connection.data_received(message(protocol.REPLY, 1))
    connection.data_received(message(protocol.STREAM, 1, b"abc", protocol.CONTINUE))
    with pytest.raises(HostFault, match="more than 2"):
        await reading


async def test_calls_end_when_the_daemon_is_gone() -> None:
    connection, _ = connect()
    waiting = asyncio.ensure_future(connection.call(14))
    await asyncio.sleep(0)
    connection.connection_lost(None)
    with pytest.raises(Lost):
        await waiting
    with pytest.raises(Lost):
        await connection.call(14)


async def test_a_message_of_impossible_length_closes_the_connection() -> None:
    for length in (0, 27, protocol.MAX_MESSAGE_BYTES + 1):
        connection, wire = connect()
        connection.data_received(length.to_bytes(4, "big") + bytes(24))
        assert wire.closed


async def test_an_unasked_message_is_handed_on() -> None:
    events: list[Any] = []
    connection, _ = connect(events)
    connection.data_received(message(protocol.EVENT, 0, b"payload", procedure=318))
    assert events == [(318, b"payload")]


@pytest.mark.parametrize(
    ("procedure", "payload", "event"),
    [
        (Procedure.EVENT_LIFECYCLE, xdr.uint(5) + xdr.uint(1), LifecycleEvent(5, 1)),
        (Procedure.EVENT_REBOOT, b"", RebootEvent()),
        (Procedure.EVENT_AGENT_LIFECYCLE, xdr.uint(1) + xdr.uint(1), AgentEvent(connected=True)),
        (Procedure.EVENT_AGENT_LIFECYCLE, xdr.uint(2) + xdr.uint(0), AgentEvent(connected=False)),
        (
            Procedure.EVENT_IO_ERROR_REASON,
            xdr.string("/p") + xdr.string("ua-a") + xdr.uint(1) + xdr.string("enospc"),
            IoErrorEvent("ua-a", "enospc"),
        ),
        (999, b"", None),
    ],
)
async def test_events_are_read(procedure: int, payload: bytes, event: object) -> None:
    assert decode_event(procedure, xdr.uint(3) + DOMAIN + payload) == event


async def test_a_message_that_is_cut_short_is_a_bug() -> None:
    with pytest.raises(Bug):
        decode_event(Procedure.EVENT_LIFECYCLE, b"\0\0")
