"""What must hold before something is done with a running instance (inventory 2.2)."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.unit.gateway.subresources.build import vm, vmi

from virtdeck.basis.errors import Conflict, Invalid, Refused, VirtdeckError
from virtdeck.gateway.subresources import checks
from virtdeck.serving.status import code_of

NO_SERIAL = {"domain": {"devices": {"autoattachSerialConsole": False}}}
NO_SCREEN = {"domain": {"devices": {"autoattachGraphicsDevice": False}}}
NO_ACPI = {"domain": {"devices": {}, "features": {"acpi": {"enabled": False}}}}
PROBED = {"livenessProbe": {"httpGet": {"port": 80}}}
PINGED: dict[str, Any] = {"livenessProbe": {"guestAgentPing": {}}}
ADDRESS: dict[str, Any] = {"interfaces": [{"ipAddress": "10.0.0.1"}]}


def unpause(instance: Any) -> None:
    checks.check_unpause(instance, vm())


def migrate_alone(instance: Any) -> None:
    checks.check_migrate(instance, 1)


@pytest.mark.parametrize(
    ("check", "instance"),
    [
        (checks.check_pause, vmi()),
        (checks.check_pause, vmi(spec=PINGED)),
        (unpause, vmi("Running", "Paused")),
        (checks.check_softreboot, vmi()),
        (checks.check_softreboot, vmi("Running", "AgentConnected", spec=NO_ACPI)),
        (checks.check_agent, vmi("Running", "AgentConnected")),
        (checks.check_console, vmi()),
        (checks.check_console, vmi("Running", "Paused", spec=NO_SCREEN)),
        (checks.check_screen, vmi("Running", "Paused", spec=NO_SERIAL)),
        (checks.check_forward, vmi(**ADDRESS)),
    ],
)
def test_it_may_be_done(check: Callable[[Any], None], instance: Any) -> None:
    check(instance)


@pytest.mark.parametrize(
    ("check", "instance", "code"),
    [
        (checks.check_pause, vmi("Scheduled"), 409),
        (lambda instance: checks.foresee_paused(instance, False), vmi("Running", "Paused"), 409),
        (checks.check_pause, vmi(spec=PROBED), 403),
        (lambda instance: checks.foresee_paused(instance, True), vmi(), 409),
        (unpause, vmi("Succeeded", "Paused"), 409),
        (checks.check_softreboot, vmi(spec=NO_ACPI), 409),
        (checks.check_softreboot, vmi("Failed"), 409),
        (checks.check_agent, vmi(), 409),
        (checks.check_agent, vmi("Scheduled", "AgentConnected"), 409),
        (checks.check_console, vmi(spec=NO_SERIAL), 400),
        (checks.check_console, vmi("Failed"), 409),
        (checks.check_console, vmi("Scheduling"), 400),
        (checks.check_screen, vmi(spec=NO_SCREEN), 400),
        (checks.check_screen, vmi(None), 400),
        (checks.check_forward, vmi(), 400),
        (checks.check_forward, vmi("Running", "Paused", **ADDRESS), 409),
        (migrate_alone, vmi(), 409),
        (migrate_alone, vmi("Scheduled"), 409),
        (migrate_alone, vmi("Running", "LiveMigratable=False"), 409),
    ],
)
def test_it_may_not(check: Callable[[Any], None], instance: Any, code: int) -> None:
    with pytest.raises(VirtdeckError) as caught:
        check(instance)
    assert code_of(caught.value) == code


def test_a_migration_is_refused_with_the_instances_own_reason() -> None:
    with pytest.raises(Conflict, match="as told"):
        checks.check_migrate(vmi("Running", "LiveMigratable=False"), 3)


def test_a_vm_whose_snapshot_is_taken_stays_paused() -> None:
    with pytest.raises(Conflict, match="snap1"):
        checks.check_unpause(vmi("Running", "Paused"), vm(snapshotInProgress="snap1"))


@pytest.mark.parametrize("text", ["0", "65536", "22a", "", "-1", "٢٢", "99999999999999999999", "1.5"])
def test_a_port_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        checks.read_port(text)


def test_ports_and_protocols() -> None:
    assert (checks.read_port("1"), checks.read_port("65535")) == (1, 65535)
    assert checks.read_protocol("udp") == "udp"
    with pytest.raises(Invalid):
        checks.read_protocol("sctp")


def test_a_probed_instance_is_refused_not_merely_in_conflict() -> None:
    with pytest.raises(Refused):
        checks.check_pause(vmi(spec=PROBED))
