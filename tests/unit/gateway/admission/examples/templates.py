"""Examples for ``kinds.template``."""

from typing import Any

from tests.unit.gateway.admission.build import ALICE, CLUSTER, Plain
from tests.unit.gateway.admission.examples.example import Example

from virtdeck.crds.codec import decode
from virtdeck.crds.template.template import VirtualMachineTemplate
from virtdeck.gateway.admission.kinds.template import TemplateWrite

MACHINE: Plain = {
    "metadata": {"name": "${NAME}"},
    "spec": {
        "runStrategy": "Always",
        "template": {"spec": {"domain": {"devices": {}, "cpu": {"cores": "${{CORES}}"}}}},
    },
}
NAME: Plain = {"name": "NAME", "generate": "expression", "from": "web-[a-z0-9]{8}"}
CORES: Plain = {"name": "CORES", "value": "2"}


def template(parameters: list[Plain], machine: Plain = MACHINE, **spec: Any) -> Plain:
    """A template as plain values."""
    return {
        "metadata": {"name": "t"},
        "spec": {"virtualMachine": machine, "parameters": parameters} | spec,
    }


def _write(parameters: list[Plain], machine: Plain = MACHINE, **spec: Any) -> TemplateWrite:
    found = decode(template(parameters, machine, **spec), VirtualMachineTemplate)
    return TemplateWrite(found, None, ALICE, CLUSTER)


def _named(pattern: str) -> TemplateWrite:
    return _write([NAME | {"from": pattern}, CORES])


def _cores(value: str) -> TemplateWrite:
    return _write([NAME, CORES | {"value": value}])


_GOOD = _write([NAME, CORES])

EXAMPLES: dict[str, Example] = {
    "parameters_have_names": Example(_write([NAME, CORES, {"name": ""}]), _GOOD, "spec.parameters[2].name"),
    "parameters_have_names_of_their_own": Example(
        _write([NAME, CORES, CORES]), _GOOD, "spec.parameters[2].name"
    ),
    "generated_values_have_a_pattern": Example(
        (_named(""), _write([{"name": "NAME", "generate": "expression"}, CORES])),
        _write([{"name": "NAME", "generate": "expression", "value": "web"}, CORES]),
        "spec.parameters[0].from",
    ),
    "patterns_can_be_used": Example(
        tuple(
            map(_named, ("[a-z]{0}", "[a-z]{256}", "[a-z]{x}", "[z-a]{2}", "[0-z]{2}", "[--a]{2}", "[-]{2}"))
        ),
        tuple(map(_named, (r"[\w]{1}", r"[\d\a]{255}", "[a-zA-Z0-9]{8}-[abc]{2}", "web", "[a-c-]{3}"))),
        "spec.parameters[0].from",
    ),
    "parameters_that_are_used_are_there": Example(
        (_write([NAME]), _write([NAME, CORES], message="log in as ${USER}")),
        (_GOOD, _write([NAME, CORES], message="${NAME} has $CORES, ${{CORES}} and ${} cores")),
        "spec.virtualMachine.spec.template.spec.domain.cpu.cores",
    ),
    "parameters_are_used": Example(
        _write([NAME, CORES, {"name": "USER"}]),
        _write([NAME, CORES, {"name": "USER"}], message="log in as ${USER}"),
        "spec.parameters[2].name",
    ),
    "machine_can_be_checked": Example(
        _write([{"name": "NAME", "required": True}, CORES]),
        (_GOOD, _write([{"name": "NAME"}, CORES]), _write([NAME | {"required": True}, CORES])),
        "spec.parameters[0].value",
    ),
    "machine_can_be_read": Example(
        (_cores("two"), _cores("1.5"), _cores('"2"'), _cores("null-")),
        (_GOOD, _write([NAME, {"name": "CORES", "generate": "expression", "from": "[0-9]{2}"}])),
        "spec.virtualMachine.spec.template.spec.domain.cpu.cores",
    ),
    "fields_of_the_machine_are_known": Example(
        (
            _write([], {"spec": {"template": {"spec": {"domain": {"device": {}, "devices": {}}}}}}),
            _write([NAME], {"spec": {"template": {"spec": {"domain": {"devices": {}, "${NAME}": 1}}}}}),
        ),
        _write(
            [{"name": "KEY", "value": "domain"}],
            {"spec": {"template": {"spec": {"${KEY}": {"devices": {}}}}}},
        ),
        "spec.virtualMachine.spec.template.spec.domain.device",
    ),
    "machine_is_whole": Example(
        (_write([NAME], {"metadata": {"name": "${NAME}"}}), _write([], {})),
        _GOOD,
        "spec.virtualMachine.spec",
    ),
}
