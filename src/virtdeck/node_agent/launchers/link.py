"""Keeps the connection to one pod's launcher, through restarts of this process and hiccups of that one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import anyio
import structlog

from virtdeck.basis.errors import Absent, Lost, Unready, VirtdeckError
from virtdeck.kube.backoff import Backoff
from virtdeck.kube.objects import Key
from virtdeck.node_agent.launchers.conversation import Conversation, open_stream
from virtdeck.node_agent.launchers.folders import PRIVATE_VOLUME, PodFolders
from virtdeck.node_agent.launchers.peer import PeerProcess
from virtdeck.safety.openat2 import UnsafePath
from virtdeck.safety.sockets import connect_beneath
from virtdeck.wire.launcher import Hello, LauncherState

LAUNCHER_SOCKET = "launcher.sock"
# A launcher needs 0.2 s to listen after its pod is up, 1 s on a busy node; an attempt costs 50 microseconds.
_RETRY = Backoff(base_seconds=0.01, cap_seconds=1.0)
_GROWTH_ATTEMPTS = 400  # equal short pauses, before they grow
# The kernel closes a dying process's sockets a moment before it says that the process has ended.
_DEATH_SECONDS = 2.0

Stage = Literal["Connecting", "Connected", "Ended"]

log = structlog.get_logger()


@dataclass(frozen=True)
class Target:
    """Whose launcher this is: the VMI that the pod was made for."""

    key: Key
    vmi_uid: str
    pod_uid: str


@dataclass(frozen=True)
class LauncherView:
    """What is known of a launcher. Ended means that its process was seen to be gone."""

    stage: Stage = "Connecting"
    state: LauncherState | None = None
    problem: VirtdeckError | None = None


class Link:
    """One launcher; ``on_change`` is called with the VMI's key whenever ``view`` has become another."""

    def __init__(
        self, target: Target, folders: PodFolders, launcher_uid: int, on_change: Callable[[Key], None]
    ) -> None:
        self.target = target
        self.view = LauncherView()
        self.conversation: Conversation | None = None
        self._process: PeerProcess | None = None
        self._folders = folders
        self._launcher_uid = launcher_uid
        self._on_change = on_change

    @property
    def process(self) -> PeerProcess:
        """The launcher's process. Raises: Lost while there is no connection."""
        if self._process is None:
            raise Lost(f"the launcher of {self.target.key} is not connected")
        return self._process

    def require_conversation(self) -> Conversation:
        """The open conversation. Raises: Unready while there is none."""
        if self.conversation is None:
            raise Unready(
                f"the launcher of {self.target.key} is not connected", reason="LauncherNotConnected"
            )
        return self.conversation

    async def run(self) -> None:
        """The launcher's process has ended, or the caller cancelled."""
        failures = 0
        while True:
            try:
                process = await self._connect()
            except VirtdeckError as fault:
                failures += 1
                self._note_problem(fault)
            else:
                failures = 0
                if await self._converse(process):
                    return
            await anyio.sleep(_RETRY.seconds(max(1, failures - _GROWTH_ATTEMPTS), 0.0))

    async def _connect(self) -> PeerProcess:
        with self._folders.open_empty_dir(self.target.pod_uid, PRIVATE_VOLUME) as folder:
            channel, peer = connect_beneath(folder, LAUNCHER_SOCKET, uid=self._launcher_uid)
        try:
            process = PeerProcess(peer)
        except BaseException:
            channel.close()
            raise
        try:
            process.require_pod(self.target.pod_uid)
        except BaseException:
            channel.close()
            process.close()
            raise
        self.conversation = Conversation(await open_stream(channel), self._take_state)
        return process

    async def _converse(self, process: PeerProcess) -> bool:
        """Talks until the connection ends; True when the launcher's process is then gone."""
        conversation = self.require_conversation()
        try:
            self._process = process
            try:
                await conversation.run()
            except VirtdeckError as fault:
                self._note_problem(fault)
            ended = await process.has_ended(_DEATH_SECONDS)
        finally:
            self.conversation = self._process = None
            process.close()
        self._become(replace(self.view, stage="Ended" if ended else "Connecting"))
        return ended

    def _take_state(self, state: LauncherState) -> None:
        hello = self.conversation.hello if self.conversation else None
        if hello is None or not self._agrees(hello):
            raise UnsafePath(
                f"the launcher in the pod of {self.target.key} claims to be another VM's",
                reason="ForeignPeer",
            )
        self._become(LauncherView("Connected", state))

    def _agrees(self, hello: Hello) -> bool:
        return (hello.namespace, hello.name, hello.uid) == (*self.target.key, self.target.vmi_uid)

    def _note_problem(self, fault: VirtdeckError) -> None:
        if isinstance(fault, Absent | Lost | Unready):
            return  # not there yet, or not there any more: the pod's status tells which
        if self.view.problem is None or self.view.problem.message != fault.message:
            log.warning(
                "launcher_refused", vmi=str(self.target.key), reason=fault.reason, problem=fault.message
            )
        self._become(replace(self.view, problem=fault))

    def _become(self, view: LauncherView) -> None:
        if view != self.view:
            self.view = view
            self._on_change(self.target.key)
