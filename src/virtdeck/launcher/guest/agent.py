"""Asks the guest's agent."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec

from virtdeck.basis.errors import HostFault, VirtdeckError
from virtdeck.launcher.guest import answers
from virtdeck.launcher.guest.bounds import Cutter
from virtdeck.wire.launcher import AgentFacts, GuestInfo

ANSWER_SECONDS: Final = 5

Ask = Callable[[str, int], Awaitable[str]]


def keep_known(known: AgentFacts, fresh: AgentFacts) -> AgentFacts:
    """What was known stays while the agent answers nothing but its version, as it does with frozen disks."""
    silent = not (fresh.os or fresh.host_name or fresh.interfaces)
    return known if silent and known.connected else fresh


class GuestAgent:
    """The agent behind ``ask``, which carries one command and brings the answer's text."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def read_facts(self) -> AgentFacts:
        """What the VMI's status shows. Raises: Unready, HostFault when the agent does not answer at all."""
        cut = Cutter()
        info = await self._command("guest-info")
        return AgentFacts(
            connected=True,
            version=answers.version(info, cut),
            os=answers.os_info(await self._optional("guest-get-osinfo"), cut),
            host_name=answers.host_name(await self._optional("guest-get-host-name"), cut),
            interfaces=answers.interfaces(await self._optional("guest-network-get-interfaces"), cut),
            truncated=cut.truncated,
        )

    async def read_all(self, request_id: int) -> GuestInfo:
        """What the subresources show as well. Raises: as ``read_facts``."""
        facts = await self.read_facts()
        cut = Cutter()
        info = await self._command("guest-info")
        return GuestInfo(
            id=request_id,
            users=answers.users(await self._optional("guest-get-users"), cut),
            filesystems=answers.filesystems(await self._optional("guest-get-fsinfo"), cut),
            timezone=answers.timezone(await self._optional("guest-get-timezone"), cut),
            fs_freeze_status=cut.text(await self._optional("guest-fsfreeze-status")),
            supported_commands=answers.commands(info, cut),
            agent=msgspec.structs.replace(facts, truncated=facts.truncated or cut.truncated),
        )

    async def freeze(self) -> None:
        """All file systems are quiet. Raises: HostFault, Unready."""
        await self._command("guest-fsfreeze-freeze")

    async def unfreeze(self) -> None:
        """All file systems take writes again."""
        await self._command("guest-fsfreeze-thaw")

    async def _optional(self, command: str) -> object:
        """None from an agent that does not know the command or fails at it."""
        try:
            return await self._command(command)
        except VirtdeckError:
            return None

    async def _command(self, command: str) -> object:
        text = await self._ask(msgspec.json.encode({"execute": command}).decode(), ANSWER_SECONDS)
        try:
            answer: Any = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError) as fault:
            raise HostFault(f"the guest agent's answer to {command} is not JSON") from fault
        if not isinstance(answer, dict) or "return" not in answer:
            raise HostFault(f"the guest agent refused {command}")
        return answer["return"]
