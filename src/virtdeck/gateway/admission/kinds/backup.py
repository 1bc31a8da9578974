"""VirtualMachineBackup and VirtualMachineBackupTracker; most about them is checked by rules of their CRDs."""

from collections.abc import Iterator
from dataclasses import dataclass

from virtdeck.crds.backup.backup import VirtualMachineBackup as Backup
from virtdeck.crds.backup.tracker import VirtualMachineBackupTracker as Tracker
from virtdeck.crds.plain import Plain
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.kinds.write import Write, examined, judged
from virtdeck.gateway.admission.rule import DUPLICATE, FORBIDDEN, Place, Rules, at
from virtdeck.gateway.admission.stored_only import stored_only
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User

_GATE = "IncrementalBackup"


@dataclass(frozen=True)
class NewBackup(Write[Backup]):
    """names: backups of the namespace. under_way: those of the same source that have not ended."""

    names: frozenset[str] = frozenset()
    under_way: tuple[str, ...] = ()


BACKUPS: Rules[NewBackup] = Rules("Backup, new")
TRACKERS: Rules[Write[Tracker]] = Rules("BackupTracker, new")


@BACKUPS.gate("V389", "spec", _GATE)
def backups_need_their_gate(backup: NewBackup) -> Iterator[Place]:
    """Always."""
    yield at()


@BACKUPS.rule("V390", "metadata.name", DUPLICATE, "{value!r} is the name of another backup; choose a new one")
def name_is_free(backup: NewBackup) -> Iterator[Place]:
    """There is a backup of that name."""
    if backup.obj.metadata.name in backup.names:
        yield at(value=backup.obj.metadata.name)


@BACKUPS.rule("V391", "spec.source", FORBIDDEN, "is being backed up by {name} already; wait for its end")
def one_backup_at_a_time(backup: NewBackup) -> Iterator[Place]:
    """Another backup of the same source has not ended."""
    if backup.under_way:
        yield at(name=min(backup.under_way))


@TRACKERS.gate("V392", "spec", _GATE)
def trackers_need_their_gate(tracker: Write[Tracker]) -> Iterator[Place]:
    """Always."""
    yield at()


def validate_backup(
    obj: Plain,
    user: User,
    cluster: ClusterConfig,
    *,
    names: frozenset[str] = frozenset(),
    under_way: tuple[str, ...] = (),
) -> Verdict:
    """A new backup. names, under_way: as ``NewBackup`` has them."""
    stored = stored_only("virtualmachinebackups.backup.kubevirt.io")
    return examined(
        obj,
        None,
        Backup,
        lambda now, old: judged(BACKUPS, NewBackup(now, old, user, cluster, names, under_way), stored=stored),
    )


def validate_backup_tracker(obj: Plain, user: User, cluster: ClusterConfig) -> Verdict:
    """A new tracker."""
    stored = stored_only("virtualmachinebackuptrackers.backup.kubevirt.io")
    return examined(
        obj,
        None,
        Tracker,
        lambda now, old: judged(TRACKERS, Write(now, old, user, cluster), stored=stored),
    )
