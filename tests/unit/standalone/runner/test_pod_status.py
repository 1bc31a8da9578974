"""What is said about a pod, and when it is worth a write."""

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.unit.standalone.runner.builders import a_pod

from virtdeck.crds.core.pod import Pod
from virtdeck.standalone.runner.container_state import Ended
from virtdeck.standalone.runner.pod_status import (
    Place,
    changed,
    ended_status,
    refused_status,
    running_status,
    waiting_status,
)

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
PLACE = Place("192.0.2.1", ("10.0.0.5", "fd00::5"), "virtdeck/launcher:0.1.0")
GATE = {"readinessGates": [{"conditionType": "gate"}]}


def conditions(status: dict[str, Any]) -> dict[str, str]:
    return {condition["type"]: condition["status"] for condition in status["conditions"]}


def seen_again(pod: Pod, status: dict[str, Any]) -> Pod:
    """The pod after the API server took the status."""
    spec = {
        "readinessGates": [{"conditionType": gate.condition_type} for gate in pod.spec.readiness_gates or ()]
    }
    return a_pod(spec, {key: value for key, value in status.items() if value is not None})


def test_a_running_pod_has_addresses_and_is_ready() -> None:
    status = running_status(a_pod(), PLACE, NOW.timestamp(), NOW)
    assert (status["phase"], status["podIP"], status["hostIP"]) == ("Running", "10.0.0.5", "192.0.2.1")
    assert status["podIPs"] == [{"ip": "10.0.0.5"}, {"ip": "fd00::5"}]
    assert set(conditions(status).values()) == {"True"}


@pytest.mark.parametrize(("gate", "ready"), [(None, "False"), ("False", "False"), ("True", "True")])
def test_a_readiness_gate_must_be_open(gate: str | None, ready: str) -> None:
    given = {"conditions": [{"type": "gate", "status": gate}]} if gate else {}
    status = running_status(a_pod(GATE, given), PLACE, 0, NOW)
    assert (conditions(status)["ContainersReady"], conditions(status)["Ready"]) == ("True", ready)


def test_the_same_status_is_not_written_twice() -> None:
    pod = a_pod()
    status = running_status(pod, PLACE, 0, NOW)
    assert changed(pod, status)
    later = datetime(2026, 1, 2, 4, 0, 0, tzinfo=UTC)
    assert not changed(seen_again(pod, status), running_status(seen_again(pod, status), PLACE, 0, later))


def test_an_answer_keeps_its_time_until_it_changes() -> None:
    pod = seen_again(a_pod(GATE), running_status(a_pod(GATE), PLACE, 0, NOW))
    later = datetime(2026, 1, 2, 4, 0, 0, tzinfo=UTC)
    times = {
        found["type"]: found["lastTransitionTime"]
        for found in running_status(pod, PLACE, 0, later)["conditions"]
    }
    assert times["ContainersReady"] == "2026-01-02T03:04:05Z"


@pytest.mark.parametrize(
    ("ended", "phase", "reason", "code"),
    [
        (Ended(0, 1, 2, False), "Succeeded", "Completed", 0),
        (Ended(1, 1, 2, False), "Failed", "Error", 1),
        (Ended(137, 1, 2, True), "Failed", "OOMKilled", 137),
        (Ended(None, 1, 2, False), "Failed", "ContainerStatusUnknown", 137),
    ],
)
def test_an_end_says_how(ended: Ended, phase: str, reason: str, code: int) -> None:
    status = ended_status(a_pod(), PLACE, ended, NOW)
    terminated = status["containerStatuses"][0]["state"]["terminated"]
    assert (status["phase"], terminated["reason"], terminated["exitCode"]) == (phase, reason, code)
    assert conditions(status)["Ready"] == "False"


def test_a_new_waiting_reason_is_worth_a_write() -> None:
    pod = a_pod()
    first = waiting_status(pod, PLACE, "ErrImagePull", "no", NOW)
    pod = seen_again(pod, first)
    assert not changed(pod, waiting_status(pod, PLACE, "ErrImagePull", "no", NOW))
    assert changed(pod, waiting_status(pod, PLACE, "ImagePullBackOff", "no", NOW))


def test_a_refused_pod_has_failed_with_the_reason() -> None:
    status = refused_status(a_pod(), "192.0.2.1", "UnsupportedPod", "because", NOW)
    assert (status["phase"], status["reason"], status["message"]) == ("Failed", "UnsupportedPod", "because")
