"""The verdict on VirtualMachines: decode, complete, ask every rule."""

from collections.abc import Iterator
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.vm import VirtualMachine, VirtualMachineSpec
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.plain import Plain, part
from virtdeck.gateway.admission.choice import BOTH, NO_CHOICE, Choice
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.copying import copied
from virtdeck.gateway.admission.decoding import vm_or_causes, vmi_or_causes
from virtdeck.gateway.admission.defaults import Fresh, fill_vmi_spec
from virtdeck.gateway.admission.examining import examine
from virtdeck.gateway.admission.machine import Machine
from virtdeck.gateway.admission.not_yet import VM_SPEC, refused
from virtdeck.gateway.admission.rule import WARNING
from virtdeck.gateway.admission.rules import VM_RULES, matchers, metadata, power, volume_requests
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.unknown import RULES as UNKNOWN
from virtdeck.gateway.admission.unknown import Written
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User
from virtdeck.instancetype.expansion import conflicts_with, expand

# Only shapes matter where a template is completed for inspection; nothing of this is stored.
_THROWAWAY = Fresh("1970-01-01T00:00:00Z", lambda: "00000000-0000-0000-0000-000000000000")


def validate_vm(
    obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig, choice: Choice = NO_CHOICE
) -> Verdict:
    """The VM's own rules, then the VMI's rules on its template as it would start.

    What an update does not touch is not judged again: a VM that an older release let in, or whose feature was
    switched off since, can still be stopped, relabelled and deleted. choice: what its matchers lead to.
    """
    found = vm_or_causes(obj)
    if isinstance(found, tuple):
        return Verdict(found)
    if found.metadata.deletion_timestamp or _same(obj, old, "spec"):
        return Verdict()
    before = _old_vm(old)
    machine = Machine(found, before, cluster, user)
    parts = [Verdict(tuple(_own_causes(obj, old if before else None, machine)), tuple(_warnings(machine)))]
    if _is_sized_anew(obj, old):
        parts.append(_matched(obj, found, before, cluster, choice))
    if not _same(obj, old, "spec", "template") and _can_expand(obj, choice):
        parts.append(_template(obj, _expanded(obj, cluster, choice), machine))
    return Verdict(
        tuple(cause for part in parts for cause in part.causes),
        tuple(warning for part in parts for warning in part.warnings),
    )


def validate_vm_status(
    obj: Plain,
    old: Plain | None,
    user: User,
    cluster: ClusterConfig,
    running: VirtualMachineInstance | None = None,
) -> Verdict:
    """What a status may ask for. running: the VM's VMI, None when there is none."""
    found, before = vm_or_causes(obj), _old_vm(old)
    if isinstance(found, tuple):
        return Verdict(found)
    if before is not None and found.status.volume_requests == before.status.volume_requests:
        return Verdict()
    return Verdict(tuple(volume_requests.RULES.ask(Machine(found, before, cluster, user, running))))


def validate_vm_delete(old: Plain, user: User, cluster: ClusterConfig) -> Verdict:
    """A protected VM stays; one that cannot be read is nobody's to keep."""
    found = vm_or_causes(old)
    if isinstance(found, tuple):
        return Verdict()
    causes = tuple(power.PROTECTION.ask(Machine(found, None, cluster, user)))
    return Verdict(causes, forbidden=bool(causes))


def _own_causes(obj: Plain, old: Plain | None, machine: Machine) -> Iterator[Cause]:
    """What is wrong beside the template. A name cannot be changed, so it is checked once."""
    beside = {name: value for name, value in obj["spec"].items() if name != "template"}
    if old is None:
        yield from metadata.NAMES.ask(machine.vm.metadata)
    yield from UNKNOWN.ask(Written(beside, VirtualMachineSpec))
    yield from VM_RULES.ask(machine)
    yield from volume_requests.RULES.ask(machine)
    before = set(refused(old["spec"], "spec", VM_SPEC)) if old else set()
    yield from (cause for cause in refused(obj["spec"], "spec", VM_SPEC) if cause not in before)


def _is_sized_anew(obj: Plain, old: Plain | None) -> bool:
    """True when the machine names something, and an update touches it or the template beside it."""
    spec = obj["spec"]
    if spec.get("instancetype") is None and spec.get("preference") is None:
        return False
    return not all(_same(obj, old, "spec", name, absent=True) for name in ("template", *BOTH))


def _matched(
    obj: Plain, found: VirtualMachine, before: VirtualMachine | None, cluster: ClusterConfig, choice: Choice
) -> Verdict:
    """What the rules of instance types and preferences say."""
    template = obj["spec"]["template"]
    complete = _expanded(obj, cluster, choice) if choice.chosen and _can_expand(obj, choice) else None
    old = before.spec if before else None
    told = tuple(matchers.RULES.ask(matchers.Matched(found.spec, old, choice, template, complete)))
    return Verdict(
        tuple(cause for cause in told if cause.reason != WARNING),
        tuple(f"{cause.field}: {cause.message}" for cause in told if cause.reason == WARNING),
    )


def _can_expand(obj: Plain, choice: Choice) -> bool:
    """What is missing or in conflict is told; a template without its size would only break further rules."""
    return "instancetype" not in choice.missing and not conflicts_with(obj["spec"]["template"], choice.chosen)


def _expanded(obj: Plain, cluster: ClusterConfig, choice: Choice) -> Plain:
    """A copy of the template with its size, its preference and all defaults; nothing of it is stored.

    The VMI gets the VM's name and its template's metadata.
    """
    template = copied(expand(obj["spec"]["template"], choice.chosen, cluster.default_interface))
    part(part(part(template, "spec"), "domain"), "devices")
    fill_vmi_spec(part(template, "metadata"), template["spec"], cluster, _THROWAWAY)
    return template


def _template(obj: Plain, complete: Plain, machine: Machine) -> Verdict:
    """The verdict on a complete template, with the paths of what the author wrote."""
    found = vmi_or_causes({"metadata": complete["metadata"], "spec": complete["spec"]})
    if isinstance(found, tuple):
        return Verdict(
            tuple(Cause(f"spec.template.{cause.field}", cause.message, cause.reason) for cause in found)
        )
    new = machine.old is None
    subject = Subject(found.spec, found.metadata, machine.cluster, machine.user, is_template=True, is_new=new)
    return examine(subject, complete["spec"], obj["spec"]["template"].get("spec") or {})


def _same(obj: Plain, old: Plain | None, *path: str, absent: bool = False) -> bool:
    """True when the update leaves this part as it is. absent: a part that neither has is the same."""
    now: Any = obj
    before: Any = old
    for name in path:
        now = now.get(name) if isinstance(now, dict) else None
        before = before.get(name) if isinstance(before, dict) else None
    return (now is not None or (absent and old is not None)) and bool(now == before)


def _old_vm(old: Plain | None) -> VirtualMachine | None:
    found = vm_or_causes(old) if old is not None else None
    return None if isinstance(found, tuple) else found


def _warnings(machine: Machine) -> Iterator[str]:
    yield from (f"{cause.field} {cause.message}" for cause in power.WARNINGS.ask(machine))
