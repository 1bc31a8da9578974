"""The verdict on each kind of object: decode, complete, ask every rule."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.plain import part
from virtdeck.gateway.admission.choice import BOTH, NO_CHOICE, Choice
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.decoding import vm_or_causes, vmi_or_causes
from virtdeck.gateway.admission.defaults import Fresh, fill_vmi_spec
from virtdeck.gateway.admission.instance import Change
from virtdeck.gateway.admission.machine import Machine
from virtdeck.gateway.admission.not_yet import VM_SPEC, VMI_SPEC, VMI_SPEC_WARNED, refused, warned
from virtdeck.gateway.admission.rule import WARNING
from virtdeck.gateway.admission.rules import (
    VM_RULES,
    VMI_CHANGE_RULES,
    VMI_RULES,
    matchers,
    metadata,
    pods,
    power,
    texts,
    volume_requests,
)
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User
from virtdeck.instancetype.expansion import conflicts_with, expand

Plain = dict[str, Any]

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
    causes = (
        *_name(found.metadata, before),
        *VM_RULES.ask(machine),
        *volume_requests.RULES.ask(machine),
        *_newly_refused(obj, old if before else None),
    )
    sized = _matched(obj, found, before, cluster, choice) if _is_sized_anew(obj, old) else Verdict()
    causes += sized.causes
    if not _same(obj, old, "spec", "template") and _can_expand(obj, choice):
        causes += tuple(_template(_expanded(obj, cluster, choice), user, cluster))
    written = obj["spec"]["template"].get("spec") or {}
    unheeded = warned(written, "spec.template.spec", VMI_SPEC_WARNED)
    return Verdict(causes, (*_warnings(machine), *sized.warnings, *unheeded))


def validate_vmi_create(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """All rules; ``old`` is None and there for symmetry."""
    found = vmi_or_causes(obj)
    if isinstance(found, tuple):
        return Verdict(found)
    subject = Subject(found.spec, found.metadata, cluster, user)
    causes = (*_name(found.metadata, None), *_examine(subject, obj["spec"]))
    return Verdict(causes, tuple(warned(obj["spec"], "spec", VMI_SPEC_WARNED)))


def validate_vmi_update(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """Who may change what; the spec was checked when it came in and cannot be changed by users."""
    found, before = vmi_or_causes(obj), vmi_or_causes(old or obj)
    if isinstance(found, tuple):
        return Verdict(found)
    if isinstance(before, tuple):
        # What an older release stored may not be readable; then only the components may touch it.
        return Verdict() if cluster.is_component(user) else Verdict(before)
    causes = tuple(VMI_CHANGE_RULES.ask(Change(found, before, user, cluster)))
    return Verdict(causes, forbidden=bool(causes))


def validate_launcher_pod(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """Only virt-controller makes pods that look like launchers."""
    causes = tuple(pods.launcher_pod_is_ours(obj, old, user, cluster))
    return Verdict(causes, forbidden=bool(causes))


def _name(meta: ObjectMeta, old: VirtualMachine | None) -> Iterator[Cause]:
    """A name cannot be changed, so it is checked once."""
    if old is None:
        yield from metadata.NAMES.ask(meta)


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
    template = deepcopy(expand(obj["spec"]["template"], choice.chosen, cluster.default_interface))
    part(part(part(template, "spec"), "domain"), "devices")
    fill_vmi_spec(part(template, "metadata"), template["spec"], cluster, _THROWAWAY)
    return template


def _template(template: Plain, user: User, cluster: ClusterConfig) -> Iterator[Cause]:
    """The causes of a complete template, with the paths of what the author wrote."""
    meta, spec = template["metadata"], template["spec"]
    found = vmi_or_causes({"metadata": meta, "spec": spec})
    if isinstance(found, tuple):
        yield from (Cause(f"spec.template.{cause.field}", cause.message, cause.reason) for cause in found)
        return
    yield from _examine(Subject(found.spec, found.metadata, cluster, user, is_template=True), spec)


def _examine(subject: Subject, spec: Plain) -> Iterator[Cause]:
    """What cannot run at all is said once; further causes about such a field would only lead astray."""
    base = "spec.template." if subject.is_template else ""
    causes = tuple(refused(spec, f"{base}spec", VMI_SPEC))
    yield from causes
    yield from texts.RULES.ask(spec["domain"], base)
    hopeless = tuple(cause.field for cause in causes)
    for cause in VMI_RULES.ask(subject, base):
        if not cause.field.startswith(hopeless):
            yield cause


def _newly_refused(obj: Plain, old: Plain | None) -> Iterator[Cause]:
    before = set(refused(old["spec"], "spec", VM_SPEC)) if old else set()
    yield from (cause for cause in refused(obj["spec"], "spec", VM_SPEC) if cause not in before)


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
