"""Brings a guest to life: network and disks prepared, then the launcher told all that it needs."""

import anyio.to_thread

from virtdeck.crds.codec import to_dict
from virtdeck.node_agent.launchers.folders import PodFolders
from virtdeck.node_agent.launchers.registry import Launchers
from virtdeck.node_agent.network.prepare import prepare_network
from virtdeck.node_agent.vmi.actions import StartGuest
from virtdeck.node_agent.vmi.images import inspect_images
from virtdeck.node_agent.vmi.memory import Memory
from virtdeck.wire.launcher import Done, HostFacts, Sync

# libvirtd may have to probe QEMU's capabilities first, beside other guests that start.
_SYNC_SECONDS = 120.0


class Starter:
    """Carries out StartGuest."""

    def __init__(self, launchers: Launchers, folders: PodFolders, launcher_uid: int, memory: Memory) -> None:
        self._launchers = launchers
        self._folders = folders
        self._launcher_uid = launcher_uid
        self._memory = memory

    async def start(self, action: StartGuest) -> None:
        """The launcher has defined and started the guest, or was already doing so.

        Raises: Invalid for what will not change; HostFault, Unready, Lost for what may pass.
        """
        vmi = action.vmi
        link = self._launchers.require(vmi.metadata.uid)
        conversation = link.require_conversation()
        with link.process.network_namespace() as namespace:
            resolver = link.process.read_resolver()
            network = await prepare_network(vmi, namespace, self._launcher_uid, resolver)
        images = await anyio.to_thread.run_sync(inspect_images, self._folders, action.pod_uid, vmi)
        self._memory.of(vmi.metadata.uid).images = images.disks
        request = Sync(
            id=conversation.next_id(),
            vmi=to_dict(vmi),
            host=HostFacts(accelerator=action.accelerator),
            images=images.disks,
            interfaces=network.interfaces,
            dhcp=network.dhcp,
            kernel=images.kernel,
            initrd=images.initrd,
        )
        await conversation.ask(request, Done, _SYNC_SECONDS)
