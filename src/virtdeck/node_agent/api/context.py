"""What the API's handlers work with, and how they find a VMI's launcher."""

from collections.abc import Callable
from dataclasses import dataclass

from virtdeck.basis.clock import Clock
from virtdeck.basis.errors import Absent, Conflict
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.kube.cache import Cache
from virtdeck.kube.objects import Key
from virtdeck.kube.plans import EventNote
from virtdeck.node_agent.api.sessions import Sessions
from virtdeck.node_agent.launchers.conversation import Conversation
from virtdeck.node_agent.launchers.folders import PodFolders
from virtdeck.node_agent.launchers.link import Link
from virtdeck.node_agent.launchers.registry import Launchers
from virtdeck.node_agent.vmi.memory import Memory
from virtdeck.wire.launcher import LauncherState

ALIVE = frozenset({"Running", "Paused", "ShuttingDown"})


@dataclass(frozen=True)
class Api:
    """The parts of virt-handler that its API needs.

    wake: has a VMI looked at again. record: has an event written on a VMI.
    """

    vmis: Cache[VirtualMachineInstance]
    launchers: Launchers
    sessions: Sessions
    folders: PodFolders
    launcher_uid: int
    memory: Memory
    clock: Clock
    wake: Callable[[Key], None]
    record: Callable[[VirtualMachineInstance, EventNote], None]

    def require_vmi(self, key: Key) -> VirtualMachineInstance:
        """The VMI, which is on this node. Raises: Absent."""
        vmi = self.vmis.get(key.namespace, key.name)
        if vmi is None:
            raise Absent(f"there is no virtual machine instance {key} on this node")
        return vmi

    def tell(self, key: Key, note: EventNote) -> None:
        """The event will be written on the VMI."""
        self.record(self.require_vmi(key), note)

    def require_guest(self, key: Key) -> "Guest":
        """The VMI with its running guest. Raises: Absent, Conflict when it does not run, Unready."""
        vmi = self.require_vmi(key)
        link = self.launchers.get(vmi.metadata.uid)
        if link is None:
            raise Conflict(f"{key} does not run yet or any more", reason="Conflict")
        conversation = link.require_conversation()
        state = link.view.state
        if state is None or state.phase not in ALIVE:
            raise Conflict(f"{key} does not run: {state.phase if state else 'unknown'}")
        return Guest(key, vmi, link, conversation, state)


@dataclass(frozen=True)
class Guest:
    """A guest that runs, and the way to its launcher."""

    key: Key
    vmi: VirtualMachineInstance
    link: Link
    conversation: Conversation
    state: LauncherState
