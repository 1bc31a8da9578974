"""VirtualMachineSnapshot: of what one can be taken."""

from collections.abc import Iterator

from virtdeck.crds.plain import Plain
from virtdeck.crds.snapshot.snapshot import VirtualMachineSnapshot as Snapshot
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.kinds.write import Write, examined, judged
from virtdeck.gateway.admission.rule import FORBIDDEN, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.stored_only import stored_only
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User

CREATE: Rules[Write[Snapshot]] = Rules("Snapshot, new")
UPDATE: Rules[Write[Snapshot]] = Rules("Snapshot, changed")


@CREATE.gate("V371", "spec", "Snapshot")
def snapshots_need_their_gate(snapshot: Write[Snapshot]) -> Iterator[Place]:
    """Always."""
    yield at()


@CREATE.rule("V372", "spec.source.apiGroup", REQUIRED, "must be kubevirt.io")
def source_has_a_group(snapshot: Write[Snapshot]) -> Iterator[Place]:
    """It is absent."""
    if not snapshot.obj.spec.source.api_group:
        yield at()


@CREATE.choice("V373", "spec.source.apiGroup", "kubevirt.io")
def source_is_of_kubevirt(snapshot: Write[Snapshot]) -> Iterator[Place]:
    """It is another group."""
    yield at(value=snapshot.obj.spec.source.api_group)


@CREATE.choice("V374", "spec.source.kind", "VirtualMachine")
def source_is_a_machine(snapshot: Write[Snapshot]) -> Iterator[Place]:
    """It is another kind."""
    yield at(value=snapshot.obj.spec.source.kind)


@CREATE.rule("", "spec.source.name", REQUIRED, "must name a VirtualMachine of this namespace")
def source_of_a_snapshot_has_a_name(snapshot: Write[Snapshot]) -> Iterator[Place]:
    """It is empty."""
    if not snapshot.obj.spec.source.name:
        yield at()


@CREATE.choice("", "spec.deletionPolicy", "Delete", "Retain")
def deletion_is_known(snapshot: Write[Snapshot]) -> Iterator[Place]:
    """It is another word."""
    yield at(value=snapshot.obj.spec.deletion_policy)


@UPDATE.rule("V375", "spec", FORBIDDEN, "cannot be changed; take another snapshot")
def spec_stays(snapshot: Write[Snapshot]) -> Iterator[Place]:
    """It is another than it was."""
    if snapshot.old is not None and snapshot.obj.spec != snapshot.old.spec:
        yield at()


def validate_snapshot(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """A snapshot, new or changed."""

    def verdict(now: Snapshot, before: Snapshot | None) -> Verdict:
        write = Write(now, before, user, cluster)
        if old is not None:
            return judged(UPDATE, write)
        return judged(CREATE, write, stored=stored_only("virtualmachinesnapshots.snapshot.kubevirt.io"))

    return examined(obj, old, Snapshot, verdict)
