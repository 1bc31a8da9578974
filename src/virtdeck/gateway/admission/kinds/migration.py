"""VirtualMachineInstanceMigration: what may be asked to move, and what may change while it does."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

from virtdeck.crds.conditions import LIVE_MIGRATABLE
from virtdeck.crds.kubevirt.migration import VirtualMachineInstanceMigration as Migration
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.plain import Plain, part
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.default import Defaults
from virtdeck.gateway.admission.kinds.write import Write, examined, is_readable, judged
from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, NOT_FOUND, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.stored_only import stored_only
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User

VMI_LABEL = "kubevirt.io/vmi-name"
FINALIZER = "kubevirt.io/migrationJobFinalize"
FINAL = ("Succeeded", "Failed")
_DISKS = "DisksNotLiveMigratable"
_CONTROLLER = "kubevirt-controller"


@dataclass(frozen=True)
class NewMigration(Write[Migration]):
    """vmi: the one that is to move, None if there is none. under_way: its migrations that go on."""

    vmi: VirtualMachineInstance | None = None
    under_way: tuple[str, ...] = ()

    @property
    def vmi_name(self) -> str:
        return self.obj.spec.vmi_name or ""

    @property
    def is_decentralized(self) -> bool:
        return self.obj.spec.send_to is not None or self.obj.spec.receive is not None


CREATE: Rules[NewMigration] = Rules("Migration, new")
UPDATE: Rules[Write[Migration]] = Rules("Migration, changed")
DEFAULTS: Defaults[Plain] = Defaults("Migration")


@CREATE.rule("V340", "spec.vmiName", REQUIRED, "must name a VirtualMachineInstance of this namespace")
def vmi_is_named(migration: NewMigration) -> Iterator[Place]:
    """It is empty."""
    if not migration.vmi_name:
        yield at()


@CREATE.rule("V341", "spec.vmiName", NOT_FOUND, "{name!r} is no VirtualMachineInstance of this namespace")
def vmi_exists(migration: NewMigration) -> Iterator[Place]:
    """There is none of that name."""
    if migration.vmi_name and migration.vmi is None:
        yield at(name=migration.vmi_name)


@CREATE.rule("V342", "spec.vmiName", FORBIDDEN, "has ended ({phase}); only a running guest can move")
def vmi_has_not_ended(migration: NewMigration) -> Iterator[Place]:
    """Its phase is final."""
    if migration.vmi is not None and migration.vmi.status.phase in FINAL:
        yield at(phase=migration.vmi.status.phase)


@CREATE.rule("V343", "spec.vmiName", FORBIDDEN, "cannot move: {why}")
def vmi_can_move(migration: NewMigration) -> Iterator[Place]:
    """Its condition LiveMigratable is False; disks do not matter where they are copied to another cluster."""
    for condition in (migration.vmi.status.conditions if migration.vmi else None) or ():
        excused = migration.is_decentralized and condition.reason == _DISKS
        if condition.type == LIVE_MIGRATABLE and condition.status == "False" and not excused:
            yield at(why=condition.message or condition.reason or "LiveMigratable is False")


@CREATE.rule("V344", "spec.vmiName", FORBIDDEN, "is moved by the migration {name} already; wait for its end")
def vmi_rests(migration: NewMigration) -> Iterator[Place]:
    """Another migration of it has not ended."""
    if migration.under_way:
        yield at(name=min(migration.under_way))


@CREATE.rule("V345", "spec.priority", FORBIDDEN, "is chosen by virt-controller; remove it")
def priority_is_ours(migration: NewMigration) -> Iterator[Place]:
    """Somebody else gives one."""
    if migration.obj.spec.priority and not migration.cluster.is_component(migration.user, _CONTROLLER):
        yield at()


@CREATE.gate("V346", "spec.{sendTo|receive}", "DecentralizedLiveMigration")
def other_clusters_need_their_gate(migration: NewMigration) -> Iterator[Place]:
    """The guest goes to, or comes from, another cluster or namespace."""
    for name, given in (("sendTo", migration.obj.spec.send_to), ("receive", migration.obj.spec.receive)):
        if given is not None:
            yield at(name)


@CREATE.rule("V347", "spec.receive.migrationID", INVALID, "must equal sendTo.migrationID, {id!r}")
def one_move_has_one_id(migration: NewMigration) -> Iterator[Place]:
    """Both sides are given with different ids."""
    sent, received = migration.obj.spec.send_to, migration.obj.spec.receive
    if sent and received and sent.migration_id != received.migration_id:
        yield at(id=sent.migration_id)


@UPDATE.rule("V348", "spec", FORBIDDEN, "cannot be changed; delete the migration and make another")
def spec_stays(migration: Write[Migration]) -> Iterator[Place]:
    """It is another than it was."""
    if migration.old is not None and migration.obj.spec != migration.old.spec:
        yield at()


@UPDATE.rule("V349", "metadata.labels[]", FORBIDDEN, "cannot be removed while the migration is under way")
def label_is_not_removed(migration: Write[Migration]) -> Iterator[Place]:
    """The migrations of a VMI are found by this label."""
    before, now = _labels(migration.old), _labels(migration.obj)
    if _is_under_way(migration.obj) and VMI_LABEL in before and VMI_LABEL not in now:
        yield at(VMI_LABEL)


@UPDATE.rule("V350", "metadata.labels[]", FORBIDDEN, "cannot be changed while the migration is under way")
def label_stays(migration: Write[Migration]) -> Iterator[Place]:
    """The migrations of a VMI are found by this label."""
    before, now = _labels(migration.old), _labels(migration.obj)
    if _is_under_way(migration.obj) and now.get(VMI_LABEL, before.get(VMI_LABEL)) != before.get(VMI_LABEL):
        yield at(VMI_LABEL)


@DEFAULTS.fills("D40", "metadata.labels, metadata.finalizers", f"{VMI_LABEL}: spec.vmiName; {FINALIZER}")
def fill_label_and_finalizer(migration: Plain) -> None:
    """Always; the finalizer only where something acts on migrations, for nobody else takes it off."""
    metadata = part(migration, "metadata")
    name = (migration.get("spec") or {}).get("vmiName")
    if name:
        part(metadata, "labels")[VMI_LABEL] = name
    if not stored_only(_KIND) and FINALIZER not in (metadata.get("finalizers") or ()):
        metadata["finalizers"] = [*(metadata.get("finalizers") or ()), FINALIZER]


def mutate_migration(obj: Plain) -> Plain:
    """The migration as it is to be stored when it is new. What cannot be read is left to the API server."""
    if not is_readable(obj, Migration):
        return obj
    migration = deepcopy(obj)
    DEFAULTS.fill(migration)
    return migration


def validate_migration_create(
    obj: Plain,
    user: User,
    cluster: ClusterConfig,
    *,
    vmi: VirtualMachineInstance | None = None,
    under_way: tuple[str, ...] = (),
) -> Verdict:
    """vmi: the one that spec.vmiName names. under_way: names of its migrations that have not ended."""
    return examined(
        obj,
        None,
        Migration,
        lambda now, old: judged(
            CREATE, NewMigration(now, old, user, cluster, vmi, under_way), stored=stored_only(_KIND)
        ),
    )


def validate_migration_update(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """What may change of a migration."""
    return examined(
        obj, old, Migration, lambda now, before: judged(UPDATE, Write(now, before, user, cluster))
    )


_KIND = "virtualmachineinstancemigrations.kubevirt.io"


def _labels(migration: Migration | None) -> dict[str, str]:
    return (migration.metadata.labels if migration else None) or {}


def _is_under_way(migration: Migration) -> bool:
    return migration.status.phase not in FINAL
