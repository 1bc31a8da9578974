"""MigrationPolicy: settings for the migrations of the guests that it selects."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.kubevirt.migration_status import ExperimentalMigrationOptions
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Quantity


class Selectors(Model, frozen=True, kw_only=True):
    """Which guests; labels must all be there, and without any label every guest is meant."""

    namespace_selector: Annotated[
        dict[str, str] | None, doc("Labels that the namespace of the VMI must have.")
    ] = None
    virtual_machine_instance_selector: Annotated[
        dict[str, str] | None, doc("Labels that the VMI must have.")
    ] = None


class MigrationPolicySpec(Model, frozen=True, kw_only=True):
    """Which guests, and how they are migrated; what is absent is as the cluster's configuration says."""

    allow_auto_converge: Annotated[
        bool | None,
        doc(
            "A guest that writes memory faster than it can be sent is slowed down until the migration can "
            "end. false in a configuration that says nothing."
        ),
    ] = None
    allow_post_copy: Annotated[
        bool | None,
        doc(
            "When completionTimeoutPerGiB is over, the guest goes on at the target and fetches the rest "
            "of its memory from there; if a node or the network fails then, the guest is lost. false in a "
            "configuration that says nothing; not for guests with host devices."
        ),
    ] = None
    allow_workload_disruption: Annotated[
        bool | None,
        doc(
            "When completionTimeoutPerGiB is over, the migration is brought to its end by post-copy if "
            "allowPostCopy is set and by pausing the guest else, instead of being given up. As "
            "allowPostCopy when absent."
        ),
    ] = None
    bandwidth_per_migration: Annotated[
        Quantity | None,
        doc("The most that one migration may send in a second, in bytes, as 64Mi; 0 is without limit."),
    ] = None
    completion_timeout_per_gib: Annotated[
        int | None,
        doc(
            "Seconds for each GiB of memory and migrated disk, after which the migration is given up, or "
            "brought to its end when allowWorkloadDisruption says so. 150 in a configuration that says "
            "nothing; 0 or more."
        ),
    ] = field(default=None, name="completionTimeoutPerGiB")
    experimental: Annotated[
        ExperimentalMigrationOptions | None,
        doc("Settings that may change or go in any release; each needs its feature gate."),
    ] = None
    max_downtime_ms: Annotated[
        int | None,
        doc(
            "How long the guest may stand still when it changes over, in milliseconds; more lets a busy "
            "guest's migration end sooner. 900 in a configuration that says nothing. Excludes "
            "experimental.downtimeTuning."
        ),
    ] = None
    selectors: Annotated[
        Selectors,
        doc(
            "Which guests. Of several policies that select a guest the one with the most matching labels "
            "applies; of equals the first by name."
        ),
    ]


class MigrationPolicyStatus(Model, frozen=True, kw_only=True):
    """Nothing yet."""


class MigrationPolicy(Model, frozen=True, kw_only=True):
    """Settings for the migrations of the guests that it selects, in place of the cluster's.

    Which policy a migration followed stands in its status.migrationState.migrationPolicyName.
    """

    api_version: Annotated[
        str | None, doc("Group and version of the API: migrations.kubevirt.io/v1alpha1.")
    ] = None
    kind: Annotated[str | None, doc("Kind of the object: MigrationPolicy.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[MigrationPolicySpec, doc("Which guests, and how they are migrated.")]
    status: Annotated[MigrationPolicyStatus, doc("Nothing yet.")] = MigrationPolicyStatus()
