"""Examples for ``kinds.migration`` and ``kinds.migration_policy``."""

from typing import Any

from tests.unit.gateway.admission.build import ALICE, CLUSTER, CONTROLLER, Plain, vmi
from tests.unit.gateway.admission.examples.example import Example, gates
from tests.unit.gateway.admission.examples.writes import made, write

from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.migration import VirtualMachineInstanceMigration
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.migrations.policy import MigrationPolicy
from virtdeck.gateway.admission import ClusterConfig
from virtdeck.gateway.admission.kinds.migration import NewMigration
from virtdeck.gateway.admission.kinds.write import Write
from virtdeck.gateway.auth.user import User

_MIGRATION: Plain = {"metadata": {"name": "move"}, "spec": {"vmiName": "testvmi"}}
_LABEL = "kubevirt.io/vmi-name"
_AWAY = {"connectURL": "192.0.2.1:9185", "migrationID": "one"}
_NO_GATE = ClusterConfig(disabled_gates=frozenset({"DecentralizedLiveMigration"}))


def _guest(phase: str = "Running", **condition: str) -> VirtualMachineInstance:
    status: Plain = {"phase": phase}
    if condition:
        status["conditions"] = [{"type": "LiveMigratable", "status": "False", **condition}]
    return decode(vmi() | {"status": status}, VirtualMachineInstance)


def _new(
    spec: Plain | None = None,
    *,
    guest: VirtualMachineInstance | None = None,
    under_way: tuple[str, ...] = (),
    user: User = ALICE,
    cluster: ClusterConfig = CLUSTER,
    **metadata: Any,
) -> NewMigration:
    obj = made(_MIGRATION, VirtualMachineInstanceMigration, {"spec": spec or {}, "metadata": metadata})
    return NewMigration(obj, None, user, cluster, guest or _guest(), under_way)


def _changed(now: Plain, before: Plain | None = None) -> Write[VirtualMachineInstanceMigration]:
    labelled: Plain = {"metadata": {"labels": {_LABEL: "testvmi"}}}
    old = made(_MIGRATION, VirtualMachineInstanceMigration, before or labelled)
    return write(made(_MIGRATION, VirtualMachineInstanceMigration, now), old)


def _policy(
    spec: Plain, old: Plain | None = None, cluster: ClusterConfig = CLUSTER
) -> Write[MigrationPolicy]:
    base: Plain = {"metadata": {"name": "p"}, "spec": {"selectors": {}}}
    before = None if old is None else made(base, MigrationPolicy, {"spec": old})
    return write(made(base, MigrationPolicy, {"spec": spec}), before, cluster=cluster)


def _detector(**factors: str) -> Write[MigrationPolicy]:
    return _policy({"experimental": {"stallDetector": factors}}, cluster=gates("MigrationStallDetection"))


_TUNED = {"experimental": {"downtimeTuning": {"steps": 7}}}
_BOTH = {"experimental": {"downtimeTuning": {"steps": 7}, "stallDetector": {}}}
_KEPT: Plain = {"metadata": {"labels": {_LABEL: "testvmi"}}}
_ENDED: Plain = {"status": {"phase": "Succeeded"}}

EXAMPLES: dict[str, Example] = {
    "V340": Example(_new({"vmiName": ""}), _new(), "spec.vmiName"),
    "V341": Example(
        NewMigration(made(_MIGRATION, VirtualMachineInstanceMigration), None, ALICE, CLUSTER), _new()
    ),
    "V342": Example(_new(guest=_guest("Failed")), _new(guest=_guest("Running"))),
    "V343": Example(
        _new(guest=_guest(reason="DisksNotLiveMigratable", message="a disk is local")),
        _new({"sendTo": _AWAY}, guest=_guest(reason="DisksNotLiveMigratable")),
    ),
    "V344": Example(_new(under_way=("move-0",)), _new()),
    "V345": Example(
        _new({"priority": "system-critical"}), _new({"priority": "user-triggered"}, user=CONTROLLER)
    ),
    "V346": Example(_new({"sendTo": _AWAY}, cluster=_NO_GATE), _new({"sendTo": _AWAY}), "spec.sendTo"),
    "V347": Example(
        _new({"sendTo": _AWAY, "receive": {"migrationID": "two"}}),
        _new({"sendTo": _AWAY, "receive": {"migrationID": "one"}}),
        "spec.receive.migrationID",
    ),
    "V348": Example(_changed({**_KEPT, "spec": {"vmiName": "other"}}), _changed(_KEPT)),
    "V349": Example(_changed({}), _changed(_ENDED), f"metadata.labels[{_LABEL}]"),
    "V350": Example(
        _changed({"metadata": {"labels": {_LABEL: "other"}}}),
        _changed({**_ENDED, "metadata": {"labels": {_LABEL: "other"}}}),
        f"metadata.labels[{_LABEL}]",
    ),
    "V351": Example(_policy({"completionTimeoutPerGiB": -1}), _policy({"completionTimeoutPerGiB": 0})),
    "V352": Example(_policy({"bandwidthPerMigration": "-1Mi"}), _policy({"bandwidthPerMigration": "64Mi"})),
    "V353": Example(
        _policy({"maxDowntimeMs": 500}),
        _policy({"maxDowntimeMs": 500}, cluster=gates("MigrationDowntimeTuning")),
    ),
    "V354": Example(
        _policy({"experimental": {"stallDetector": {}}}),
        _policy({"experimental": {"stallDetector": {}}}, {"experimental": {"stallDetector": {}}}),
    ),
    "V355": Example(_policy(_TUNED), _policy(_TUNED, cluster=gates("MigrationDowntimeTuning"))),
    "V356": Example(
        _policy(_BOTH, cluster=gates("MigrationDowntimeTuning", "MigrationStallDetection")),
        _policy(_TUNED, cluster=gates("MigrationDowntimeTuning")),
    ),
    "V357": Example(_detector(ewmaAlpha="0"), _detector(ewmaAlpha="1", patienceWindowDecayFactor="0")),
    "V358": Example(_detector(precopyPossibleFactor="1.2345"), _detector(precopyPossibleFactor="1.234")),
    "V359": Example(
        _detector(completionTimeoutFactor="-2"),
        _detector(completionTimeoutFactor="2"),
        "spec.experimental.stallDetector.completionTimeoutFactor",
    ),
}
