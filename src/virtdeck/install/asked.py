"""Which writes of which kinds virt-api is asked about, and at which path: one row a webhook.

A path is the kind's plural and what is done; where creating and changing have rules of their own, they have
webhooks of their own, as KubeVirt's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from virtdeck.crds.kinds import (
    BACKUP,
    BACKUP_TRACKER,
    CLONE,
    CLUSTER_INSTANCETYPE,
    CLUSTER_PREFERENCE,
    EXPORT,
    INSTANCETYPE,
    KUBEVIRT,
    MIGRATION,
    MIGRATION_POLICY,
    PLUGIN,
    POOL,
    PREFERENCE,
    PRESET,
    REPLICA_SET,
    RESTORE,
    SNAPSHOT,
    SNAPSHOT_CONTENT,
    TEMPLATE,
    TEMPLATE_REQUEST,
    VM,
    VMI,
    Kind,
)

CREATE, UPDATE, DELETE = ("CREATE",), ("UPDATE",), ("DELETE",)
BOTH = (*CREATE, *UPDATE)


@dataclass(frozen=True)
class Asked:
    """One webhook of a kind."""

    kind: Kind[Any]
    name: str
    path: str
    operations: Sequence[str]
    subresource: str = ""
    only: Mapping[str, Any] = field(default_factory=dict)
    """Words of the webhook that narrow what it is asked about: ``objectSelector``, ``matchConditions``."""

    @property
    def rule(self) -> dict[str, Any]:
        """As a webhook configuration spells it."""
        return {
            "apiGroups": [self.kind.group],
            "apiVersions": [self.kind.version, *self.kind.older_versions],
            "operations": list(self.operations),
            "resources": [f"{self.kind.plural}/{self.subresource}" if self.subresource else self.kind.plural],
            "scope": self.kind.scope,
        }


def _completed(kind: Kind[Any], operations: Sequence[str], part: str = "") -> Asked:
    return Asked(kind, f"{kind.plural}{part}-mutator", f"/{kind.plural}-mutate{part}", operations)


def _checked(kind: Kind[Any], operations: Sequence[str], part: str = "") -> Asked:
    return Asked(kind, f"{kind.plural}{part}-validator", f"/{kind.plural}-validate{part}", operations)


# Only what carries the label is asked about, so that nothing else waits for virt-api to be deleted.
_PROTECTED = {"matchExpressions": [{"key": "kubevirt.io/vm-delete-protection", "operator": "Exists"}]}
_ASKS_FOR_VOLUMES = "has(object.status) && has(object.status.volumeRequests)"

MUTATING: tuple[Asked, ...] = (
    _completed(VM, BOTH),
    _completed(VMI, BOTH),
    _completed(MIGRATION, CREATE, "-create"),
    _completed(CLONE, CREATE, "-create"),
)

VALIDATING: tuple[Asked, ...] = (
    _checked(VM, BOTH),
    Asked(
        VM,
        f"{VM.plural}-status-validator",
        f"/{VM.plural}-validate-status",
        UPDATE,
        subresource="status",
        only={"matchConditions": [{"name": "asks-for-volumes", "expression": _ASKS_FOR_VOLUMES}]},
    ),
    Asked(
        VM,
        f"{VM.plural}-delete-validator",
        f"/{VM.plural}-validate-delete",
        DELETE,
        only={"objectSelector": _PROTECTED},
    ),
    _checked(VMI, CREATE, "-create"),
    _checked(VMI, UPDATE, "-update"),
    _checked(REPLICA_SET, BOTH),
    _checked(POOL, BOTH),
    _checked(PRESET, BOTH),
    _checked(MIGRATION, CREATE, "-create"),
    _checked(MIGRATION, UPDATE, "-update"),
    _checked(MIGRATION_POLICY, BOTH),
    _checked(INSTANCETYPE, BOTH),
    _checked(CLUSTER_INSTANCETYPE, BOTH),
    _checked(PREFERENCE, BOTH),
    _checked(CLUSTER_PREFERENCE, BOTH),
    _checked(SNAPSHOT, BOTH),
    _checked(SNAPSHOT_CONTENT, CREATE),
    _checked(RESTORE, CREATE, "-create"),
    _checked(RESTORE, UPDATE, "-update"),
    _checked(CLONE, BOTH),
    _checked(EXPORT, BOTH),
    _checked(BACKUP, CREATE),
    _checked(BACKUP_TRACKER, CREATE),
    _checked(PLUGIN, BOTH),
    _checked(TEMPLATE, BOTH),
    _checked(TEMPLATE_REQUEST, CREATE),
    _checked(KUBEVIRT, CREATE, "-create"),
    _checked(KUBEVIRT, UPDATE, "-update"),
    _checked(KUBEVIRT, DELETE, "-delete"),
)
