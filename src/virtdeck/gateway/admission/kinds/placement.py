"""KubeVirt: on which nodes its parts may run, checked as Kubernetes would check a pod.

KubeVirt asks Kubernetes by a dry run of a DaemonSet and a Deployment; one machine has neither kind, so the
rules are applied here that a launcher pod's placement has to pass.
"""

from collections.abc import Iterator

from virtdeck.crds.core.scheduling import Toleration
from virtdeck.crds.kubevirt.devices import Devices
from virtdeck.crds.kubevirt.domain import DomainSpec
from virtdeck.crds.kubevirt.kubevirt import ComponentConfig, NodePlacement
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstanceSpec
from virtdeck.crds.meta import ObjectMeta
from virtdeck.gateway.admission.kinds.installation import Installation
from virtdeck.gateway.admission.rule import INVALID, Place, Rules, at
from virtdeck.gateway.admission.rules import scheduling
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.verdict import one_of_words
from virtdeck.gateway.admission.words import is_label_value, is_qualified_name

RULES: Rules[Installation] = Rules("KubeVirt")

_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_OPERATORS = ("Equal", "Exists")


@RULES.rule("V431", "{spec.workloads.nodePlacement…}", INVALID, "{message}")
def workloads_can_be_placed(kubevirt: Installation) -> Iterator[Place]:
    """It is new or changed, and a pod with it would be refused."""
    old = kubevirt.old.spec.workloads if kubevirt.old else None
    yield from _told(kubevirt, kubevirt.obj.spec.workloads, old, "spec.workloads.nodePlacement")


@RULES.rule("V432", "{spec.infra.nodePlacement…}", INVALID, "{message}")
def infrastructure_can_be_placed(kubevirt: Installation) -> Iterator[Place]:
    """It is new or changed, and a pod with it would be refused."""
    old = kubevirt.old.spec.infra if kubevirt.old else None
    yield from _told(kubevirt, kubevirt.obj.spec.infra, old, "spec.infra.nodePlacement")


def _told(
    kubevirt: Installation, now: ComponentConfig | None, old: ComponentConfig | None, path: str
) -> Iterator[Place]:
    placement = now.node_placement if now else None
    if placement is None or placement == (old.node_placement if old else None):
        return
    pod = Subject(_as_spec(placement), ObjectMeta(), kubevirt.cluster, kubevirt.user)
    for cause in scheduling.RULES.ask(pod):
        yield at(f"{path}.{cause.field.removeprefix('spec.')}", message=cause.message)
    for index, toleration in enumerate(placement.tolerations or ()):
        for field, message in _wrong(toleration):
            yield at(f"{path}.tolerations[{index}].{field}", message=message)


def _as_spec(placement: NodePlacement) -> VirtualMachineInstanceSpec:
    return VirtualMachineInstanceSpec(
        domain=DomainSpec(devices=Devices()),
        affinity=placement.affinity,
        node_selector=placement.node_selector,
    )


def _wrong(toleration: Toleration) -> Iterator[tuple[str, str]]:
    """Fields of a toleration that Kubernetes would refuse, and why."""
    operator = toleration.operator or "Equal"
    if operator not in _OPERATORS:
        yield "operator", f"{operator!r} is not supported; use {one_of_words(_OPERATORS)}"
    if toleration.key and not is_qualified_name(toleration.key):
        yield "key", "must be a taint's key, as example.com/role"
    if not toleration.key and operator != "Exists":
        yield "operator", "must be Exists where there is no key"
    if operator == "Exists" and toleration.value:
        yield "value", "must be empty where the operator is Exists"
    elif toleration.value and not is_label_value(toleration.value):
        yield "value", f"{toleration.value!r} must be a label's value"
    if toleration.effect and toleration.effect not in _EFFECTS:
        yield "effect", f"{toleration.effect!r} is not supported; use {one_of_words(_EFFECTS)}"
    if toleration.toleration_seconds is not None and toleration.effect != "NoExecute":
        yield "effect", "must be NoExecute where there are tolerationSeconds"
