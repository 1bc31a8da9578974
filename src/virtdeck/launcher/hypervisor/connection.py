"""One connection to libvirt's daemon: calls, replies, streams and unasked events over its Unix socket."""

import asyncio
import itertools
import struct
from collections.abc import Callable
from typing import Final, cast

from virtdeck.basis.errors import Absent, Conflict, HostFault, Lost, Unready, VirtdeckError
from virtdeck.launcher.hypervisor import protocol, xdr

_LENGTH_BYTES: Final = 4
_HEADER = struct.Struct(">IIIiiIi")  # length, program, version, procedure, type, serial, status
_HEADER_BYTES: Final = _HEADER.size

EventHandler = Callable[[int, bytes], None]


class Connection(asyncio.Protocol):
    """Calls are answered in any order; ``on_event`` only queues; ``lost`` is set when the daemon is gone."""

    def __init__(self, on_event: EventHandler) -> None:
        self._on_event = on_event
        self._received = bytearray()
        self._serials = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[bytes]] = {}
        self._streams: dict[int, _Stream] = {}
        self._transport: asyncio.WriteTransport | None = None
        self.lost = asyncio.Event()

    # ---- what callers use

    async def call(
        self, procedure: int, arguments: bytes = b"", program: int = protocol.REMOTE_PROGRAM
    ) -> bytes:
        """The reply's payload.

        Raises: Absent, Conflict, Unready, HostFault as libvirt says; Lost when the daemon is gone.
        Cancel: libvirt carries the call out all the same; its reply is dropped.
        """
        serial, reply = self._send(program, procedure, arguments)
        try:
            return await reply
        finally:
            self._waiting.pop(serial, None)

    async def read_stream(self, procedure: int, arguments: bytes, limit_bytes: int) -> tuple[bytes, bytes]:
        """The reply and all that the stream carries. Raises: as ``call``; HostFault past the limit."""
        serial, reply = self._send(protocol.REMOTE_PROGRAM, procedure, arguments)
        stream = self._streams[serial] = _Stream(limit_bytes)
        try:
            return await reply, await stream.whole
        finally:
            self._waiting.pop(serial, None)
            self._streams.pop(serial, None)
            self._finish_stream(serial, procedure)

    def close(self) -> None:
        """The socket is closed."""
        if self._transport is not None:
            self._transport.close()

    # ---- asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.WriteTransport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()
        gone = Lost("libvirt's daemon closed the connection")
        for future in (*self._waiting.values(), *(stream.whole for stream in self._streams.values())):
            _fail(future, gone)

    def data_received(self, data: bytes) -> None:
        self._received += data
        while len(self._received) >= _HEADER_BYTES:
            length = int.from_bytes(self._received[:_LENGTH_BYTES], "big")
            if not _HEADER_BYTES <= length <= protocol.MAX_MESSAGE_BYTES:
                self.close()
                return
            if len(self._received) < length:
                return
            message = bytes(self._received[:length])
            del self._received[:length]
            self._dispatch(message)

    def _send(self, program: int, procedure: int, arguments: bytes) -> tuple[int, "asyncio.Future[bytes]"]:
        if self._transport is None or self.lost.is_set():
            raise Lost("libvirt's daemon is gone")
        serial = next(self._serials)
        reply: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._waiting[serial] = reply
        self._transport.write(_encode(program, procedure, protocol.CALL, serial, arguments))
        return serial, reply

    def _finish_stream(self, serial: int, procedure: int) -> None:
        """The daemon forgets the stream; without this it would keep it until the connection ends."""
        if self._transport is not None and not self.lost.is_set():
            self._transport.write(_encode(protocol.REMOTE_PROGRAM, procedure, protocol.STREAM, serial))

    def _dispatch(self, message: bytes) -> None:
        _, program, _, procedure, kind, serial, status = _HEADER.unpack_from(message)
        payload = message[_HEADER_BYTES:]
        if kind == protocol.EVENT:
            if program == protocol.REMOTE_PROGRAM:
                self._on_event(procedure, payload)
        elif kind == protocol.REPLY:
            _settle(self._waiting.get(serial), status, payload)
        elif kind == protocol.STREAM and serial in self._streams:
            self._streams[serial].feed(status, payload)


def _encode(program: int, procedure: int, kind: int, serial: int, arguments: bytes = b"") -> bytes:
    length = _HEADER_BYTES + len(arguments)
    return _HEADER.pack(length, program, protocol.VERSION, procedure, kind, serial, protocol.OK) + arguments


class _Stream:
    def __init__(self, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._data = bytearray()
        self.whole: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def feed(self, status: int, payload: bytes) -> None:
        if status == protocol.CONTINUE and payload:
            self._data += payload
            if len(self._data) > self._limit_bytes:
                _fail(self.whole, HostFault(f"libvirt sent more than {self._limit_bytes} bytes"))
        elif status == protocol.ERROR:
            _settle(self.whole, status, payload)
        else:  # an empty packet is the end
            _settle(self.whole, protocol.OK, bytes(self._data))


def _settle(future: "asyncio.Future[bytes] | None", status: int, payload: bytes) -> None:
    if future is None or future.done():
        return
    if status == protocol.OK:
        future.set_result(payload)
    else:
        future.set_exception(decode_error(payload))


def _fail(future: "asyncio.Future[bytes]", error: VirtdeckError) -> None:
    if not future.done():
        future.set_exception(error)
        future.exception()  # asked for, so that nobody has to await a stream that is no longer wanted


def decode_error(payload: bytes) -> VirtdeckError:
    """libvirt's error, sorted by who must act."""
    reader = xdr.Reader(payload)
    code = reader.signed()
    reader.signed()  # the driver that reports it
    message = reader.optional_string() or f"libvirt error {code}"
    return _ERRORS.get(code, HostFault)(message)


_ERRORS: Final[dict[int, type[VirtdeckError]]] = {
    protocol.ERROR_NO_DOMAIN: Absent,
    protocol.ERROR_OPERATION_INVALID: Conflict,
    protocol.ERROR_AGENT_UNRESPONSIVE: Unready,
}


async def learn_capabilities(connection: Connection, emulator: str) -> None:
    """libvirt knows, and has written to its cache, what this emulator can do. Raises: HostFault, Lost."""
    nothing = xdr.optional_string(None)  # architecture, machine, kind of virtualisation: as it comes
    await connection.call(
        protocol.Procedure.CONNECT_GET_DOMAIN_CAPABILITIES,
        xdr.optional_string(emulator) + nothing * 3 + xdr.uint(0),
    )


async def open_connection(path: str, on_event: EventHandler) -> Connection:
    """A connection that libvirt has accepted for ``qemu:///session``. Raises: OSError, HostFault, Lost."""
    loop = asyncio.get_running_loop()
    _, connection = await loop.create_unix_connection(lambda: Connection(on_event), path)
    await connection.call(protocol.Procedure.AUTH_LIST)
    await connection.call(
        protocol.Procedure.CONNECT_OPEN, xdr.optional_string("qemu:///session") + xdr.uint(0)
    )
    return connection
