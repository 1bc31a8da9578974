"""VirtualMachineInstanceMigration: the wish that a running guest moves to another node, once."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.kubevirt.migration_status import VirtualMachineInstanceMigrationState
from virtdeck.crds.meta import Condition, ObjectMeta
from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Time


class VirtualMachineInstanceMigrationSource(Model, frozen=True, kw_only=True):
    """Where a guest goes that leaves the cluster."""

    connect_url: Annotated[
        str,
        doc(
            "Host and port of the synchronization controller in the cluster that receives the guest, from "
            "status.synchronizationAddresses of the migration there."
        ),
    ] = field(name="connectURL")
    migration_id: Annotated[
        str, doc("The migrationID of the migration that receives the guest; the two find each other by it.")
    ] = field(name="migrationID")


class VirtualMachineInstanceMigrationTarget(Model, frozen=True, kw_only=True):
    """How a guest is recognised that comes from elsewhere."""

    migration_id: Annotated[
        str,
        doc(
            "Name of the move, the same on both sides; a text of your own that no other move has, as a UUID."
        ),
    ] = field(name="migrationID")


class VirtualMachineInstanceMigrationSpec(Model, frozen=True, kw_only=True):
    """Which guest moves, and where to; it cannot be changed once the object is there."""

    added_node_selector: Annotated[
        dict[str, str] | None,
        doc(
            "Labels that the target node must have besides those that the VMI asks for. They can narrow "
            "the choice, not widen it."
        ),
    ] = None
    priority: Annotated[
        str | None,
        doc(
            "Place in the queue of migrations: system-critical (100), user-triggered (50) or "
            "system-maintenance (20); 0 when absent. Only virt-controller may set it."
        ),
    ] = None
    receive: Annotated[
        VirtualMachineInstanceMigrationTarget | None,
        doc(
            "The guest comes from another namespace or cluster. Together with sendTo only with one "
            "migrationID."
        ),
    ] = None
    send_to: Annotated[
        VirtualMachineInstanceMigrationSource | None,
        doc("The guest goes to another namespace or cluster; absent for a move within the cluster."),
    ] = None
    vmi_name: Annotated[
        str | None,
        doc(
            "Name of the VMI that moves, in this namespace. It must run and have the condition "
            "LiveMigratable."
        ),
    ] = None


class VirtualMachineInstanceMigrationPhaseTransitionTimestamp(Model, frozen=True, kw_only=True):
    """When the migration came into a phase."""

    phase: Annotated[str | None, doc("The phase.")] = None
    phase_transition_timestamp: Annotated[Time | None, doc("When it began.")] = None


class VirtualMachineInstanceMigrationStatus(Model, frozen=True, kw_only=True):
    """How far the move is."""

    conditions: Annotated[
        tuple[Condition, ...] | None,
        doc(
            "migrationAbortRequested, migrationRejectedByResourceQuota, migrationBlockedByUtilityVolumes, "
            "migrationBlockedByBackup, decentralizedMigrationBlocked."
        ),
    ] = None
    migration_state: Annotated[
        VirtualMachineInstanceMigrationState | None,
        doc("What was known of the move when it ended: nodes, pods, times, settings and why it failed."),
    ] = None
    phase: Annotated[
        str | None,
        doc(
            "Pending, Scheduling, Scheduled, PreparingTarget, TargetReady, Running, then Succeeded or "
            "Failed; WaitingForSync and Synchronizing between clusters."
        ),
    ] = None
    phase_transition_timestamps: Annotated[
        tuple[VirtualMachineInstanceMigrationPhaseTransitionTimestamp, ...] | None,
        doc("When it came into each phase."),
    ] = None
    synchronization_addresses: Annotated[
        tuple[str, ...] | None,
        doc("Host and port where another cluster reaches this one; they go into connectURL there."),
    ] = None


class VirtualMachineInstanceMigration(Model, frozen=True, kw_only=True):
    """Moves a running guest to another node without stopping it, once.

    Deleting the object while it is under way cancels the move; the guest stays where it is.
    """

    api_version: Annotated[str | None, doc("Group and version of the API: kubevirt.io/v1.")] = None
    kind: Annotated[str | None, doc("Kind of the object: VirtualMachineInstanceMigration.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[
        VirtualMachineInstanceMigrationSpec, doc("Which guest moves, and where to; it cannot be changed.")
    ]
    status: Annotated[
        VirtualMachineInstanceMigrationStatus, doc("How far the move is; written by virt-controller.")
    ] = VirtualMachineInstanceMigrationStatus()
