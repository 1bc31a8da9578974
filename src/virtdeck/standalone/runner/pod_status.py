"""What the runner says about a pod, as patches of its status; pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from virtdeck.basis.clock import rfc3339
from virtdeck.crds.core.pod import Pod
from virtdeck.standalone.runner.container_state import Ended

Status = dict[str, Any]
_LOST_CODE = 137  # as if killed: nobody saw the real one


@dataclass(frozen=True)
class Place:
    """Where a pod runs. image: what its container was made of, with its digest or version."""

    host_ip: str
    addresses: tuple[str, ...]
    image: str


def running_status(pod: Pod, place: Place, started_at: float, now: datetime, ready: bool = True) -> Status:
    """The pod runs; it is ready when its container is and every readiness gate is open."""
    container = pod.spec.containers[0]
    state = {"running": {"startedAt": _time(started_at)}}
    status = _common(pod, place, now)
    return status | {
        "phase": "Running",
        "reason": None,
        "message": None,
        "containerStatuses": [_container(container.name, pod, place, state, ready=ready, started=True)],
        "conditions": _conditions(
            pod, now, initialized=True, containers_ready=ready, why="" if ready else "ContainersNotReady"
        ),
    }


def ended_status(pod: Pod, place: Place, ended: Ended, now: datetime) -> Status:
    """The pod has Succeeded or Failed, and its container status says how."""
    container = pod.spec.containers[0]
    code = _LOST_CODE if ended.exit_code is None else ended.exit_code
    terminated = {
        "exitCode": code,
        "reason": _ending(ended),
        "startedAt": _time(ended.started_at),
        "finishedAt": _time(ended.finished_at),
        "containerID": f"runc://{pod.metadata.uid}",
    }
    if code > 128:
        terminated["signal"] = code - 128
    if ended.exit_code is None:
        terminated["message"] = "the container is gone, and nothing on the host says how it ended"
    phase = "Succeeded" if code == 0 else "Failed"
    state = {"terminated": terminated}
    return _common(pod, place, now) | {
        "phase": phase,
        "containerStatuses": [_container(container.name, pod, place, state, ready=False, started=False)],
        "conditions": _conditions(
            pod,
            now,
            initialized=True,
            containers_ready=False,
            why="PodCompleted" if code == 0 else "PodFailed",
        ),
    }


def waiting_status(pod: Pod, place: Place, reason: str, message: str, now: datetime) -> Status:
    """The pod is Pending for this reason."""
    container = pod.spec.containers[0]
    state = {"waiting": {"reason": reason, "message": message}}
    return _common(pod, place, now) | {
        "phase": "Pending",
        "containerStatuses": [_container(container.name, pod, place, state, ready=False, started=False)],
        "conditions": _conditions(
            pod, now, initialized=True, containers_ready=False, why="ContainersNotReady"
        ),
    }


def refused_status(pod: Pod, host_ip: str, reason: str, message: str, now: datetime) -> Status:
    """The pod has Failed before anything was started."""
    return {
        "phase": "Failed",
        "reason": reason,
        "message": message,
        "hostIP": host_ip,
        "startTime": pod.status.start_time or rfc3339(now),
        "conditions": _conditions(
            pod, now, initialized=False, containers_ready=False, why=reason, text=message
        ),
    }


def changed(pod: Pod, status: Status) -> bool:
    """Writing the status would tell the API something new; times alone do not count."""
    kept = pod.status
    if (kept.phase, kept.reason, kept.message) != (
        status["phase"],
        status.get("reason"),
        status.get("message"),
    ):
        return True
    answers = {condition.type: condition.status for condition in kept.conditions or ()}
    if any(answers.get(wanted["type"]) != wanted["status"] for wanted in status["conditions"]):
        return True
    return _waiting_of(kept.container_statuses) != _waiting_of_dict(status.get("containerStatuses", ()))


def _waiting_of(statuses: Iterable[Any] | None) -> list[tuple[str | None, str | None]]:
    found = [status.state.waiting for status in statuses or () if status.state is not None]
    return [(waiting.reason, waiting.message) for waiting in found if waiting is not None]


def _waiting_of_dict(statuses: Iterable[Status]) -> list[tuple[str | None, str | None]]:
    found = [status["state"].get("waiting") for status in statuses]
    return [(waiting["reason"], waiting["message"]) for waiting in found if waiting is not None]


def _common(pod: Pod, place: Place, now: datetime) -> Status:
    addresses = place.addresses
    return {
        "hostIP": place.host_ip,
        "hostIPs": [{"ip": place.host_ip}],
        "podIP": addresses[0] if addresses else None,
        "podIPs": [{"ip": address} for address in addresses] or None,
        "startTime": pod.status.start_time or rfc3339(now),
    }


def _container(name: str, pod: Pod, place: Place, state: Status, *, ready: bool, started: bool) -> Status:
    return {
        "name": name,
        "image": pod.spec.containers[0].image,
        "imageID": place.image,
        "containerID": f"runc://{pod.metadata.uid}" if "waiting" not in state else "",
        "ready": ready,
        "started": started,
        "restartCount": 0,
        "state": state,
    }


def _conditions(
    pod: Pod, now: datetime, *, initialized: bool, containers_ready: bool, why: str = "", text: str = ""
) -> list[Status]:
    gate = _closed_gate(pod) if containers_ready else None
    ready = containers_ready and gate is None
    gate_text = f'the readiness gate "{gate}" of the pod is not "True"' if gate else text
    answers = (
        ("PodScheduled", True, "", ""),
        ("Initialized", initialized, "" if initialized else why, "" if initialized else text),
        ("ContainersReady", containers_ready, "" if containers_ready else why, text),
        ("Ready", ready, "" if ready else ("ReadinessGatesNotReady" if gate else why), gate_text),
    )
    return [_condition(pod, now, *answer) for answer in answers]


def _condition(pod: Pod, now: datetime, kind: str, answer: bool, reason: str, message: str) -> Status:
    status = "True" if answer else "False"
    kept = next((found for found in pod.status.conditions or () if found.type == kind), None)
    since = kept.last_transition_time if kept is not None and kept.status == status else None
    condition: Status = {"type": kind, "status": status, "lastTransitionTime": since or rfc3339(now)}
    if reason or (kept is not None and kept.reason):
        condition["reason"] = reason or None
    if message or (kept is not None and kept.message):
        condition["message"] = message or None
    return condition


def _closed_gate(pod: Pod) -> str | None:
    answers = {condition.type: condition.status for condition in pod.status.conditions or ()}
    gates = (gate.condition_type for gate in pod.spec.readiness_gates or ())
    return next((gate for gate in gates if answers.get(gate) != "True"), None)


def _ending(ended: Ended) -> str:
    if ended.exit_code is None:
        return "ContainerStatusUnknown"
    if ended.out_of_memory:
        return "OOMKilled"
    return "Completed" if ended.exit_code == 0 else "Error"


def _time(seconds: float) -> str:
    return rfc3339(datetime.fromtimestamp(seconds, UTC))
