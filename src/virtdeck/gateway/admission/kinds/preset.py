"""VirtualMachineInstancePreset: deprecated, and what it holds is checked as a VMI's."""

from collections.abc import Iterable, Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.preset import VirtualMachineInstancePreset as Preset
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstanceSpec
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.plain import Plain
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.kinds.write import Write, examined, judged
from virtdeck.gateway.admission.rule import INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.rules import disks, firmware
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User

RULES: Rules[Write[Preset]] = Rules("Preset")


@RULES.rule("V337", "spec.domain", REQUIRED, "must be given")
def domain_is_there(preset: Write[Preset]) -> Iterator[Place]:
    """It is absent, so that there is nothing to give."""
    if preset.obj.spec is None or preset.obj.spec.domain is None:
        yield at()


@RULES.rule("V338", "{spec.domain.devices.disks[]…}", INVALID, "{message}")
def disks_are_sound(preset: Write[Preset]) -> Iterator[Place]:
    """A rule for a VMI's disks is broken."""
    yield from _told(preset, disks.RULES, "spec.domain.devices.disks")


@RULES.rule("V339", "{spec.domain.firmware…}", INVALID, "{message}")
def firmware_is_sound(preset: Write[Preset]) -> Iterator[Place]:
    """A rule for a VMI's firmware is broken."""
    yield from _told(preset, firmware.RULES, "spec.domain.firmware")


def validate_preset(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """A preset, new or changed."""
    return examined(obj, old, Preset, lambda now, before: judged(RULES, Write(now, before, user, cluster)))


def _told(preset: Write[Preset], rules: Rules[Subject], below: str) -> Iterator[Place]:
    """What a VMI's rules say of this part."""
    domain = preset.obj.spec.domain if preset.obj.spec else None
    if domain is None:
        return
    vmi = Subject(VirtualMachineInstanceSpec(domain=domain), ObjectMeta(), preset.cluster, preset.user)
    causes: Iterable[Cause] = rules.ask(vmi)
    for cause in causes:
        if cause.field.startswith(below):
            yield at(cause.field, message=cause.message)
