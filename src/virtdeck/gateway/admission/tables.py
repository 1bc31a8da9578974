"""All tables of defaults and rules; RULES.md and the tests read what stands here."""

from typing import Any

from virtdeck.gateway.admission.default import Defaults
from virtdeck.gateway.admission.defaults import identity, presets, status, vmi
from virtdeck.gateway.admission.defaults import matchers as named
from virtdeck.gateway.admission.kinds import (
    backup,
    clone,
    eviction,
    export,
    instancetype,
    kubevirt,
    launcher_pod,
    migration,
    migration_policy,
    plugin,
    pool,
    preference,
    preset,
    replica_set,
    restore,
    snapshot,
    template,
)
from virtdeck.gateway.admission.rule import Rules
from virtdeck.gateway.admission.rules import (
    VM_RULES,
    VMI_CHANGE_RULES,
    VMI_RULES,
    exposed,
    matchers,
    metadata,
    power,
    texts,
    unheeded,
    volume_requests,
)
from virtdeck.gateway.admission.unknown import RULES as UNKNOWN

DEFAULTS: tuple[Defaults[Any], ...] = (
    named.INFERRED,
    named.DEFAULTS,
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
    exposed.WARNINGS,
    VM_RULES,
    matchers.RULES,
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
    template.RULES,
    instancetype.RULES,
    preference.RULES,
    kubevirt.ALL,
    kubevirt.DELETE,
    launcher_pod.RULES,
    eviction.RULES,
)
