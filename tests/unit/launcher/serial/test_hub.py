"""The serial hub on real sockets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from virtdeck.launcher.serial.hub import INPUT_BACKLOG_BYTES, READER_BACKLOG_BYTES, SCROLLBACK_BYTES, open_hub

pytestmark = pytest.mark.anyio

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture
async def sockets(tmp_path: Path) -> AsyncIterator[Path]:
    async with open_hub(str(tmp_path / "guest"), str(tmp_path / "live"), str(tmp_path / "replay")):
        yield tmp_path


@asynccontextmanager
async def dial(path: Path) -> AsyncIterator[Stream]:
    reader, writer = await asyncio.open_unix_connection(path)
    try:
        yield reader, writer
    finally:
        writer.close()


async def test_everybody_reads_the_guest_and_may_type(sockets: Path) -> None:
    async with dial(sockets / "guest") as guest, dial(sockets / "live") as one, dial(sockets / "live") as two:
        one[1].write(b"typed")
        assert await guest[0].readexactly(5) == b"typed"
        two[1].write(b"too")
        assert await guest[0].readexactly(3) == b"too"
        guest[1].write(b"output")
        assert await one[0].readexactly(6) == b"output"
        assert await two[0].readexactly(6) == b"output"


async def test_a_late_reader_gets_the_scrollback_first_if_it_wants(sockets: Path) -> None:
    async with dial(sockets / "guest") as guest, dial(sockets / "live") as witness:
        guest[1].write(b"early " * 100_000)
        await witness[0].readexactly(600_000)
        async with dial(sockets / "replay") as late:
            guest[1].write(b"late")
            shown = await late[0].readexactly(SCROLLBACK_BYTES + 4)
            assert shown == (b"early " * 100_000)[-SCROLLBACK_BYTES:] + b"late"


async def test_a_slow_reader_is_dropped_and_holds_up_nobody(sockets: Path) -> None:
    async with (
        dial(sockets / "guest") as guest,
        dial(sockets / "live") as slow,
        dial(sockets / "live") as quick,
    ):
        slow[1].transport.pause_reading()  # type: ignore[attr-defined]
        total = READER_BACKLOG_BYTES * 4
        for _ in range(total // 65536):
            guest[1].write(b"x" * 65536)
            await quick[0].readexactly(65536)
        slow[1].transport.resume_reading()  # type: ignore[attr-defined]
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await slow[0].readexactly(total)


async def test_a_guest_that_does_not_read_makes_writers_wait(sockets: Path) -> None:
    async with dial(sockets / "guest") as guest, dial(sockets / "live") as writer:
        guest[1].transport.pause_reading()  # type: ignore[attr-defined]
        data = b"y" * (INPUT_BACKLOG_BYTES * 40)
        writer[1].write(data)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await writer[1].drain()
        guest[1].transport.resume_reading()  # type: ignore[attr-defined]
        assert await guest[0].readexactly(len(data)) == data


async def test_readers_see_the_end_when_the_hub_closes(tmp_path: Path) -> None:
    async with open_hub(str(tmp_path / "guest"), str(tmp_path / "live"), str(tmp_path / "replay")):
        reader, writer = await asyncio.open_unix_connection(tmp_path / "live")
        async with dial(tmp_path / "guest") as guest:
            guest[1].write(b"last")
            assert await reader.readexactly(4) == b"last"
    assert await reader.read() == b""
    writer.close()
