"""Start, stop and restart by run strategy (inventory 2.1)."""

from typing import Any

import pytest
from tests.unit.gateway.subresources.build import vm, vmi

from virtdeck.basis.errors import Conflict, Invalid
from virtdeck.gateway.subresources.power import Patches, decide_restart, decide_start, decide_stop

START = {"action": "Start"}
STOP = {"action": "Stop", "uid": "u1"}
PAUSED = {"action": "Start", "data": {"paused": "true"}}


def requests(*wanted: dict[str, Any]) -> Patches:
    return Patches(vm_status={"status": {"stateChangeRequests": list(wanted)}})


def spec(**fields: Any) -> Patches:
    return Patches(vm={"spec": fields})


GRACE_5 = {"spec": {"terminationGracePeriodSeconds": 5}}


@pytest.mark.parametrize(
    ("machine", "instance", "paused", "wanted"),
    [
        (vm("Halted"), None, False, spec(runStrategy="Always")),
        (vm(None, running=False), None, False, spec(running=True)),
        (vm("Halted"), None, True, requests(PAUSED)),
        (vm("Halted"), vmi("Succeeded"), False, spec(runStrategy="Always")),
        (vm("Manual"), None, False, requests(START)),
        (vm("Manual"), None, True, requests(PAUSED)),
        (vm("Manual"), vmi("Failed"), False, requests(STOP, START)),
        (vm("RerunOnFailure"), vmi("Succeeded"), False, requests(STOP, START)),
        (vm("RerunOnFailure"), None, False, requests(START)),
        (vm("WaitAsReceiver"), None, False, Patches()),
    ],
)
def test_start(machine: Any, instance: Any, paused: bool, wanted: Patches) -> None:
    assert decide_start(machine, instance, paused) == wanted


@pytest.mark.parametrize(
    ("machine", "instance"),
    [
        (vm("Halted"), vmi("Running")),
        (vm("Manual"), vmi("Scheduling")),
        (vm("Always"), None),
        (vm("Once"), None),
        (vm(None, running=True), None),
        (vm("RerunOnFailure"), vmi("Failed")),
        (vm("Manual", conditions=[{"type": "ManualRecoveryRequired", "status": "True"}]), None),
        (vm("Manual", stateChangeRequests=[START]), None),
    ],
)
def test_start_is_refused(machine: Any, instance: Any) -> None:
    with pytest.raises(Conflict):
        decide_start(machine, instance, False)


@pytest.mark.parametrize("phase", [None, "", "Unknown"])
def test_an_instance_of_which_nothing_is_known_does_not_hinder_a_start(phase: str | None) -> None:
    assert decide_start(vm("Halted"), vmi(phase), False) == spec(runStrategy="Always")


@pytest.mark.parametrize(
    ("machine", "instance", "grace", "wanted"),
    [
        (vm("Always"), vmi(), None, spec(runStrategy="Halted")),
        (vm("Once"), vmi(), None, spec(runStrategy="Halted")),
        (vm("Always"), None, None, spec(runStrategy="Halted")),
        (vm(None, running=True), vmi(), None, spec(running=False)),
        (vm("Always"), vmi(), 5, Patches(vmi=GRACE_5, vm={"spec": {"runStrategy": "Halted"}})),
        (vm("Manual"), vmi(), None, requests(STOP)),
        (vm("RerunOnFailure"), vmi("Scheduling"), None, requests(STOP)),
        (vm("Manual", stateChangeRequests=[START]), vmi(), None, requests(STOP)),
        (vm("Halted"), vmi(spec={"terminationGracePeriodSeconds": 30}), 5, Patches(vmi=GRACE_5)),
        (vm("Halted"), vmi(), 5, Patches(vmi=GRACE_5)),
    ],
)
def test_stop(machine: Any, instance: Any, grace: int | None, wanted: Patches) -> None:
    assert decide_stop(machine, instance, grace) == wanted


@pytest.mark.parametrize(
    ("machine", "instance", "grace"),
    [
        (vm("Halted"), None, None),
        (vm("Halted"), None, 0),
        (vm("Halted"), vmi(), None),
        (vm("Halted"), vmi(spec={"terminationGracePeriodSeconds": 5}), 5),
        (vm("Manual"), None, None),
        (vm("Manual"), vmi("Succeeded"), None),
        (vm("RerunOnFailure"), vmi("Failed"), None),
    ],
)
def test_stop_is_refused(machine: Any, instance: Any, grace: int | None) -> None:
    with pytest.raises(Conflict):
        decide_stop(machine, instance, grace)


def test_a_negative_grace_period_is_refused() -> None:
    with pytest.raises(Invalid):
        decide_stop(vm("Always"), vmi(), -1)


@pytest.mark.parametrize("strategy", ["Always", "Manual", "RerunOnFailure"])
def test_restart(strategy: str) -> None:
    assert decide_restart(vm(strategy), vmi(), None) == requests(STOP, START)


def test_a_restart_by_force_leaves_the_guest_a_second() -> None:
    found = decide_restart(vm("Always"), vmi(), 0)
    assert found.vmi == {"spec": {"terminationGracePeriodSeconds": 1}}
    assert found.vm_status == {"status": {"stateChangeRequests": [STOP, START]}}


@pytest.mark.parametrize(
    ("machine", "instance"),
    [
        (vm("Halted"), vmi()),
        (vm("Once"), vmi()),
        (vm("Always"), None),
        (vm("Always"), vmi("Running", "VolumesChange")),
        (vm("Always", stateChangeRequests=[STOP, START]), vmi()),
    ],
)
def test_restart_is_refused(machine: Any, instance: Any) -> None:
    with pytest.raises(Conflict):
        decide_restart(machine, instance, None)


@pytest.mark.parametrize("grace", [1, -1, 30])
def test_a_restart_takes_no_grace_period_but_none(grace: int) -> None:
    with pytest.raises(Invalid):
        decide_restart(vm("Always"), vmi(), grace)
