"""Infers instance types and preferences from the labels of volumes (D1)."""

from collections.abc import Mapping

from virtdeck.basis.errors import Absent, Cause
from virtdeck.crds.codec import decode, to_dict
from virtdeck.crds.kinds import CLAIM
from virtdeck.crds.kubevirt.data_volumes import DataVolumeSpec
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.plain import Plain
from virtdeck.gateway.admission.choice import BOTH, Inferred, Which
from virtdeck.instancetype.matchers import IGNORE, Matcher
from virtdeck.instancetype.paths import reach
from virtdeck.kube.client import Client
from virtdeck.kube.objects import RawKind, raw

_LABEL = "instancetype.kubevirt.io/default-"


def _foreign(group: str, version: str, plural: str, kind: str) -> RawKind:
    return RawKind(group, version, plural, kind, True, (), f"{group}/{version}")


_CLAIM = raw(CLAIM)
_DATA_VOLUME = _foreign("cdi.kubevirt.io", "v1beta1", "datavolumes", "DataVolume")
_DATA_SOURCE = _foreign("cdi.kubevirt.io", "v1beta1", "datasources", "DataSource")
_SNAPSHOT = _foreign("snapshot.storage.k8s.io", "v1", "volumesnapshots", "VolumeSnapshot")


class _Silent(Exception):
    """What was found says nothing: the failure policy decides. Its argument: why, as a sentence."""


class Inference:
    """Reads labels with virt-api's own rights; only the names in them are told."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def infer(self, vm: VirtualMachine, namespace: str) -> Mapping[Which, Inferred]:
        """What takes the place of each matcher that infers; empty when none does."""
        found: dict[Which, Inferred] = {}
        for which in BOTH:
            matcher: Matcher | None = getattr(vm.spec, which)
            if matcher is not None and matcher.infer_from_volume and not matcher.name:
                found[which] = await self._infer(vm, which, matcher, namespace)
        return found

    async def _infer(self, vm: VirtualMachine, which: Which, matcher: Matcher, namespace: str) -> Inferred:
        trail = _Trail(self._client, which, namespace)
        try:
            return Inferred(await trail.from_volume(vm, matcher.infer_from_volume or ""))
        except _Silent as why:
            if matcher.infer_from_volume_failure_policy == IGNORE:
                return Inferred()
            problem = f"{why}; label it with {trail.label}, name one, or set the failure policy {IGNORE}"
        except Absent as fault:
            problem = fault.message
        return Inferred(cause=Cause(f"spec.{which}.inferFromVolume", problem, "FieldValueNotFound"))


class _Trail:
    """The way from a volume to what is labelled."""

    def __init__(self, client: Client, which: Which, namespace: str) -> None:
        self._client = client
        self._namespace = namespace
        self.label = f"{_LABEL}{which}"

    async def from_volume(self, vm: VirtualMachine, name: str) -> Plain:
        """The matcher. Raises: Absent when something on the way is not there; _Silent."""
        volumes = vm.spec.template.spec.volumes or ()
        volume = next((found for found in volumes if found.name == name), None)
        if volume is None:
            raise Absent(f"{name!r} is none of spec.template.spec.volumes")
        if volume.persistent_volume_claim:
            return await self._from_claim(volume.persistent_volume_claim.claim_name, self._namespace)
        if volume.data_volume:
            return await self._from_data_volume(vm, volume.data_volume.name)
        raise _Silent(f"the volume {name} is neither a persistentVolumeClaim nor a dataVolume")

    async def _from_data_volume(self, vm: VirtualMachine, name: str) -> Plain:
        """A template of the machine is not made yet; a DataVolume that was swept left its claim behind."""
        for template in vm.spec.data_volume_templates or ():
            if template.metadata.name == name:
                labelled = self._labelled({"metadata": to_dict(template.metadata)})
                return labelled or await self._from_contents(template.spec)
        found = await self._read(_DATA_VOLUME, name, self._namespace, instead_of_claim=True)
        if found is None:
            return await self._from_claim(name, self._namespace)
        return self._labelled(found) or await self._from_contents(decode(found["spec"], DataVolumeSpec))

    async def _from_contents(self, spec: DataVolumeSpec) -> Plain:
        source, ref = spec.source, spec.source_ref
        if source and source.pvc:
            return await self._from_claim(source.pvc.name, source.pvc.namespace)
        if source and source.snapshot:
            return await self._from_snapshot(source.snapshot.name, source.snapshot.namespace)
        if ref and ref.kind == _DATA_SOURCE.kind:
            return await self._from_data_source(ref.name, ref.namespace or self._namespace)
        raise _Silent("its DataVolume is filled from neither a claim, a snapshot nor a DataSource")

    async def _from_data_source(self, name: str, namespace: str) -> Plain:
        found = await self._read(_DATA_SOURCE, name, namespace)
        if labelled := self._labelled(found or {}):
            return labelled
        claim, snapshot = (reach(found, f"spec.source.{kind}") for kind in ("pvc", "snapshot"))
        if claim:
            return await self._from_claim(claim.get("name", ""), claim.get("namespace") or namespace)
        if snapshot:
            return await self._from_snapshot(snapshot.get("name", ""), snapshot.get("namespace") or namespace)
        raise _Silent(f"the DataSource {name} has neither a label nor a claim or snapshot")

    async def _from_claim(self, name: str, namespace: str) -> Plain:
        return self._required(await self._read(_CLAIM, name, namespace), f"the claim {name}")

    async def _from_snapshot(self, name: str, namespace: str) -> Plain:
        return self._required(await self._read(_SNAPSHOT, name, namespace), f"the VolumeSnapshot {name}")

    def _required(self, found: Plain | None, what: str) -> Plain:
        labelled = self._labelled(found or {})
        if not labelled:
            raise _Silent(f"{what} has no label {self.label}")
        return labelled

    def _labelled(self, found: Plain) -> Plain:
        """The matcher that an object's labels make, empty without the label."""
        labels = reach(found, "metadata.labels") or {}
        named = {"name": labels.get(self.label), "kind": labels.get(f"{self.label}-kind")}
        return {key: value for key, value in named.items() if value} if named["name"] else {}

    async def _read(
        self, kind: RawKind, name: str, namespace: str, *, instead_of_claim: bool = False
    ) -> Plain | None:
        """The object. Raises: Absent, which says so where the whole kind is not served.

        instead_of_claim: None when it is not there, for its claim may be.
        """
        try:
            return await self._client.require(kind, name, namespace)
        except Absent as fault:
            if instead_of_claim:
                return None
            if f'"{name}"' in fault.message:
                raise Absent(f"there is no {kind.kind} {name} in namespace {namespace}") from fault
            raise Absent(f"{kind.kind}s of {kind.group} are not served here") from fault
