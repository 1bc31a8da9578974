"""Pods and nodes as kubectl prints them."""

from datetime import datetime
from typing import Any

from virtdeck.basis.clock import parse_rfc3339
from virtdeck.standalone.apiserver.printing.columns import (
    AGE,
    NAME,
    Cells,
    Obj,
    Printer,
    TableColumn,
    age,
    human_duration,
    or_none,
    read,
)


def _wide(name: str) -> TableColumn:
    return TableColumn(name, priority=1)


def _pod_cells(pod: Obj, now: datetime) -> Cells:
    statuses = read(pod, "status.containerStatuses", [])
    ready = sum(bool(one.get("ready")) for one in statuses)
    total = len(read(pod, "spec.containers", []))
    return [
        pod["metadata"].get("name", ""),
        f"{ready}/{total}",
        pod_reason(pod),
        _restarts(statuses, now),
        age(pod["metadata"].get("creationTimestamp"), now),
        or_none(read(pod, "status.podIP")),
        or_none(read(pod, "spec.nodeName")),
        or_none(read(pod, "status.nominatedNodeName")),
        _gates(pod),
    ]


def _restarts(statuses: list[Any], now: datetime) -> str:
    count = sum(int(one.get("restartCount") or 0) for one in statuses)
    ends = [read(one, "lastState.terminated.finishedAt") for one in statuses]
    last = max((one for one in ends if one), default=None)
    if not count or not last:
        return str(count)
    return f"{count} ({human_duration(int((now - parse_rfc3339(last)).total_seconds()))} ago)"


def _gates(pod: Obj) -> str:
    gates = [one.get("conditionType") for one in read(pod, "spec.readinessGates", [])]
    if not gates:
        return "<none>"
    conditions = {one.get("type"): one.get("status") for one in read(pod, "status.conditions", [])}
    return f"{sum(conditions.get(gate) == 'True' for gate in gates)}/{len(gates)}"


def pod_reason(pod: Obj) -> str:
    """What STATUS says: the phase, or what a container waits for or died of."""
    status = pod.get("status") or {}
    reason = status.get("reason") or status.get("phase") or ""
    reason = _init_reason(status) or _container_reason(status, reason)
    if "deletionTimestamp" in pod["metadata"]:
        return "Unknown" if status.get("reason") == "NodeLost" else "Terminating"
    return str(reason)


def _init_reason(status: Obj) -> str:
    statuses = status.get("initContainerStatuses") or ()
    for index, one in enumerate(statuses):
        state = one.get("state") or {}
        ended = state.get("terminated")
        if ended and ended.get("exitCode") == 0:
            continue
        if ended:
            return f"Init:{ended.get('reason') or 'ExitCode:' + str(ended.get('exitCode'))}"
        waiting = (state.get("waiting") or {}).get("reason")
        if waiting and waiting != "PodInitializing":
            return f"Init:{waiting}"
        return f"Init:{index}/{len(statuses)}"
    return ""


def _container_reason(status: Obj, reason: str) -> str:
    running = False
    for one in reversed(status.get("containerStatuses") or ()):
        state = one.get("state") or {}
        if waiting := (state.get("waiting") or {}).get("reason"):
            reason = waiting
        elif ended := state.get("terminated"):
            signal = ended.get("signal")
            died = f"Signal:{signal}" if signal else f"ExitCode:{ended.get('exitCode', 0)}"
            reason = ended.get("reason") or died
        elif state.get("running") and one.get("ready"):
            running = True
    if reason == "Completed" and running:
        ready = any(
            one.get("type") == "Ready" and one.get("status") == "True"
            for one in status.get("conditions") or ()
        )
        return "Running" if ready else "NotReady"
    return reason


PODS = Printer(
    (
        NAME,
        TableColumn("Ready"),
        TableColumn("Status"),
        TableColumn("Restarts"),
        AGE,
        _wide("IP"),
        _wide("Node"),
        _wide("Nominated Node"),
        _wide("Readiness Gates"),
    ),
    _pod_cells,
)


def _node_cells(node: Obj, now: datetime) -> Cells:
    info = read(node, "status.nodeInfo", {})
    return [
        node["metadata"].get("name", ""),
        _node_status(node),
        _roles(node),
        age(node["metadata"].get("creationTimestamp"), now),
        info.get("kubeletVersion", ""),
        _address(node, "InternalIP"),
        _address(node, "ExternalIP"),
        info.get("osImage") or "<unknown>",
        info.get("kernelVersion") or "<unknown>",
        info.get("containerRuntimeVersion") or "<unknown>",
    ]


def _node_status(node: Obj) -> str:
    ready = next((one for one in read(node, "status.conditions", []) if one.get("type") == "Ready"), None)
    words = ["Unknown"] if ready is None else ["Ready" if ready.get("status") == "True" else "NotReady"]
    if read(node, "spec.unschedulable"):
        words.append("SchedulingDisabled")
    return ",".join(words)


def _roles(node: Obj) -> str:
    prefix = "node-role.kubernetes.io/"
    labels = node["metadata"].get("labels") or {}
    roles = sorted(label.removeprefix(prefix) for label in labels if label.startswith(prefix))
    return ",".join(filter(None, roles)) or "<none>"


def _address(node: Obj, kind: str) -> str:
    found = [one.get("address") for one in read(node, "status.addresses", []) if one.get("type") == kind]
    return str(found[0]) if found else "<none>"


NODES = Printer(
    (
        NAME,
        TableColumn("Status"),
        TableColumn("Roles"),
        AGE,
        TableColumn("Version"),
        _wide("Internal-IP"),
        _wide("External-IP"),
        _wide("OS-Image"),
        _wide("Kernel-Version"),
        _wide("Container-Runtime"),
    ),
    _node_cells,
)
