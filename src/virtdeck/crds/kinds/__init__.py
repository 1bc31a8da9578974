"""The kinds that virtdeck speaks of: where they are served, how they are listed, which type they are.

One module an API group of ours, each with its ``KINDS``; Kubernetes' own stand together in ``kubernetes``.
A kind's Struct is loaded when it is first asked for, so that naming a kind costs nothing. What a kind's
fields mean stands with its Struct, what its CRD looks like in ``crds.manifests``.
"""

from collections.abc import Iterator
from typing import Any

from virtdeck.crds.kinds import (
    backup,
    clone,
    export,
    instancetype,
    kubernetes,
    kubevirt,
    migrations,
    plugin,
    pool,
    snapshot,
    template,
)
from virtdeck.crds.kinds.backup import BACKUP, BACKUP_TRACKER
from virtdeck.crds.kinds.clone import CLONE
from virtdeck.crds.kinds.export import EXPORT
from virtdeck.crds.kinds.instancetype import (
    CLUSTER_INSTANCETYPE,
    CLUSTER_PREFERENCE,
    INSTANCETYPE,
    PREFERENCE,
)
from virtdeck.crds.kinds.kind import Column, Kind, Scale, Version
from virtdeck.crds.kinds.kubernetes import (
    API_SERVICE,
    CLAIM,
    CLUSTER_ROLE,
    CLUSTER_ROLE_BINDING,
    CONFIG_MAP,
    CONTROLLER_REVISION,
    CRD,
    EVENT,
    LEASE,
    MUTATING_WEBHOOKS,
    NAMESPACE,
    NODE,
    POD,
    PRIORITY_CLASS,
    ROLE,
    ROLE_BINDING,
    SECRET,
    SERVICE,
    SERVICE_ACCOUNT,
    SUBJECT_ACCESS_REVIEW,
    TOKEN_REVIEW,
    VALIDATING_WEBHOOKS,
)
from virtdeck.crds.kinds.kubevirt import KUBEVIRT, MIGRATION, PRESET, REPLICA_SET, VM, VMI
from virtdeck.crds.kinds.migrations import MIGRATION_POLICY
from virtdeck.crds.kinds.plugin import PLUGIN
from virtdeck.crds.kinds.pool import POOL
from virtdeck.crds.kinds.snapshot import RESTORE, SNAPSHOT, SNAPSHOT_CONTENT
from virtdeck.crds.kinds.template import TEMPLATE, TEMPLATE_REQUEST

__all__ = [
    "API_SERVICE",
    "BACKUP",
    "BACKUP_TRACKER",
    "CLAIM",
    "CLONE",
    "CLUSTER_INSTANCETYPE",
    "CLUSTER_PREFERENCE",
    "CLUSTER_ROLE",
    "CLUSTER_ROLE_BINDING",
    "CONFIG_MAP",
    "CONTROLLER_REVISION",
    "CRD",
    "CUSTOM",
    "EVENT",
    "EXPORT",
    "INSTANCETYPE",
    "KUBEVIRT",
    "LEASE",
    "MIGRATION",
    "MIGRATION_POLICY",
    "MUTATING_WEBHOOKS",
    "NAMESPACE",
    "NODE",
    "PLUGIN",
    "POD",
    "POOL",
    "PREFERENCE",
    "PRESET",
    "PRIORITY_CLASS",
    "REPLICA_SET",
    "RESTORE",
    "ROLE",
    "ROLE_BINDING",
    "SECRET",
    "SERVICE",
    "SERVICE_ACCOUNT",
    "SNAPSHOT",
    "SNAPSHOT_CONTENT",
    "SUBJECT_ACCESS_REVIEW",
    "TEMPLATE",
    "TEMPLATE_REQUEST",
    "TOKEN_REVIEW",
    "VALIDATING_WEBHOOKS",
    "VM",
    "VMI",
    "Column",
    "Kind",
    "Scale",
    "Version",
    "find_kind",
    "kinds",
]

CUSTOM: tuple[Kind[Any], ...] = (
    *kubevirt.KINDS,
    *pool.KINDS,
    *migrations.KINDS,
    *instancetype.KINDS,
    *snapshot.KINDS,
    *clone.KINDS,
    *export.KINDS,
    *backup.KINDS,
    *template.KINDS,
    *plugin.KINDS,
)
"""The kinds that virtdeck brings; each has a CRD."""


def kinds() -> Iterator[Kind[Any]]:
    """Every kind, ours first."""
    yield from CUSTOM
    yield from kubernetes.KINDS


def find_kind(api_version: str, kind: str) -> Kind[Any] | None:
    """The kind that an object's ``apiVersion`` and ``kind`` name, older versions included."""
    group, _, version = api_version.rpartition("/")
    for known in kinds():
        if known.group == group and known.kind == kind and version in (known.version, *known.older_versions):
            return known
    return None
