"""Joins QEMU's serial port with any number of readers on two Unix sockets: live, and scrollback first."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final, cast

from virtdeck.launcher.serial.ring import Ring

SCROLLBACK_BYTES: Final = 256 * 1024
READER_BACKLOG_BYTES: Final = (
    512 * 1024
)  # a reader this far behind is dropped: the scrollback and as much again
INPUT_BACKLOG_BYTES: Final = 64 * 1024  # a guest that does not read makes writers wait, not memory grow


class SerialHub:
    """What the guest writes goes to all readers; what any reader writes goes to the guest."""

    def __init__(self) -> None:
        self._ring = Ring(SCROLLBACK_BYTES)
        self._guest: asyncio.Transport | None = None
        self._readers: set[asyncio.Transport] = set()

    def guest_joined(self, transport: asyncio.Transport) -> None:
        """QEMU is connected; a later connection (after a reset of the device) takes the place of this one."""
        transport.set_write_buffer_limits(high=INPUT_BACKLOG_BYTES)
        self._guest = transport

    def guest_left(self, transport: asyncio.Transport) -> None:
        """Readers see the end when the guest is gone for good."""
        if self._guest is transport:
            self._guest = None
            self.hold_readers(False)

    def from_guest(self, data: bytes) -> None:
        """Kept, and passed on at once."""
        self._ring.append(data)
        for reader in tuple(self._readers):
            reader.write(data)
            if reader.get_write_buffer_size() > READER_BACKLOG_BYTES:
                self._readers.discard(reader)
                reader.abort()

    def to_guest(self, data: bytes) -> None:
        """Typed into the guest; lost when there is none."""
        if self._guest is not None:
            self._guest.write(data)

    def hold_readers(self, hold: bool) -> None:
        """Readers may type again, or wait until the guest has taken what was typed."""
        for reader in self._readers:
            if hold:
                reader.pause_reading()
            else:
                reader.resume_reading()

    def reader_joined(self, transport: asyncio.Transport, replay: bool) -> None:
        """It sees everything from now on, after the scrollback if it wants that."""
        if replay:
            transport.write(self._ring.contents())
        self._readers.add(transport)

    def reader_left(self, transport: asyncio.Transport) -> None:
        """It is forgotten."""
        self._readers.discard(transport)

    def close(self) -> None:
        """Everybody gets the end of the stream after the last byte."""
        for reader in self._readers:
            reader.close()


class _GuestSide(asyncio.Protocol):
    def __init__(self, hub: SerialHub) -> None:
        self._hub = hub
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._hub.guest_joined(self._transport)

    def data_received(self, data: bytes) -> None:
        self._hub.from_guest(data)

    def pause_writing(self) -> None:
        self._hub.hold_readers(True)

    def resume_writing(self) -> None:
        self._hub.hold_readers(False)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._transport is not None:
            self._hub.guest_left(self._transport)


class _ReaderSide(asyncio.Protocol):
    def __init__(self, hub: SerialHub, replay: bool) -> None:
        self._hub = hub
        self._replay = replay
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._hub.reader_joined(self._transport, self._replay)

    def data_received(self, data: bytes) -> None:
        self._hub.to_guest(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._transport is not None:
            self._hub.reader_left(self._transport)


@asynccontextmanager
async def open_hub(guest_path: str, live_path: str, replay_path: str) -> AsyncIterator[SerialHub]:
    """A hub that listens on its three sockets while the block runs."""
    loop = asyncio.get_running_loop()
    hub = SerialHub()
    async with AsyncExitStack() as stack:
        for path, protocol in (
            (guest_path, lambda: _GuestSide(hub)),
            (live_path, lambda: _ReaderSide(hub, replay=False)),
            (replay_path, lambda: _ReaderSide(hub, replay=True)),
        ):
            server = await loop.create_unix_server(protocol, path)
            stack.callback(server.close)
        stack.callback(hub.close)
        yield hub
