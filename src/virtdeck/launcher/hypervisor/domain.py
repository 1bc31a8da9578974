"""The calls on the one domain that this launcher runs."""

import asyncio
from typing import Any, Final

from virtdeck.basis.errors import Absent, Bug
from virtdeck.launcher.emulator import EMULATOR
from virtdeck.launcher.hypervisor import protocol, xdr
from virtdeck.launcher.hypervisor.connection import Connection, learn_capabilities, open_connection
from virtdeck.launcher.hypervisor.events import AgentEvent, Event, LifecycleEvent, decode_event, skip_domain
from virtdeck.launcher.hypervisor.protocol import EventId, Procedure
from virtdeck.launcher.log import log

SCREEN_LIMIT_BYTES: Final = 64 * 1024 * 1024  # 4096 x 4096 x 3 and room
EVENT_QUEUE_LENGTH: Final = 1024
_NO_FLAGS = xdr.uint(0)


class Hypervisor:
    """libvirt as the launcher needs it: at most one domain, created once, and its events in order."""

    def __init__(self) -> None:
        self.events: asyncio.Queue[Event] = asyncio.Queue(EVENT_QUEUE_LENGTH)
        self._connection: Connection | None = None
        self._domain = b""

    async def connect(self, socket_path: str) -> None:
        """Events are queued from now on. Raises: OSError while nobody listens; HostFault; Lost."""
        self._connection = await open_connection(socket_path, self._queue_event)
        for event in EventId:
            await self._connection.call(Procedure.EVENT_REGISTER, xdr.uint(event) + xdr.uint(0))

    async def warm_up(self) -> None:
        """libvirt knows what QEMU can do: it would find out at the first domain's start otherwise."""
        await learn_capabilities(self._connected, EMULATOR)

    async def wait_lost(self) -> None:
        """Return once the daemon is gone."""
        await self._connected.lost.wait()

    async def create(self, xml: str, paused: bool) -> None:
        """A transient domain runs, or stands at its first instruction. Raises: HostFault in QEMU's words."""
        flags = protocol.START_PAUSED if paused else 0
        self._domain = await self._call(Procedure.DOMAIN_CREATE_XML, xdr.string(xml) + xdr.uint(flags))

    async def read_xml(self) -> str:
        """The running domain as libvirt completed it."""
        return xdr.Reader(await self._on_domain(Procedure.DOMAIN_GET_XML_DESC, _NO_FLAGS)).string()

    async def read_state(self) -> tuple[int, int]:
        """DomainState and its reason. Raises: Absent when the domain has ended."""
        reader = xdr.Reader(await self._on_domain(Procedure.DOMAIN_GET_STATE, _NO_FLAGS))
        return reader.signed(), reader.signed()

    async def suspend(self) -> None:
        """The guest's CPUs stand still."""
        await self._on_domain(Procedure.DOMAIN_SUSPEND)

    async def resume(self) -> None:
        """The guest's CPUs run."""
        await self._on_domain(Procedure.DOMAIN_RESUME)

    async def reset(self) -> None:
        """As the reset button."""
        await self._on_domain(Procedure.DOMAIN_RESET, _NO_FLAGS)

    async def press_power_button(self) -> None:
        """The guest has got an ACPI power button event."""
        await self._on_domain(Procedure.DOMAIN_SHUTDOWN_FLAGS, xdr.uint(protocol.POWER_BUTTON))

    async def reboot(self, by_agent: bool) -> None:
        """The guest was asked to reboot, by its agent or by ACPI."""
        flags = protocol.BY_AGENT if by_agent else protocol.POWER_BUTTON
        await self._on_domain(Procedure.DOMAIN_REBOOT, xdr.uint(flags))

    async def destroy(self) -> None:
        """The guest is gone; so it stays when it was gone before."""
        try:
            await self._on_domain(Procedure.DOMAIN_DESTROY)
        except Absent:
            return

    async def send_keys(self, keycodes: tuple[int, ...], hold_milliseconds: int) -> None:
        """All keys of one chord are pressed and released. keycodes: Linux', at most 16."""
        await self._on_domain(
            Procedure.DOMAIN_SEND_KEY,
            xdr.uint(protocol.KEYCODES_LINUX) + xdr.uint(hold_milliseconds) + xdr.uints(keycodes) + _NO_FLAGS,
        )

    async def read_screen(self) -> bytes:
        """The first screen as a binary PPM."""
        arguments = self._domain_argument() + xdr.uint(0) + _NO_FLAGS
        _, image = await self._connected.read_stream(
            Procedure.DOMAIN_SCREENSHOT, arguments, SCREEN_LIMIT_BYTES
        )
        return image

    async def ask_agent(self, command: str, timeout_seconds: int) -> str:
        """The guest agent's answer, JSON from the guest. Raises: Unready, HostFault."""
        reply = await self._connected.call(
            protocol.QEMU_AGENT_COMMAND,
            self._domain_argument() + xdr.string(command) + xdr.uint(timeout_seconds) + _NO_FLAGS,
            program=protocol.QEMU_PROGRAM,
        )
        return xdr.Reader(reply).optional_string() or ""

    async def read_stats(self) -> dict[str, Any]:
        """All counters that libvirt has of the domain, by libvirt's names."""
        one_domain = xdr.uint(1) + self._domain_argument()
        reader = xdr.Reader(await self._call(Procedure.GET_ALL_DOMAIN_STATS, one_domain + _NO_FLAGS * 2))
        if not reader.unsigned():
            raise Absent("the domain has ended")
        skip_domain(reader)
        return dict(_typed_parameter(reader) for _ in range(reader.unsigned()))

    @property
    def _connected(self) -> Connection:
        if self._connection is None:
            raise Absent("libvirt's daemon has not started yet")
        return self._connection

    def _domain_argument(self) -> bytes:
        if not self._domain:
            raise Absent("there is no domain yet")
        return self._domain

    async def _on_domain(self, procedure: Procedure, arguments: bytes = b"") -> bytes:
        return await self._call(procedure, self._domain_argument() + arguments)

    async def _call(self, procedure: Procedure, arguments: bytes) -> bytes:
        return await self._connected.call(procedure, arguments)

    def _queue_event(self, procedure: int, payload: bytes) -> None:
        try:
            event = decode_event(procedure, payload)
        except Bug as fault:
            log("event_not_understood", level="error", procedure=procedure, error=str(fault))
            return
        if event is None:
            return
        if self.events.full():
            if not isinstance(event, LifecycleEvent | AgentEvent):
                return  # a flood that a guest can cause; the state is read again anyway
            self.events.get_nowait()
        self.events.put_nowait(event)


def _typed_parameter(reader: xdr.Reader) -> tuple[str, Any]:
    """One virTypedParameter: name and value."""
    name = reader.string()
    kind = reader.signed()
    read = {
        1: reader.signed,
        2: reader.unsigned,
        3: reader.hyper,
        4: reader.unsigned_hyper,
        5: reader.double,
        6: lambda: bool(reader.signed()),
        7: reader.string,
    }[kind]
    return name, read()
