"""The webhook that is asked before a pod is evicted: guests are told to leave their node, or protected."""

from virtdeck.crds.core.pod import Pod
from virtdeck.crds.kinds import POD, VMI
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.admission.kinds.eviction import ATTACHMENT, LAUNCHER, RULES, Eviction
from virtdeck.gateway.context import Context
from virtdeck.gateway.installed import installed_cluster
from virtdeck.gateway.webhooks.review import Outcome, Review

_DOMAIN = "kubevirt.io/domain"


class Evictions:
    """Reads the pod and its VMI with virt-api's own rights, and marks the VMI."""

    def __init__(self, context: Context) -> None:
        self._client = context.client
        self._caches = context.caches
        self._namespace = context.settings.namespace

    async def validate(self, review: Review) -> Outcome:
        """Pods of others go at once; a guest that moves is marked, and its pod stays until it has moved."""
        pod = await self._client.get(POD, review.name, review.namespace)
        if pod is None or (pod.metadata.labels or {}).get("kubevirt.io") not in (LAUNCHER, ATTACHMENT):
            return Outcome()
        vmi = await self._vmi_of(pod, review.namespace)
        eviction = Eviction(pod, vmi, installed_cluster(self._caches, self._namespace))
        if vmi is not None and eviction.to_be_marked and not review.dry_run:
            await self._mark(vmi, eviction.node)
        return Outcome(tuple(RULES.ask(eviction)), later=True)

    async def _vmi_of(self, pod: Pod, namespace: str) -> VirtualMachineInstance | None:
        name = (pod.metadata.annotations or {}).get(_DOMAIN) or await self._owners_vmi(pod, namespace)
        return await self._client.get(VMI, name, namespace) if name else None

    async def _owners_vmi(self, pod: Pod, namespace: str) -> str | None:
        """A pod that holds disks belongs to the launcher that it holds them for."""
        for owner in pod.metadata.owner_references or ():
            launcher = await self._client.get(POD, owner.name, namespace) if owner.kind == "Pod" else None
            if launcher is not None:
                return (launcher.metadata.annotations or {}).get(_DOMAIN)
        return None

    async def _mark(self, vmi: VirtualMachineInstance, node: str) -> None:
        mark = {"op": "add", "path": "/status/evacuationNodeName", "value": node}
        await self._client.json_patch(VMI, vmi.metadata.name, vmi.metadata.namespace, [mark])
