"""What is wrong with a VMI's spec, and what is said of it, wherever it stands."""

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstanceSpec
from virtdeck.crds.plain import Plain
from virtdeck.gateway.admission.not_yet import VMI_SPEC, VMI_SPEC_WARNED, refused, warned
from virtdeck.gateway.admission.rule import Rules
from virtdeck.gateway.admission.rules import VMI_RULES, exposed, texts, unheeded
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.unknown import RULES as UNKNOWN
from virtdeck.gateway.admission.unknown import Written
from virtdeck.gateway.admission.verdict import Verdict

_WARNINGS: Rules[Subject] = Rules("VMI", unheeded.WARNINGS, exposed.WARNINGS)


def examine(subject: Subject, complete: Plain, written: Plain) -> Verdict:
    """complete: the spec with its defaults, which ``subject`` views with types. written: as it was sent."""
    base = "spec.template." if subject.is_template else ""
    warnings = (
        *(f"{cause.field} {cause.message}" for cause in _WARNINGS.ask(subject, base)),
        *warned(written, f"{base}spec", VMI_SPEC_WARNED),
    )
    return Verdict(_causes(subject, complete, written, base), warnings)


def _causes(subject: Subject, complete: Plain, written: Plain, base: str) -> tuple[Cause, ...]:
    """What cannot run at all is said once; further causes about such a field would only lead astray."""
    never = list(refused(complete, f"{base}spec", VMI_SPEC))
    hopeless = tuple(cause.field for cause in never)
    return (
        *UNKNOWN.ask(Written(written, VirtualMachineInstanceSpec), base),
        *never,
        *texts.RULES.ask(complete["domain"], base),
        *(cause for cause in VMI_RULES.ask(subject, base) if not cause.field.startswith(hopeless)),
    )
