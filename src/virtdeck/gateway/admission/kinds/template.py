"""VirtualMachineTemplate: parameters that are there and used, and a machine when they are filled in.

KubeVirt's inventory has no numbers for these rules: they are those of its template component.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.plain import Plain
from virtdeck.crds.template.template import Parameter
from virtdeck.crds.template.template import VirtualMachineTemplate as Template
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.kinds.template_text import Path, filled, references, sample
from virtdeck.gateway.admission.kinds.write import Write, examined, judged
from virtdeck.gateway.admission.rule import DUPLICATE, INVALID, REQUIRED, WARNING, Place, Rules, at
from virtdeck.gateway.admission.stored_only import stored_only
from virtdeck.gateway.admission.unknown import Written, fields_are_known
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User

RULES: Rules["TemplateWrite"] = Rules("Template")
_MISSING = "FieldValueRequired"
_FILLED = "with the parameters' values: {why}"


@dataclass(frozen=True)
class TemplateWrite(Write[Template]):
    """The machine is looked at only once everything that it stands for has a value."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self.obj.spec.parameters or ()

    @cached_property
    def used(self) -> list[tuple[Path, str]]:
        """Where which parameters stand, below ``spec``."""
        spec = self.obj.spec
        return [
            *references(spec.virtual_machine, ("virtualMachine",)),
            *references(spec.message or "", ("message",)),
        ]

    @cached_property
    def machine(self) -> Plain | None:
        """The machine with values; None as long as some are missing."""
        values = {parameter.name: _value(parameter) for parameter in self.parameters}
        if any(values.get(name) is None for _, name in self.used) or None in values.values():
            return None
        given = {name: text or "" for name, text in values.items()}
        machine: Plain = filled(self.obj.spec.virtual_machine, given)
        return machine

    @cached_property
    def fault(self) -> Cause | None:
        """What keeps the machine from being one."""
        if self.machine is None:
            return None
        try:
            decode(self.machine, VirtualMachine)
        except Invalid as fault:
            return fault.causes[0]
        return None


@RULES.rule("", "spec.parameters[].name", REQUIRED, "must be given: ${{NAME}} in the machine stands for it")
def parameters_have_names(template: TemplateWrite) -> Iterator[Place]:
    """It is empty."""
    for index, parameter in enumerate(template.parameters):
        if not parameter.name:
            yield at(index)


@RULES.rule("", "spec.parameters[].name", DUPLICATE)
def parameters_have_names_of_their_own(template: TemplateWrite) -> Iterator[Place]:
    """An earlier parameter has the name."""
    names = [parameter.name for parameter in template.parameters]
    for index, name in enumerate(names):
        if name and name in names[:index]:
            yield at(index, value=name)


@RULES.rule(
    "", "spec.parameters[].from", REQUIRED, "must say what the value is made of, as web-[a-z0-9]{{8}}"
)
def generated_values_have_a_pattern(template: TemplateWrite) -> Iterator[Place]:
    """It is empty, and a value is generated."""
    for index, parameter in _generated(template):
        if not parameter.from_:
            yield at(index)


@RULES.rule("", "spec.parameters[].from", INVALID, "{why}")
def patterns_can_be_used(template: TemplateWrite) -> Iterator[Place]:
    """No value can be made from it: no characters, a range that goes backwards, a length beside 1–255."""
    for index, parameter in _generated(template):
        try:
            sample(parameter.from_ or "")
        except ValueError as fault:
            yield at(index, why=str(fault))


@RULES.rule("", "spec{…}", INVALID, "stands for {name!r}, which is no parameter of the template")
def parameters_that_are_used_are_there(template: TemplateWrite) -> Iterator[Place]:
    """``${NAME}`` in the machine or message, and no parameter of that name."""
    names = {parameter.name for parameter in template.parameters}
    for path, name in template.used:
        if name not in names:
            yield at(_spelt(path), name=name)


@RULES.rule("", "spec.parameters[].name", WARNING, "{name!r} stands nowhere in the machine or the message")
def parameters_are_used(template: TemplateWrite) -> Iterator[Place]:
    """Nothing stands for it."""
    used = {name for _, name in template.used}
    for index, parameter in enumerate(template.parameters):
        if parameter.name and parameter.name not in used:
            yield at(index, name=parameter.name)


@RULES.rule(
    "", "spec.parameters[].value", WARNING, "is missing: the machine is checked when {name!r} is given"
)
def machine_can_be_checked(template: TemplateWrite) -> Iterator[Place]:
    """The parameter is required, and has neither value nor generator."""
    for index, parameter in enumerate(template.parameters):
        if parameter.name and parameter.required and _value(parameter) is None:
            yield at(index, name=parameter.name)


@RULES.rule("", "spec.virtualMachine{…}", INVALID, _FILLED)
def machine_can_be_read(template: TemplateWrite) -> Iterator[Place]:
    """With its parameters' values, a field has another type than a VirtualMachine's."""
    fault = template.fault
    if fault is not None and fault.reason != _MISSING:
        yield at(f".{fault.field}" if fault.field else "", why=fault.message)


@RULES.rule("", "spec.virtualMachine{…}", INVALID, "is not a field of a VirtualMachine; check its spelling")
def fields_of_the_machine_are_known(template: TemplateWrite) -> Iterator[Place]:
    """With its parameters' values, a VirtualMachine has no such field."""
    if template.machine is not None:
        yield from fields_are_known(Written(template.machine, VirtualMachine))


@RULES.rule("", "spec.virtualMachine{…}", WARNING, "is missing: a machine made from the template is refused")
def machine_is_whole(template: TemplateWrite) -> Iterator[Place]:
    """A field that every VirtualMachine has is not there."""
    fault = template.fault
    if fault is not None and fault.reason == _MISSING:
        yield at(f".{fault.field}")


def validate_template(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """A template, new or changed; one whose spec stays as it was is not looked at."""

    def verdict(now: Template, before: Template | None) -> Verdict:
        if before is not None and before.spec == now.spec:
            return Verdict(())
        stored = stored_only("virtualmachinetemplates.template.kubevirt.io") if old is None else ""
        return judged(RULES, TemplateWrite(now, before, user, cluster), stored=stored)

    return examined(obj, old, Template, verdict)


def _generated(template: TemplateWrite) -> Iterator[tuple[int, Parameter]]:
    for index, parameter in enumerate(template.parameters):
        if parameter.generate and not parameter.value:
            yield index, parameter


def _value(parameter: Parameter) -> str | None:
    """The value when nobody gives one; None when there is none, but must be, or none can be made."""
    if parameter.value or not parameter.generate:
        return parameter.value or (None if parameter.required else "")
    try:
        return sample(parameter.from_ or "") or None
    except ValueError:
        return None


def _spelt(path: Path) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
