"""Observes VMIs and their pods in caches, and carries out what was decided about them."""

from collections.abc import Iterable

import structlog

from virtdeck.basis.clock import Clock, rfc3339
from virtdeck.basis.errors import Absent, Conflict, Invalid, VirtdeckError
from virtdeck.controllers import names
from virtdeck.controllers.caches import BY_UID, BY_VMI, Caches
from virtdeck.controllers.cluster import cluster_config
from virtdeck.controllers.silence import is_silent
from virtdeck.controllers.vmi.decide import decide, decide_failure
from virtdeck.controllers.vmi.observed import (
    Action,
    ConfirmPodGone,
    CreatePod,
    DeletePod,
    Seen,
    SetPodGate,
    VmiPlan,
)
from virtdeck.controllers.vmi.pod import LauncherSettings
from virtdeck.controllers.vmi.pod_name import claims_vmi, controller_of, is_own_pod, pod_name
from virtdeck.crds import conditions as types
from virtdeck.crds import kinds
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.kube.client import Client
from virtdeck.kube.objects import Key
from virtdeck.kube.queue import WorkQueue
from virtdeck.kube.snapshot import Change

_log = structlog.get_logger()


class VmiReconciler:
    """The VMI controller's eyes and hands.

    Two things are remembered between looks, and found out anew after a restart: which VMIs' pods a live read
    found absent, and which foreign pods were already told of.
    """

    def __init__(
        self, client: Client, caches: Caches, launcher: LauncherSettings, queue: WorkQueue[Key], clock: Clock
    ) -> None:
        self._client = client
        self._caches = caches
        self._launcher = launcher
        self._queue = queue
        self._clock = clock
        self._gone: set[str] = set()
        self._told: set[str] = set()

    # ---- what wakes it

    def vmi_changed(self, change: Change[VirtualMachineInstance]) -> None:
        """The VMI is looked at; memories of one that is gone are dropped."""
        if change.new is None and change.old is not None:
            self._gone.discard(change.old.metadata.uid or "")
        self._queue.add(change.key)

    def pod_changed(self, change: Change[Pod]) -> None:
        """The VMI that the pod says it belongs to is looked at."""
        if change.new is None and change.old is not None:
            self._told.discard(change.old.metadata.uid or "")
        for pod in (change.old, change.new):
            for vmi in self._caches.vmis.find(BY_UID, claims_vmi(pod) or "") if pod else ():
                self._queue.add(Key(vmi.metadata.namespace or "", vmi.metadata.name or ""))

    # ---- observe, decide

    def observe(self, key: Key) -> Seen | None:
        vmi = self._caches.vmis.get(key.namespace, key.name)
        if vmi is None:
            return None
        claiming = self._caches.pods.find(BY_VMI, vmi.metadata.uid or "")
        own = next((pod for pod in claiming if is_own_pod(vmi, pod)), None)
        now = self._clock.now()
        return Seen(
            vmi=vmi,
            launcher=self._launcher,
            now=now,
            pod=own,
            pod_gone=own is None and vmi.metadata.uid in self._gone,
            foreign_pods=self._news_of_foreign(pod for pod in claiming if pod is not own),
            vm_gone=self._vm_gone(vmi),
            node_silent=is_silent(self._caches.nodes.get("", vmi.status.node_name or ""), now),
            config=cluster_config(next(iter(self._caches.installations.all()), None)),
        )

    def subject(self, seen: Seen) -> VirtualMachineInstance:
        return seen.vmi

    def decide(self, seen: Seen) -> VmiPlan:
        return decide(seen)

    def decide_failure(self, seen: Seen, action: Action, error: VirtdeckError) -> VmiPlan:
        return decide_failure(seen, action, error)

    # ---- act

    async def act(self, action: Action) -> None:
        match action:
            case CreatePod():
                await self._create_pod(action.pod)
            case DeletePod():
                await self._delete_pod(action)
            case SetPodGate():
                await self._set_gate(action)
            case ConfirmPodGone():
                await self._confirm_gone(action.vmi)

    async def _create_pod(self, pod: Pod) -> None:
        try:
            self._caches.pods.absorb(await self._client.create(kinds.POD, pod, pod.metadata.namespace))
        except Conflict as taken:
            await self._recognise(pod, taken)

    async def _recognise(self, wanted: Pod, taken: Conflict) -> None:
        """The name is taken: by an earlier try of ours that the cache does not show yet, or by a stranger."""
        found = await self._client.get(kinds.POD, wanted.metadata.name or "", wanted.metadata.namespace)
        if found is None:
            raise taken
        owner, wanted_owner = controller_of(found), controller_of(wanted)
        if owner is None or wanted_owner is None or owner.uid != wanted_owner.uid:
            raise Invalid(f"the pod {wanted.metadata.name} exists and belongs to something else")
        self._caches.pods.absorb(found)

    async def _delete_pod(self, action: DeletePod) -> None:
        try:
            left = await self._client.delete(kinds.POD, action.name, action.namespace, uid=action.uid)
            if left is not None:
                self._caches.pods.absorb(left)
        except Absent:
            _log.debug("pod_gone_before_delete", pod=action.name)

    async def _set_gate(self, action: SetPodGate) -> None:
        meta = action.pod.metadata
        condition = {
            "type": types.POD_UNPAUSED,
            "status": "True" if action.open else "False",
            "reason": "NotPaused" if action.open else "Paused",
            "message": "the guest's processors run" if action.open else "the guest is paused",
            "lastProbeTime": None,
            "lastTransitionTime": rfc3339(self._clock.now()),
        }
        # Strategic, so that conditions which the kubelet writes meanwhile are merged by type.
        patch = {"metadata": {"uid": meta.uid}, "status": {"conditions": [condition]}}
        self._caches.pods.absorb(
            await self._client.strategic_patch(kinds.POD, meta.name or "", meta.namespace, patch, "status")
        )

    async def _confirm_gone(self, vmi: VirtualMachineInstance) -> None:
        """Absence is remembered; a pod that is there after all is put into the cache, which wakes the VMI."""
        found = await self._client.get(kinds.POD, pod_name(vmi), vmi.metadata.namespace)
        if found is not None and is_own_pod(vmi, found):
            self._caches.pods.absorb(found)
            return
        self._gone.add(vmi.metadata.uid or "")
        self._queue.add(Key(vmi.metadata.namespace or "", vmi.metadata.name or ""))

    def _news_of_foreign(self, pods: Iterable[Pod]) -> tuple[str, ...]:
        fresh = [pod for pod in pods if (pod.metadata.uid or "") not in self._told]
        self._told.update(pod.metadata.uid or "" for pod in fresh)
        return tuple(pod.metadata.name or "" for pod in fresh)

    def _vm_gone(self, vmi: VirtualMachineInstance) -> bool:
        """True when the VMI waits for a VirtualMachine that no longer is."""
        if names.VM_FINALIZER not in (vmi.metadata.finalizers or ()):
            return False
        owner = next((found for found in vmi.metadata.owner_references or () if found.controller), None)
        vm = self._caches.vms.get(vmi.metadata.namespace, owner.name) if owner else None
        return vm is None or owner is None or vm.metadata.uid != owner.uid
