"""VirtualMachineRestore: what can be brought back, and to where."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from virtdeck.crds.kubevirt.vm import VirtualMachineSpec
from virtdeck.crds.plain import Plain
from virtdeck.crds.snapshot.restore import VirtualMachineRestore as Restore
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.kinds.write import Write, examined, judged
from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.stored_only import stored_only
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User

_OPERATIONS = ("add", "remove", "replace", "move", "copy", "test")
_OPEN = ("/spec/", "/metadata/labels/", "/metadata/annotations/")


@dataclass(frozen=True)
class NewRestore(Write[Restore]):
    """under_way: restores of the same target that have not ended.

    takes_state_elsewhere: the snapshot is of a machine that keeps state (EFI variables, TPM) in a claim of
    its own, and the target is another machine.
    """

    under_way: tuple[str, ...] = ()
    takes_state_elsewhere: bool = False


CREATE: Rules[NewRestore] = Rules("Restore, new")
UPDATE: Rules[Write[Restore]] = Rules("Restore, changed")


@CREATE.gate("V376", "spec", "Snapshot")
def restores_need_their_gate(restore: NewRestore) -> Iterator[Place]:
    """Always."""
    yield at()


@CREATE.rule("V377", "spec.target.apiGroup", REQUIRED, "must be kubevirt.io")
def target_has_a_group(restore: NewRestore) -> Iterator[Place]:
    """It is absent."""
    if not restore.obj.spec.target.api_group:
        yield at()


@CREATE.choice("V378", "spec.target.kind", "VirtualMachine")
def target_is_a_machine(restore: NewRestore) -> Iterator[Place]:
    """It is another kind."""
    yield at(value=restore.obj.spec.target.kind)


@CREATE.choice("V379", "spec.target.apiGroup", "kubevirt.io")
def target_is_of_kubevirt(restore: NewRestore) -> Iterator[Place]:
    """It is another group."""
    yield at(value=restore.obj.spec.target.api_group)


@CREATE.rule("V380", "spec.target", FORBIDDEN, "is being restored by {name} already; wait for its end")
def one_restore_at_a_time(restore: NewRestore) -> Iterator[Place]:
    """Another restore of the same target has not ended."""
    if restore.under_way:
        yield at(name=min(restore.under_way))


@CREATE.rule(
    "V381",
    "spec.target.name",
    INVALID,
    "must be the machine that the snapshot is of, for its EFI variables or TPM cannot go to another",
)
def state_stays_with_its_machine(restore: NewRestore) -> Iterator[Place]:
    """The snapshot's machine keeps state of its own, and the target is another machine."""
    if restore.takes_state_elsewhere:
        yield at()


@CREATE.rule(
    "V382", "spec.patches[]", INVALID, 'must be one operation, as {{"op": "add", "path": "/spec/…", …}}'
)
def patches_are_operations(restore: NewRestore) -> Iterator[Place]:
    """It is no JSON object with a known op and a path."""
    for index, text in enumerate(restore.obj.spec.patches or ()):
        if _operation(text) is None:
            yield at(index)


@CREATE.rule(
    "V383", "spec.patches[]", INVALID, "must change something below /spec, /metadata/labels or annotations"
)
def patches_stay_within_bounds(restore: NewRestore) -> Iterator[Place]:
    """Its path, or the one that it takes the value from, leads elsewhere."""
    for index, text in enumerate(restore.obj.spec.patches or ()):
        operation = _operation(text)
        paths = [operation[key] for key in ("path", "from") if key in operation] if operation else []
        if not all(isinstance(path, str) and path.startswith(_OPEN) for path in paths):
            yield at(index)


@CREATE.rule(
    "V384", "spec.volumeRestoreOverrides[].volumeName", REQUIRED, "must name a volume of the snapshot"
)
def override_names_a_volume(restore: NewRestore) -> Iterator[Place]:
    """It is empty."""
    for index, override in enumerate(restore.obj.spec.volume_restore_overrides or ()):
        if not override.volume_name:
            yield at(index)


@CREATE.rule(
    "V385", "spec.volumeRestoreOverrides[]", REQUIRED, "must have restoreName, labels or annotations"
)
def override_changes_something(restore: NewRestore) -> Iterator[Place]:
    """It has none of them."""
    for index, override in enumerate(restore.obj.spec.volume_restore_overrides or ()):
        if not override.restore_name and override.labels is None and override.annotations is None:
            yield at(index)


@CREATE.choice("V386", "spec.volumeRestorePolicy", "RandomizeNames", "InPlace", "PrefixTargetName")
def restore_policy_is_known(restore: NewRestore) -> Iterator[Place]:
    """It is another word."""
    yield at(value=restore.obj.spec.volume_restore_policy)


@CREATE.choice("V387", "spec.volumeOwnershipPolicy", "Vm", "None")
def ownership_policy_is_known(restore: NewRestore) -> Iterator[Place]:
    """It is another word."""
    yield at(value=restore.obj.spec.volume_ownership_policy)


@CREATE.rule("", "spec.{target.name|virtualMachineSnapshotName}", REQUIRED, "must be given")
def restore_has_both_ends(restore: NewRestore) -> Iterator[Place]:
    """It is empty."""
    spec = restore.obj.spec
    for name, value in (
        ("target.name", spec.target.name),
        ("virtualMachineSnapshotName", spec.virtual_machine_snapshot_name),
    ):
        if not value:
            yield at(name)


@UPDATE.rule("V388", "spec", FORBIDDEN, "cannot be changed; make another restore")
def spec_stays(restore: Write[Restore]) -> Iterator[Place]:
    """It is another than it was."""
    if restore.old is not None and restore.obj.spec != restore.old.spec:
        yield at()


def validate_restore_create(
    obj: Plain,
    user: User,
    cluster: ClusterConfig,
    *,
    under_way: tuple[str, ...] = (),
    takes_state_elsewhere: bool = False,
) -> Verdict:
    """under_way, takes_state_elsewhere: as ``NewRestore`` has them."""
    stored = stored_only("virtualmachinerestores.snapshot.kubevirt.io")
    return examined(
        obj,
        None,
        Restore,
        lambda now, old: judged(
            CREATE, NewRestore(now, old, user, cluster, under_way, takes_state_elsewhere), stored=stored
        ),
    )


def validate_restore_update(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """What may change of a restore."""
    return examined(obj, old, Restore, lambda now, before: judged(UPDATE, Write(now, before, user, cluster)))


def keeps_state(machine: VirtualMachineSpec) -> bool:
    """True for a machine whose EFI variables or TPM are kept in a claim of their own."""
    domain = machine.template.spec.domain
    loader = domain.firmware.bootloader if domain.firmware else None
    tpm, efi = domain.devices.tpm, loader.efi if loader else None
    return bool((tpm and tpm.persistent) or (efi and efi.persistent))


def _operation(text: str) -> dict[str, Any] | None:
    """The JSON patch operation, None when it is none."""
    try:
        found = orjson.loads(text)
    except ValueError:
        return None
    if not isinstance(found, dict) or found.get("op") not in _OPERATIONS:
        return None
    return found if isinstance(found.get("path"), str) else None
