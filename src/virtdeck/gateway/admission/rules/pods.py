"""Pods that say they are launchers: only virt-controller makes them (S-12)."""

from collections.abc import Iterator
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.verdict import forbidden
from virtdeck.gateway.auth.user import User

CONTROLLER = "kubevirt-controller"
OUR_LABELS = ("kubevirt.io", "kubevirt.io/created-by", "kubevirt.io/migrationJobUID", "vm.kubevirt.io/name")
_OUR_OWNERS = ("VirtualMachineInstance", "VirtualMachine")


def launcher_pod_is_ours(
    obj: dict[str, Any], old: dict[str, Any] | None, user: User, cluster: ClusterConfig
) -> Iterator[Cause]:
    """Others may neither make such a pod nor turn one of theirs into it; the rest is no affair of ours."""
    if cluster.is_component(user, CONTROLLER):
        return
    now, before = _metadata(obj), _metadata(old)
    for label in OUR_LABELS:
        if _labels(now).get(label) != _labels(before).get(label):
            yield forbidden(f"metadata.labels[{label}]", "is set by virt-controller alone; use another label")
    if _owners(now) != _owners(before):
        yield forbidden(
            "metadata.ownerReferences", "only virt-controller makes pods that belong to a virtual machine"
        )


def _metadata(obj: dict[str, Any] | None) -> dict[str, Any]:
    found = (obj or {}).get("metadata")
    return found if isinstance(found, dict) else {}


def _labels(metadata: dict[str, Any]) -> dict[str, Any]:
    found = metadata.get("labels")
    return found if isinstance(found, dict) else {}


def _owners(metadata: dict[str, Any]) -> list[Any]:
    """The owners that are virtual machines, in one order."""
    found = metadata.get("ownerReferences")
    owners = [owner for owner in found if isinstance(owner, dict)] if isinstance(found, list) else []
    ours = [owner for owner in owners if owner.get("kind") in _OUR_OWNERS]
    return sorted((str(owner.get("kind")), str(owner.get("uid"))) for owner in ours)
