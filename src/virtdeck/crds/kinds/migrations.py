"""The kind of ``migrations.kubevirt.io``."""

from typing import TYPE_CHECKING, Any

from virtdeck.crds.kinds.kind import Kind

if TYPE_CHECKING:
    from virtdeck.crds.migrations.policy import MigrationPolicy

MIGRATION_POLICY: "Kind[MigrationPolicy]" = Kind(
    "migrations.kubevirt.io",
    "v1alpha1",
    "migrationpolicies",
    "MigrationPolicy",
    "migrations.policy:MigrationPolicy",
    namespaced=False,
    subresources=("status",),
    users="look",
)

KINDS: tuple[Kind[Any], ...] = (MIGRATION_POLICY,)
