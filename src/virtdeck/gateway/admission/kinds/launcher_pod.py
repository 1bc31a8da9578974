"""Pods that say they are launchers: only virt-controller makes them (S-12)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from virtdeck.crds.plain import Plain
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.rule import FORBIDDEN, Place, Rules, at
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User

CONTROLLER = "kubevirt-controller"
OUR_LABELS = ("kubevirt.io", "kubevirt.io/created-by", "kubevirt.io/migrationJobUID", "vm.kubevirt.io/name")
_OUR_OWNERS = ("VirtualMachineInstance", "VirtualMachine")


@dataclass(frozen=True)
class PodWrite:
    """A pod's metadata now and before, as JSON has them: the rest of a pod is no affair of ours."""

    now: Plain
    before: Plain
    user: User
    cluster: ClusterConfig

    @property
    def is_ours(self) -> bool:
        return self.cluster.is_component(self.user, CONTROLLER)


RULES: Rules[PodWrite] = Rules("Pod")


@RULES.rule("", "metadata.labels[]", FORBIDDEN, "is set by virt-controller alone; use another label")
def launcher_labels_are_ours(pod: PodWrite) -> Iterator[Place]:
    """It changes, and the author is not virt-controller."""
    for label in () if pod.is_ours else OUR_LABELS:
        if _labels(pod.now).get(label) != _labels(pod.before).get(label):
            yield at(label)


@RULES.rule(
    "",
    "metadata.ownerReferences",
    FORBIDDEN,
    "only virt-controller makes pods that belong to a virtual machine",
)
def launcher_owners_are_ours(pod: PodWrite) -> Iterator[Place]:
    """An owner that is a VM or VMI comes or goes, and the author is not virt-controller."""
    if not pod.is_ours and _owners(pod.now) != _owners(pod.before):
        yield at()


def validate_launcher_pod(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """Others may neither make such a pod nor turn one of theirs into it."""
    causes = tuple(RULES.ask(PodWrite(_metadata(obj), _metadata(old), user, cluster)))
    return Verdict(causes, forbidden=bool(causes))


def _metadata(obj: Plain | None) -> Plain:
    found = (obj or {}).get("metadata")
    return found if isinstance(found, dict) else {}


def _labels(metadata: Plain) -> dict[str, Any]:
    found = metadata.get("labels")
    return found if isinstance(found, dict) else {}


def _owners(metadata: Plain) -> list[Any]:
    """The owners that are virtual machines, in one order."""
    found = metadata.get("ownerReferences")
    owners = [owner for owner in found if isinstance(owner, dict)] if isinstance(found, list) else []
    ours = [owner for owner in owners if owner.get("kind") in _OUR_OWNERS]
    return sorted((str(owner.get("kind")), str(owner.get("uid"))) for owner in ours)
