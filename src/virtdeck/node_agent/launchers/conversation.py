"""One conversation with one launcher: requests with their answers, and the state it tells on its own."""

import itertools
import socket
from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.abc
import anyio.streams.buffered

from virtdeck.basis import errors
from virtdeck.basis.errors import Invalid, Lost, Unready, VirtdeckError
from virtdeck.wire import launcher as wire
from virtdeck.wire.codec import ReplyDecoder, encode_message

_RECEIVE_BYTES = 64 * 1024
_SEND_SECONDS = 5.0

_Answer = TypeVar("_Answer", wire.Done, wire.GuestInfo, wire.Screenshot, wire.Stats)


class Conversation:
    """A connected launcher; ``run`` reads it to its end."""

    def __init__(
        self, stream: anyio.abc.SocketStream, on_state: Callable[[wire.LauncherState], None]
    ) -> None:
        self.hello: wire.Hello | None = None
        self.state: wire.LauncherState | None = None
        self._stream = stream
        self._on_state = on_state
        self._ids = itertools.count(1)
        self._waiting: dict[int, _Waiter] = {}
        self._sending = anyio.Lock()
        self._closed = False

    async def run(self) -> None:
        """The launcher has closed the connection, or said what is not in the protocol.

        Every request that still waits fails with Lost. Raises: Invalid for a peer that breaks the protocol.
        """
        decoder = ReplyDecoder()
        try:
            while True:
                try:
                    data = await self._stream.receive(_RECEIVE_BYTES)
                except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
                    return
                for reply in decoder.feed(data):
                    self._take(reply)
        finally:
            self._closed = True
            for waiter in self._waiting.values():
                waiter.fail(Lost("the launcher closed the connection"))
            with anyio.CancelScope(shield=True):
                await self._stream.aclose()

    def next_id(self) -> int:
        """An id that no request of this conversation has had."""
        return next(self._ids)

    async def ask(self, request: wire.Request, kind: type[_Answer], seconds: float) -> _Answer:
        """The launcher's answer.

        Raises: the error that it names; Lost when it is gone, Unready when it is silent for ``seconds``.
        """
        if self._closed:
            raise Lost("the launcher is not connected")
        waiter = self._waiting[request.id] = _Waiter()
        try:
            with anyio.fail_after(seconds):
                await self._send(request)
                await waiter.arrived.wait()
        except TimeoutError as fault:
            name = type(request).__name__
            raise Unready(f"the launcher did not answer {name} within {seconds:.0f} s") from fault
        finally:
            del self._waiting[request.id]
        answer = waiter.answer()
        if not isinstance(answer, kind):
            raise Invalid(f"the launcher answered {type(request).__name__} with {type(answer).__name__}")
        return answer

    async def _send(self, request: wire.Request) -> None:
        async with self._sending:
            try:
                # Half a frame would spoil the stream: it is sent to its end or the stream is dead.
                with anyio.CancelScope(shield=True), anyio.fail_after(_SEND_SECONDS):
                    await self._stream.send(encode_message(request))
            except (anyio.BrokenResourceError, anyio.ClosedResourceError, TimeoutError) as fault:
                await self._stream.aclose()
                raise Lost("the launcher no longer reads") from fault

    def _take(self, reply: wire.Reply) -> None:
        match reply:
            case wire.Hello():
                self._greet(reply)
            case wire.LauncherState():
                self.state = reply
                self._on_state(reply)
            case _:
                waiter = self._waiting.get(reply.id)
                if waiter is not None:
                    waiter.take(reply)

    def _greet(self, hello: wire.Hello) -> None:
        if not set(hello.versions) & set(wire.PROTOCOL_VERSIONS):
            raise Invalid(
                f"the launcher speaks protocol versions {hello.versions}, this node {wire.PROTOCOL_VERSIONS}"
            )
        self.hello = hello


class _Waiter:
    """A place where one answer will lie."""

    def __init__(self) -> None:
        self.arrived = anyio.Event()
        self._reply: wire.Reply | VirtdeckError | None = None

    def take(self, reply: wire.Reply) -> None:
        self._reply = reply
        self.arrived.set()

    def fail(self, fault: VirtdeckError) -> None:
        self._reply = fault
        self.arrived.set()

    def answer(self) -> wire.Reply:
        match self._reply:
            case wire.Failed(reason=reason, message=message):
                kind: type[VirtdeckError] = getattr(errors, reason)
                raise kind(message)
            case VirtdeckError() as fault:
                raise fault
            case None:
                raise Lost("the launcher did not answer")
            case reply:
                return reply


async def open_stream(channel: socket.socket) -> anyio.abc.SocketStream:
    """The connected Unix socket as a stream that owns it."""
    return await anyio.abc.UNIXSocketStream.from_socket(channel)
