"""What a machine is, from the VM and its instance."""

import pytest
from msgspec.structs import replace
from tests.unit.gateway.console.machines import a_machine, a_vm, a_vmi, bare_instance
from tests.unit.gateway.small_cluster import condition
from tests.unit.there import there

from virtdeck.crds.codec import decode
from virtdeck.crds.instancetype.instancetype import VirtualMachineInstancetypeSpec
from virtdeck.crds.kubevirt.vm import InstancetypeMatcher
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstanceSpec
from virtdeck.gateway.console.views.machine import machine_of, memory_of, size, vcpus_of
from virtdeck.gateway.console.views.state import STATES, problem_of, state_of


@pytest.mark.parametrize("word", STATES)
def test_every_word_of_the_api_has_a_shape_and_a_colour(word: str) -> None:
    state = state_of(a_vm(word=word), None)
    assert state.key == word
    assert state.kind in ("good", "busy", "warn", "bad", "idle")


def test_a_word_that_a_newer_api_made_up_is_shown_as_it_is() -> None:
    assert state_of(a_vm(word="Hibernating"), None).word == "Hibernating"


@pytest.mark.parametrize(
    ("phase", "paused", "word"),
    [
        ("", False, "Starting"),
        ("Scheduling", False, "Starting"),
        ("Running", False, "Running"),
        ("Running", True, "Paused"),
        ("Succeeded", False, "Powered off"),
        ("Failed", False, "Failed"),
    ],
)
def test_an_instance_without_a_machine_is_named_by_its_phase(phase: str, paused: bool, word: str) -> None:
    assert state_of(None, a_vmi(phase=phase, paused=paused)).word == word


def test_the_most_telling_condition_says_why() -> None:
    broken = a_vm(
        word="ErrorUnschedulable",
        conditions=[
            condition("Ready", "False", "not ready"),
            condition("Failure", "True", "no node has room"),
        ],
    )
    assert problem_of(broken, None) == "no node has room"
    assert state_of(broken, None).detail == "no node has room"


def test_a_running_machine_has_no_problem_however_its_conditions_read() -> None:
    assert state_of(a_vm(conditions=[condition("Ready", "False", "agent missing")]), a_vmi()).detail == ""


def test_a_machine_has_all_addresses_of_all_interfaces() -> None:
    assert a_machine().addresses == ("10.42.0.5", "fd00:42::5")


def test_ids_in_the_page_are_unique_whatever_names_hold() -> None:
    ids = {
        a_machine("b-c", namespace="a").dom_id,
        a_machine("c", namespace="a-b").dom_id,
        a_machine("b.c", namespace="a").dom_id,
    }
    assert len(ids) == 3


def test_nothing_is_no_machine() -> None:
    assert machine_of(None, None) is None


def test_an_instance_alone_is_a_machine_that_cannot_be_started_again() -> None:
    machine = bare_instance()
    assert machine.has_vmi
    assert not machine.has_vm
    assert machine.alive


@pytest.mark.parametrize(
    ("domain", "vcpus", "memory"),
    [
        ({"devices": {}}, 1, 0),
        (
            {"devices": {}, "cpu": {"cores": 2, "sockets": 2, "threads": 2}, "memory": {"guest": "1Gi"}},
            8,
            1 << 30,
        ),
        ({"devices": {}, "resources": {"requests": {"cpu": "1500m", "memory": "64M"}}}, 2, 64_000_000),
        (
            {"devices": {}, "resources": {"requests": {"cpu": "many"}, "limits": {"memory": "1Gi"}}},
            1,
            1 << 30,
        ),
        ({"devices": {}, "memory": {"guest": "lots"}}, 1, 0),
    ],
)
def test_processors_and_memory_are_found_wherever_they_are_said(
    domain: dict[str, object], vcpus: int, memory: int
) -> None:
    spec = decode({"domain": domain}, VirtualMachineInstanceSpec)
    assert vcpus_of(spec) == vcpus
    assert memory_of(spec) == memory


@pytest.mark.parametrize(
    ("amount", "text"),
    [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KiB"), (1 << 30, "1 GiB"), (5 << 40, "5 TiB")],
)
def test_bytes_are_said_in_binary_units(amount: int, text: str) -> None:
    assert size(amount) == text


def test_a_machine_that_is_off_has_the_size_of_its_instance_type() -> None:
    given = {"cpu": {"guest": 4}, "memory": {"guest": "2Gi"}}
    large = decode(given, VirtualMachineInstancetypeSpec)
    vm = a_vm("web-1", "Stopped")
    named = replace(vm, spec=replace(vm.spec, instancetype=InstancetypeMatcher(name="clarge")))
    shown = there(machine_of(named, None, large))
    assert (shown.instancetype, shown.vcpus, shown.memory) == ("clarge", 4, 2 << 30)
    unknown = there(machine_of(named, None))
    assert (unknown.vcpus, unknown.memory) == (0, 0)
    running = there(machine_of(named, a_vmi("web-1"), large))
    assert running.vcpus == 2, "what runs tells its size itself"
