"""All tables of defaults and rules; RULES.md and the tests read what stands here."""

from typing import Any

from virtdeck.gateway.admission.default import Defaults
from virtdeck.gateway.admission.defaults import identity, presets, status, vmi
from virtdeck.gateway.admission.kinds import (
    backup,
    clone,
    eviction,
    export,
    kubevirt,
    launcher_pod,
    migration,
    migration_policy,
    plugin,
    pool,
    preset,
    replica_set,
    restore,
    snapshot,
)
from virtdeck.gateway.admission.rule import Rules
from virtdeck.gateway.admission.rules import (
    VM_RULES,
    VMI_CHANGE_RULES,
    VMI_RULES,
    metadata,
    power,
    texts,
    unheeded,
    volume_requests,
)
from virtdeck.gateway.admission.unknown import RULES as UNKNOWN

DEFAULTS: tuple[Defaults[Any], ...] = (
    identity.DEFAULTS,
    presets.DEFAULTS,
    vmi.SPEC,
    status.DEFAULTS,
    status.CHANGED,
    migration.DEFAULTS,
    clone.DEFAULTS,
)
RULES: tuple[Rules[Any], ...] = (
    metadata.NAMES,
    UNKNOWN,
    VMI_RULES,
    texts.RULES,
    unheeded.WARNINGS,
    VM_RULES,
    power.WARNINGS,
    power.PROTECTION,
    volume_requests.RULES,
    VMI_CHANGE_RULES,
    replica_set.RULES,
    pool.RULES,
    preset.RULES,
    presets.RULES,
    migration.CREATE,
    migration.UPDATE,
    migration_policy.RULES,
    clone.RULES,
    snapshot.CREATE,
    snapshot.UPDATE,
    restore.CREATE,
    restore.UPDATE,
    backup.BACKUPS,
    backup.TRACKERS,
    export.CREATE,
    export.UPDATE,
    plugin.RULES,
    kubevirt.ALL,
    kubevirt.DELETE,
    launcher_pod.RULES,
    eviction.RULES,
)
