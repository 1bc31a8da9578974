"""The hands behind the decisions on VMIs: observes from caches and launchers, acts through launchers."""

from dataclasses import dataclass

from virtdeck.basis.clock import Clock
from virtdeck.basis.errors import Lost, VirtdeckError
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.kube.cache import Cache
from virtdeck.kube.objects import Key
from virtdeck.node_agent.launchers.registry import Launchers
from virtdeck.node_agent.vmi.actions import Action, AskLauncher, Connect, Disconnect, NoteReport, StartGuest
from virtdeck.node_agent.vmi.decide import VmiPlan, decide, decide_failure
from virtdeck.node_agent.vmi.host import HostWatch
from virtdeck.node_agent.vmi.memory import Memory
from virtdeck.node_agent.vmi.pace import REPORTS
from virtdeck.node_agent.vmi.seen import Seen
from virtdeck.node_agent.vmi.starter import Starter
from virtdeck.wire import launcher as wire

POD_BY_VMI = "by_vmi"
_ASK_SECONDS = 10.0


@dataclass(frozen=True)
class VmiReconciler:
    """Observe, decide and act on one VMI of this node."""

    vmis: Cache[VirtualMachineInstance]
    pods: Cache[Pod]
    launchers: Launchers
    host: HostWatch
    starter: Starter
    memory: Memory
    clock: Clock

    def observe(self, key: Key) -> Seen | None:
        vmi = self.vmis.get(key.namespace, key.name)
        if vmi is None:
            return None
        uid = vmi.metadata.uid
        link = self.launchers.get(uid)
        remembered = self.memory.of(uid)
        return Seen(
            key=key,
            vmi=vmi,
            pod=choose_pod(vmi, self.pods.find(POD_BY_VMI, uid)),
            launcher=link.view if link else None,
            host=self.host.view(),
            now=self.clock.now(),
            connected_pod=link.target.pod_uid if link else None,
            images=remembered.images,
            frozen_until=remembered.frozen_until,
            asked_to_stop=remembered.asked_to_stop,
            reports=remembered.reports,
        )

    def subject(self, seen: Seen) -> VirtualMachineInstance:
        return seen.vmi

    def decide(self, seen: Seen) -> VmiPlan:
        return decide(seen)

    def decide_failure(self, seen: Seen, action: Action, error: VirtdeckError) -> VmiPlan:
        return decide_failure(seen, action, error)

    async def act(self, action: Action) -> None:
        match action:
            case Connect(target=target):
                self.launchers.want(target)
            case Disconnect(vmi_uid=uid):
                self.launchers.forget(uid)
            case StartGuest():
                await self.starter.start(action)
            case NoteReport(vmi_uid=uid):
                remembered = self.memory.of(uid)
                remembered.reports = (*remembered.reports[-REPORTS:], self.clock.now())
            case AskLauncher(vmi_uid=uid, what=what):
                await self._ask(uid, what)

    async def _ask(self, vmi_uid: str, what: str) -> None:
        conversation = self.launchers.require(vmi_uid).require_conversation()
        if what == "Shutdown":
            self.memory.of(vmi_uid).asked_to_stop = self.clock.now()
        request: wire.Request = _REQUESTS[what](id=conversation.next_id())
        try:
            await conversation.ask(request, wire.Done, _ASK_SECONDS)
        except Lost:
            if what != "Farewell":  # who may go need not stay to say so
                raise


_REQUESTS: dict[str, type[wire.Shutdown | wire.Destroy | wire.Unpause | wire.Farewell]] = {
    "Shutdown": wire.Shutdown,
    "Destroy": wire.Destroy,
    "Unpause": wire.Unpause,
    "Farewell": wire.Farewell,
}


def choose_pod(vmi: VirtualMachineInstance, candidates: list[Pod]) -> Pod | None:
    """The VMI's launcher pod: one that it owns and, if the VMI names its pods, one of those.

    Labels alone prove nothing: anybody who may create pods can copy them.
    """
    active = vmi.status.active_pods or {}
    owned = [
        pod
        for pod in candidates
        if any(
            owner.uid == vmi.metadata.uid and owner.controller
            for owner in pod.metadata.owner_references or ()
        )
        and (not active or pod.metadata.uid in active)
    ]
    return max(owned, key=lambda pod: pod.metadata.creation_timestamp or "", default=None)
