"""Examples for ``kinds.clone``, ``kinds.snapshot`` and ``kinds.restore``."""

from typing import Any

from tests.unit.gateway.admission.build import ALICE, CLUSTER, Plain
from tests.unit.gateway.admission.examples.example import Example
from tests.unit.gateway.admission.examples.writes import made, write

from virtdeck.crds.clone.clone import VirtualMachineClone
from virtdeck.crds.snapshot.restore import VirtualMachineRestore
from virtdeck.crds.snapshot.snapshot import VirtualMachineSnapshot
from virtdeck.gateway.admission import ClusterConfig
from virtdeck.gateway.admission.kinds.restore import NewRestore
from virtdeck.gateway.admission.kinds.write import Write

_VM = {"apiGroup": "kubevirt.io", "kind": "VirtualMachine", "name": "a"}
_OFF = ClusterConfig(disabled_gates=frozenset({"Snapshot"}))


def _clone(spec: Plain | None = None, cluster: ClusterConfig = CLUSTER) -> Write[VirtualMachineClone]:
    base: Plain = {"metadata": {"name": "c"}, "spec": {"source": _VM, "target": {**_VM, "name": "b"}}}
    return write(made(base, VirtualMachineClone, {"spec": spec or {}}), cluster=cluster)


def _snapshot(
    spec: Plain | None = None, old: Plain | None = None, cluster: ClusterConfig = CLUSTER
) -> Write[VirtualMachineSnapshot]:
    base: Plain = {"metadata": {"name": "s"}, "spec": {"source": _VM}}
    before = None if old is None else made(base, VirtualMachineSnapshot, {"spec": old})
    return write(made(base, VirtualMachineSnapshot, {"spec": spec or {}}), before, cluster=cluster)


_RESTORE: Plain = {
    "metadata": {"name": "r"},
    "spec": {"target": _VM, "virtualMachineSnapshotName": "s"},
}


def _restore(spec: Plain | None = None, cluster: ClusterConfig = CLUSTER, **surroundings: Any) -> NewRestore:
    obj = made(_RESTORE, VirtualMachineRestore, {"spec": spec or {}})
    return NewRestore(obj, None, ALICE, cluster, **surroundings)


def _changed(spec: Plain) -> Write[VirtualMachineRestore]:
    obj = made(_RESTORE, VirtualMachineRestore, {"spec": spec})
    return write(obj, made(_RESTORE, VirtualMachineRestore))


def _overrides(**override: Any) -> NewRestore:
    return _restore({"volumeRestoreOverrides": [override]})


_CLONES: dict[str, Example] = {
    "V360": Example(_clone(cluster=_OFF), _clone()),
    "V361": Example(
        _clone({"template": {"labelFilters": ["*", "a*b"]}}),
        _clone({"template": {"labelFilters": ["*", "!example.com/*", "a"]}}),
        "spec.template.labelFilters[1]",
    ),
    "V363": Example(
        _clone({"source": {"apiGroup": "snapshot.kubevirt.io"}}),
        _clone({"source": {"apiGroup": "snapshot.kubevirt.io", "kind": "VirtualMachineSnapshot"}}),
    ),
    "V364": Example(_clone({"source": {"kind": ""}}), _clone(), "spec.source.kind"),
    "V365": Example(_clone({"source": {"name": ""}}), _clone()),
    "V366": Example(_clone({"source": {"kind": "Pod"}}), _clone()),
    "V367": Example(_clone({"target": {"kind": "VirtualMachineInstance"}}), _clone({"target": None})),
    "V368": Example(_clone({"target": {"name": "a"}}), _clone()),
    "V369": Example(
        _clone({"newMacAddresses": {"default": "02:00"}}),
        _clone({"newMacAddresses": {"default": "02:00:00:12:34:56", "other": ""}}),
        "spec.newMacAddresses[default]",
    ),
    "V370": Example(
        _clone({"patches": ["{op: add}"]}), _clone({"patches": ['{"op": "add"}']}), "spec.patches[0]"
    ),
    "volume_names_are_made_in_a_known_way": Example(
        _clone({"volumeNamePolicy": "Any"}), _clone({"volumeNamePolicy": "PrefixTargetName"})
    ),
}

_SNAPSHOTS: dict[str, Example] = {
    "V371": Example(_snapshot(cluster=_OFF), _snapshot()),
    "V372": Example(_snapshot({"source": {"apiGroup": None}}), _snapshot()),
    "V373": Example(_snapshot({"source": {"apiGroup": "apps"}}), _snapshot()),
    "V374": Example(_snapshot({"source": {"kind": "Deployment"}}), _snapshot()),
    "V375": Example(_snapshot({"failureDeadline": "1m"}, {}), _snapshot({}, {})),
    "source_of_a_snapshot_has_a_name": Example(_snapshot({"source": {"name": ""}}), _snapshot()),
    "deletion_is_known": Example(
        _snapshot({"deletionPolicy": "Burn"}), _snapshot({"deletionPolicy": "Retain"})
    ),
}

_RESTORES: dict[str, Example] = {
    "V376": Example(_restore(cluster=_OFF), _restore()),
    "V377": Example(_restore({"target": {"apiGroup": None}}), _restore()),
    "V378": Example(_restore({"target": {"kind": "Pod"}}), _restore()),
    "V379": Example(_restore({"target": {"apiGroup": "apps"}}), _restore()),
    "V380": Example(_restore(under_way=("other",)), _restore()),
    "V381": Example(_restore(takes_state_elsewhere=True), _restore()),
    "V382": Example(
        _restore({"patches": ['{"op": "explode", "path": "/spec/x"}']}),
        _restore({"patches": ['{"op": "remove", "path": "/spec/x"}']}),
        "spec.patches[0]",
    ),
    "V383": Example(
        _restore({"patches": ['{"op": "copy", "from": "/metadata/uid", "path": "/spec/x"}']}),
        _restore({"patches": ['{"op": "add", "path": "/metadata/labels/a", "value": "b"}']}),
        "spec.patches[0]",
    ),
    "V384": Example(
        _overrides(restoreName="r"),
        _overrides(volumeName="v", restoreName="r"),
        "spec.volumeRestoreOverrides[0].volumeName",
    ),
    "V385": Example(_overrides(volumeName="v"), _overrides(volumeName="v", labels={})),
    "V386": Example(_restore({"volumeRestorePolicy": "Any"}), _restore({"volumeRestorePolicy": "InPlace"})),
    "V387": Example(_restore({"volumeOwnershipPolicy": "Me"}), _restore({"volumeOwnershipPolicy": "None"})),
    "V388": Example(_changed({"virtualMachineSnapshotName": "other"}), _changed({})),
    "restore_has_both_ends": Example(
        _restore({"virtualMachineSnapshotName": ""}), _restore(), "spec.virtualMachineSnapshotName"
    ),
}

EXAMPLES: dict[str, Example] = {**_CLONES, **_SNAPSHOTS, **_RESTORES}
