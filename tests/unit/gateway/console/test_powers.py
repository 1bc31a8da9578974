"""What can be done with a machine, and why not."""

import pytest
from tests.unit.gateway.console.machines import a_machine, bare_instance

from virtdeck.gateway.console.views.commands import commands
from virtdeck.gateway.console.views.machine import Machine
from virtdeck.gateway.console.views.powers import ACTS, powers


def possible(machine: Machine) -> set[str]:
    return {key for key, power in powers(machine, lambda *_: True).items() if power.allowed}


@pytest.mark.parametrize(
    ("machine", "acts"),
    [
        (a_machine(word="Stopped"), {"start", "delete"}),
        (
            a_machine(word="Running"),
            {"stop", "restart", "pause", "softreboot", "reset", "forcestop", "delete"},
        ),
        (
            a_machine(word="Paused"),
            {"stop", "restart", "unpause", "softreboot", "reset", "forcestop", "delete"},
        ),
        (a_machine(word="Stopping"), {"stop", "forcestop", "delete"}),
        (a_machine(word="ErrImagePull"), {"start", "delete"}),
        (a_machine(word="Starting"), {"delete"}),
        (bare_instance(), {"pause", "softreboot", "reset", "delete"}),
    ],
    ids=lambda value: value.state.key if isinstance(value, Machine) else "",
)
def test_each_state_allows_what_makes_sense_in_it(machine: Machine, acts: set[str]) -> None:
    assert possible(machine) == acts


def test_an_act_that_a_role_lacks_names_the_right() -> None:
    offered = powers(a_machine(word="Stopped"), lambda verb, resource, sub: sub != "start")
    assert (
        str(offered["start"].why_not) == "You lack the right “update virtualmachines/start” in project shop."
    )
    assert offered["delete"].allowed


@pytest.mark.parametrize("key", ACTS)
def test_every_act_can_be_copied_as_commands_that_quote_what_they_name(key: str) -> None:
    texts = dict(commands(ACTS[key], a_machine(), "https://deck.example"))
    assert "curl" in texts
    assert all("web-1" in text for text in texts.values())


def test_deleting_an_instance_alone_deletes_the_instance() -> None:
    assert dict(commands(ACTS["delete"], bare_instance(), ""))["kubectl"] == "kubectl delete vmi lone -n shop"


def test_what_destroys_or_disturbs_is_asked_first() -> None:
    assert {key for key, act in ACTS.items() if act.risk == "none"} == {"start", "pause", "unpause"}
    assert {key for key, act in ACTS.items() if act.risk == "destroy"} == {"delete"}
