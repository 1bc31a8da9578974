"""Answers DHCP on the bridges of one guest, without any privilege beyond port 67."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final, cast

from virtdeck.basis.errors import HostFault
from virtdeck.launcher.network.messages import DhcpExtras, answer, parse_request
from virtdeck.wire.launcher import DhcpFacts

SERVER_PORT: Final = 67
CLIENT_PORT: Final = 68
EVERYBODY: Final = "255.255.255.255"


class _Server(asyncio.DatagramProtocol):
    def __init__(self, facts: DhcpFacts, extras: DhcpExtras) -> None:
        self._facts = facts
        self._extras = extras
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        request = parse_request(data)
        reply = request and answer(request, self._facts, self._extras)
        if request and reply and self._transport is not None:
            # Who has no address yet cannot be reached by it; a renewal comes from an address in use.
            target = request.current or EVERYBODY
            self._transport.sendto(reply, (target, CLIENT_PORT))


@asynccontextmanager
async def serve_dhcp(services: Iterable[tuple[DhcpFacts, DhcpExtras]]) -> AsyncIterator[None]:
    """Each bridge is served while the block runs. Raises: HostFault when port 67 cannot be had."""
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        for facts, extras in services:
            listener = _listen(facts.bridge)
            transport, _ = await loop.create_datagram_endpoint(
                lambda facts=facts, extras=extras: _Server(facts, extras),  # type: ignore[misc]
                sock=listener,
            )
            stack.callback(transport.close)
        yield


def _listen(bridge: str) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, bridge.encode() + b"\0")
        listener.bind(("", SERVER_PORT))
    except OSError as fault:
        listener.close()
        raise HostFault(f"DHCP cannot be served on {bridge}: {fault.strerror}") from fault
    return listener
