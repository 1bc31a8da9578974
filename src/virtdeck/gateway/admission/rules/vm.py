"""What a VirtualMachine says beside its template (V252–V268, V282–V284)."""

from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.data_volumes import DataVolumeTemplateSpec
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.verdict import (
    duplicate,
    forbidden,
    invalid,
    needs_gate,
    required,
    unsupported,
)
from virtdeck.gateway.admission.words import SUBDOMAIN_WORDS, is_subdomain

RUN_STRATEGIES = ("Always", "RerunOnFailure", "Manual", "Halted", "Once")
_WAIT = "WaitAsReceiver"
_VOLUME_STRATEGIES = ("Replacement", "Migration")
_SOURCE_KINDS = ("DataSource",)
_SOURCES = ("blank", "gcs", "http", "imageio", "pvc", "registry", "s3", "snapshot", "upload", "vddk")


def run_strategy_is_one(vm: VirtualMachine, cluster: ClusterConfig) -> Iterator[Cause]:
    """V253–V256"""
    running, strategy = vm.spec.running, vm.spec.run_strategy
    if running is not None and strategy:
        yield invalid("spec.running", "cannot be used together with runStrategy; remove running")
    if running is None and not strategy:
        yield required("spec.runStrategy", f"must be one of {', '.join(RUN_STRATEGIES)}")
    if strategy == _WAIT and not cluster.gate("DecentralizedLiveMigration"):
        yield needs_gate("spec.runStrategy", "DecentralizedLiveMigration")
    elif strategy and strategy not in (*RUN_STRATEGIES, _WAIT):
        yield unsupported("spec.runStrategy", strategy, RUN_STRATEGIES)


def volume_strategy_is_known(vm: VirtualMachine) -> Iterator[Cause]:
    """Ours"""
    if vm.spec.update_volumes_strategy and vm.spec.update_volumes_strategy not in _VOLUME_STRATEGIES:
        yield unsupported("spec.updateVolumesStrategy", vm.spec.update_volumes_strategy, _VOLUME_STRATEGIES)


def data_volume_templates_are_whole(vm: VirtualMachine) -> Iterator[Cause]:
    """V260–V268"""
    seen: set[str] = set()
    for index, template in enumerate(vm.spec.data_volume_templates or ()):
        path = f"spec.dataVolumeTemplates[{index}]"
        name = template.metadata.name
        if not name or not is_subdomain(name):
            yield required(f"{path}.metadata.name", f"must be {SUBDOMAIN_WORDS}")
        elif name in seen:
            yield duplicate(f"{path}.metadata.name", name)
        seen.add(name)
        yield from _storage(path, template)
        yield from _source(path, template)
        yield from _place(path, template, vm)


def _storage(path: str, template: DataVolumeTemplateSpec) -> Iterator[Cause]:
    """V261, V262"""
    if (template.spec.pvc is None) == (template.spec.storage is None):
        yield invalid(f"{path}.spec", "must have exactly one of pvc, storage")


def _source(path: str, template: DataVolumeTemplateSpec) -> Iterator[Cause]:
    """V263–V266"""
    spec = template.spec
    populated = spec.pvc is not None and (
        spec.pvc.data_source is not None or spec.pvc.data_source_ref is not None
    )
    if populated and (spec.source is not None or spec.source_ref is not None):
        yield invalid(
            f"{path}.spec.source", "cannot be used with pvc.dataSource, which fills the disk already"
        )
    if populated:
        return
    if (spec.source is None) == (spec.source_ref is None):
        yield invalid(f"{path}.spec", "must have exactly one of source, sourceRef")
    elif spec.source_ref is not None and spec.source_ref.kind not in _SOURCE_KINDS:
        yield unsupported(f"{path}.spec.sourceRef.kind", spec.source_ref.kind, _SOURCE_KINDS)
    elif spec.source is not None and sum(getattr(spec.source, name) is not None for name in _SOURCES) != 1:
        yield invalid(f"{path}.spec.source", f"must have exactly one of {', '.join(_SOURCES)}")


def _place(path: str, template: DataVolumeTemplateSpec, vm: VirtualMachine) -> Iterator[Cause]:
    """V267, V268"""
    volumes = vm.spec.template.spec.volumes or ()
    used = {volume.data_volume.name for volume in volumes if volume.data_volume}
    used |= {
        volume.persistent_volume_claim.claim_name for volume in volumes if volume.persistent_volume_claim
    }
    if template.metadata.name and template.metadata.name not in used:
        yield required(f"{path}.metadata.name", "must be the dataVolume of one of spec.template.spec.volumes")
    if template.metadata.namespace and template.metadata.namespace != vm.metadata.namespace:
        yield invalid(f"{path}.metadata.namespace", "must be the namespace of the virtual machine")


def machine_rests_while_it_is_saved(vm: VirtualMachine, old: VirtualMachine | None) -> Iterator[Cause]:
    """V282–V284"""
    if old is None:
        return
    before, after = old.spec, vm.spec
    if old.status.snapshot_in_progress:
        why = f"cannot change while the snapshot {old.status.snapshot_in_progress} is being taken"
        disks = (before.template.spec.domain.devices.disks, after.template.spec.domain.devices.disks)
        if disks[0] != disks[1] or before.template.spec.volumes != after.template.spec.volumes:
            yield forbidden("spec.template.spec.volumes", why)
        if (before.running, before.run_strategy) != (after.running, after.run_strategy):
            yield forbidden("spec.runStrategy", why)
    if old.status.restore_in_progress and before.run_strategy != after.run_strategy:
        why = f"cannot change while {old.status.restore_in_progress} is being restored"
        yield forbidden("spec.runStrategy", why)
