"""What rules need to know of other objects, read with virt-api's own rights when it is asked.

A cache would be a moment behind: a migration that was just made must be seen by the next one.
"""

from typing import Any

from virtdeck.crds.backup.backup import VirtualMachineBackup
from virtdeck.crds.codec import to_dict
from virtdeck.crds.kinds import BACKUP, MIGRATION, REPLICA_SET, RESTORE, SNAPSHOT, SNAPSHOT_CONTENT, VM, VMI
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.plain import Plain
from virtdeck.gateway.admission.kinds.migration import FINAL, VMI_LABEL
from virtdeck.gateway.admission.kinds.restore import keeps_state
from virtdeck.gateway.admission.words import is_label_value
from virtdeck.kube.client import Client

_DONE = ("Complete", "Failed")


class Surroundings:
    """One question a kind; what an object does not name is not asked for."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def of_migration(self, obj: Plain, namespace: str) -> dict[str, Any]:
        """The VMI that is to move, and its migrations that have not ended."""
        name = _text(obj, "spec", "vmiName")
        if not name or not is_label_value(name):
            return {"vmi": None, "under_way": ()}
        vmi: VirtualMachineInstance | None = await self._client.get(VMI, name, namespace)
        found = await self._client.list(MIGRATION, namespace, label_selector=f"{VMI_LABEL}={name}")
        under_way = tuple(one.metadata.name for one in found if one.status.phase not in FINAL)
        return {"vmi": vmi, "under_way": under_way}

    async def of_restore(self, obj: Plain, namespace: str) -> dict[str, Any]:
        """Other restores of the same target that have not ended, and whether state would go elsewhere."""
        target = (obj.get("spec") or {}).get("target")
        under_way = tuple(
            one.metadata.name
            for one in await self._client.list(RESTORE, namespace)
            if to_dict(one.spec.target) == target and not (one.status and one.status.complete)
        )
        return {"under_way": under_way, "takes_state_elsewhere": await self._takes_state(obj, namespace)}

    async def of_backup(self, obj: Plain, namespace: str) -> dict[str, Any]:
        """Names of the namespace's backups, and those of the same source that have not ended."""
        source = (obj.get("spec") or {}).get("source")
        found = await self._client.list(BACKUP, namespace)
        under_way = tuple(
            one.metadata.name for one in found if to_dict(one.spec.source) == source and not _is_done(one)
        )
        return {"names": frozenset(one.metadata.name for one in found), "under_way": under_way}

    async def replica_sets(self) -> int:
        """How many there are."""
        return len(list(await self._client.list(REPLICA_SET)))

    async def _takes_state(self, obj: Plain, namespace: str) -> bool:
        """The snapshot's machine keeps state of its own, and the target is another one, or none yet."""
        name, target = _text(obj, "spec", "virtualMachineSnapshotName"), _text(obj, "spec", "target", "name")
        snapshot = await self._client.get(SNAPSHOT, name, namespace) if name and target else None
        if snapshot is None or snapshot.status is None or not target:
            return False
        machine = await self._client.get(VM, target, namespace)
        content_name = snapshot.status.virtual_machine_snapshot_content_name
        is_own = machine is not None and machine.metadata.uid == snapshot.status.source_uid
        if is_own or not content_name:
            return False
        content = await self._client.get(SNAPSHOT_CONTENT, content_name, namespace)
        saved = content.spec.source.virtual_machine if content else None
        return saved is not None and saved.spec is not None and keeps_state(saved.spec)


def _is_done(backup: VirtualMachineBackup) -> bool:
    conditions = (backup.status.conditions if backup.status else None) or ()
    return any(one.type in _DONE and one.status == "True" for one in conditions)


def _text(obj: Any, *path: str) -> str | None:
    """The text at a path that may lead nowhere."""
    value = obj
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) else None
