"""What a preference insists on."""

from typing import Any

import pytest
from tests.unit.instancetype.machines import Plain, chosen, domain, size, taste, template

from virtdeck.basis.errors import Cause
from virtdeck.crds.instancetype.preference import VirtualMachinePreferenceSpec
from virtdeck.instancetype.requirements import unmet_architecture, unmet_memory, unmet_processors


def needs(requirements: Plain, **rest: Any) -> VirtualMachinePreferenceSpec:
    return taste(requirements=requirements, **rest)


def fields(causes: Any) -> list[str]:
    found: list[Cause] = list(causes)
    return [cause.field.removeprefix("spec.template.spec.domain.") for cause in found]


@pytest.mark.parametrize(("required", "refused"), [(1, []), (2, []), (3, ["spec.instancetype"])])
def test_v297_an_instance_type_must_have_the_processors(required: int, refused: list[str]) -> None:
    assert (
        fields(unmet_processors(template(), chosen(size(), needs({"cpu": {"guest": required}})))) == refused
    )


@pytest.mark.parametrize(
    ("cpu", "preference", "refused"),
    [
        ({"sockets": 2}, {}, []),
        ({"cores": 2}, {}, ["cpu.sockets"]),
        ({}, {}, ["cpu.sockets"]),
        ({"cores": 2}, {"preferredCPUTopology": "cores"}, []),
        ({"sockets": 2}, {"preferredCPUTopology": "cores"}, ["cpu.cores"]),
        ({"threads": 2}, {"preferredCPUTopology": "threads"}, []),
        ({"sockets": 1, "cores": 2}, {"preferredCPUTopology": "any"}, []),
        ({"sockets": 1}, {"preferredCPUTopology": "any"}, ["cpu.cores", "cpu.sockets", "cpu.threads"]),
        ({"cores": 2}, {"preferredCPUTopology": "spread"}, []),
        ({"threads": 2}, {"preferredCPUTopology": "spread"}, ["cpu.sockets", "cpu.cores"]),
        ({"threads": 2}, {"preferredCPUTopology": "spread", "spreadOptions": {"across": "CoresThreads"}}, []),
    ],
)
def test_v297_without_one_the_preferred_level_counts(
    cpu: Plain, preference: Plain, refused: list[str]
) -> None:
    wanted = chosen(preference=needs({"cpu": {"guest": 2}}, cpu=preference))
    assert fields(unmet_processors(domain(cpu=cpu), wanted)) == refused


@pytest.mark.parametrize(
    ("required", "refused"), [("512Mi", []), ("1024Mi", []), ("2Gi", ["spec.instancetype"])]
)
def test_v298_an_instance_type_must_have_the_memory(required: str, refused: list[str]) -> None:
    wanted = chosen(size(), needs({"memory": {"guest": required}}))
    assert fields(unmet_memory(template(), wanted)) == refused


@pytest.mark.parametrize(
    ("memory", "refused"),
    [({"guest": "2Gi"}, []), ({"guest": "1Gi"}, ["memory.guest"]), ({}, []), ({"guest": "nonsense"}, [])],
)
def test_v298_without_one_the_templates_memory_counts(memory: Plain, refused: list[str]) -> None:
    wanted = chosen(preference=needs({"memory": {"guest": "2Gi"}}))
    assert fields(unmet_memory(domain(memory=memory), wanted)) == refused


@pytest.mark.parametrize(
    ("architecture", "refused"), [("arm64", []), ("amd64", ["spec.template.spec.architecture"])]
)
def test_v299_the_architecture_must_be_the_preferences(architecture: str, refused: list[str]) -> None:
    wanted = chosen(preference=needs({"architecture": "arm64"}))
    assert fields(unmet_architecture(template({"architecture": architecture}), wanted)) == refused


def test_without_a_preference_nothing_is_required() -> None:
    for unmet in (unmet_processors, unmet_memory, unmet_architecture):
        assert list(unmet(template(), chosen(size()))) == []
