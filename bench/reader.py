"""A WebSocket client that costs less than what it measures: the kernel drops what floods in, uncopied."""

import os
import socket
import struct
import time
from base64 import b64encode
from collections.abc import Mapping
from types import TracebackType
from typing import Self

KEY = struct.pack(">BBHI", 4, 1, 0, 0x61)
PICTURE_REQUEST = struct.pack(">BBHHHH", 3, 0, 0, 0, 800, 600)
_PIECE_BYTES = 4 * 1024 * 1024
_BINARY, _UNMASKED = 0x82, bytes(4)


class Reader:
    """An open WebSocket to a VNC server. Raises: RuntimeError when it is refused."""

    def __init__(self, host: str, port: int, path: str, headers: Mapping[str, str] | None = None) -> None:
        self._socket = socket.create_connection((host, port), timeout=20)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._pending = b""
        self._data = b""
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}:{port}", "Upgrade: websocket", "Connection: Upgrade"]
        lines += ["Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {b64encode(os.urandom(16)).decode()}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        self._socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self._pending:
            self._pending += self._receive()
        head, _, self._pending = self._pending.partition(b"\r\n\r\n")
        if b" 101 " not in head.partition(b"\r\n")[0]:
            raise RuntimeError(f"refused: {head.decode(errors='replace')} {self._pending!r}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

    def greet(self) -> None:
        """RFB's greeting is over."""
        self.take(12)
        self.send(b"RFB 003.008\n")
        self.take(2)
        self.send(b"\1")
        self.take(4)
        self.send(b"\1")
        self.take(24)

    def ask_for_picture(self) -> None:
        """The server sends from now on without end."""
        self.send(PICTURE_REQUEST)

    def send(self, data: bytes) -> None:
        """A binary message, masked by zeroes; fewer than 126 bytes."""
        self._socket.sendall(bytes((_BINARY, 0x80 | len(data))) + _UNMASKED + data)

    def take(self, count: int) -> bytes:
        """That many bytes of what was sent, without the frames around them."""
        while len(self._data) < count:
            self._read_frame()
        taken, self._data = self._data[:count], self._data[count:]
        return taken

    def discard(self, seconds: float) -> int:
        """How many bytes came in that time; they are dropped. Only for floods: frames are not followed."""
        place = bytearray(_PIECE_BYTES)
        deadline = time.monotonic() + seconds
        count = 0
        while time.monotonic() < deadline:
            # Source: tcp(7), MSG_TRUNC
            got = self._socket.recv_into(place, _PIECE_BYTES, socket.MSG_TRUNC)
            if not got:
                raise RuntimeError("the flood has ended")
            count += got
        return count

    def _read_frame(self) -> None:
        while (frame := _split(self._pending)) is None:
            self._pending += self._receive()
        opcode, payload, self._pending = frame
        if opcode == 8:
            raise RuntimeError(f"closed: {payload!r}")
        if opcode < 8:
            self._data += payload

    def _receive(self) -> bytes:
        data = self._socket.recv(65536)
        if not data:
            raise RuntimeError(f"the connection has ended: {self._pending!r}")
        return data


def _split(data: bytes) -> tuple[int, bytes, bytes] | None:
    """Opcode and payload of the first frame, and the rest; None while it is not whole."""
    if len(data) < 2:
        return None
    length, size = data[1], 2
    if length >= 126:
        size += 2 if length == 126 else 8
        length = int.from_bytes(data[2:size], "big")
    if len(data) < size + length:
        return None
    return data[0] & 0x0F, data[size : size + length], data[size + length :]
