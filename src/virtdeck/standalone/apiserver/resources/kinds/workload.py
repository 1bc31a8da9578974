"""Pods and nodes."""

from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.resources.kinds.pod_checks import causes_of_pod
from virtdeck.standalone.apiserver.resources.kinds.pod_defaults import containers_of, default_pod
from virtdeck.standalone.apiserver.resources.rules import Obj, Rules

# What may change in a pod's spec once it exists; tolerations may only be added, a deadline only come nearer.
_POD_MUTABLE = ("activeDeadlineSeconds", "tolerations", "schedulingGates")

_LOST_NODE = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")


class PodRules(Rules):
    """Pods: defaults, a pending status, a spec that hardly changes."""

    has_status = True
    has_generation = True
    selectable = frozenset(
        {
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.schedulerName",
            "spec.serviceAccountName",
            "spec.hostNetwork",
            "status.phase",
            "status.podIP",
            "status.nominatedNodeName",
        }
    )

    def for_create(self, obj: Obj) -> None:
        super().for_create(obj)
        spec = obj.get("spec") or {}
        _tolerate_a_while(spec)
        obj["status"] = {"phase": "Pending", "qosClass": qos_class(spec)}

    def for_status(self, new: Obj, old: Obj) -> None:
        super().for_status(new, old)
        status = new.get("status") or {}
        if status.get("podIP") and not status.get("podIPs"):
            status["podIPs"] = [{"ip": status["podIP"]}]

    def default(self, obj: Obj) -> None:
        default_pod(obj.setdefault("spec", {}))

    def causes(self, obj: Obj) -> list[Cause]:
        return causes_of_pod(obj["spec"])

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        before, now = old["spec"], new["spec"]
        if _fixed_part(now) == _fixed_part(before) and _keeps(now, before):
            return []
        text = (
            "Forbidden: pod updates may not change fields other than `spec.containers[*].image`,"
            "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` "
            "(only additions to existing tolerations),`spec.terminationGracePeriodSeconds` "
            "(allow it to be set to 1 if it was previously negative)"
        )
        return [Cause("spec", text, "FieldValueForbidden")]


def _tolerate_a_while(spec: Obj) -> None:
    """A node that is lost keeps the pod for five minutes, unless the pod says otherwise."""
    held = spec.get("tolerations") or []
    for key in _LOST_NODE:
        if not any(_tolerates(one, key) for one in held):
            held = [
                *held,
                {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300},
            ]
    spec["tolerations"] = held


def _tolerates(toleration: Obj, key: str) -> bool:
    effect = toleration.get("effect") or "NoExecute"
    return (toleration.get("key") or key) == key and bool(effect == "NoExecute")


def _keeps(now: Obj, before: Obj) -> bool:
    held = now.get("tolerations") or []
    if any(one not in held for one in before.get("tolerations") or ()):
        return False
    deadline, earlier = now.get("activeDeadlineSeconds"), before.get("activeDeadlineSeconds")
    return earlier is None or (deadline is not None and deadline <= earlier)


def _fixed_part(spec: Obj) -> Obj:
    fixed = {name: value for name, value in spec.items() if name not in _POD_MUTABLE}
    for part in ("containers", "initContainers"):
        fixed[part] = [
            {name: value for name, value in container.items() if name != "image"}
            for container in spec.get(part) or ()
        ]
    return fixed


def qos_class(spec: Obj) -> str:
    """Guaranteed, Burstable or BestEffort, by the containers' CPU and memory."""
    requests: set[str] = set()
    guaranteed = True
    for container in containers_of(spec):
        resources = container.get("resources") or {}
        limits, asked = resources.get("limits") or {}, resources.get("requests") or {}
        requests |= {name for name in ("cpu", "memory") if name in limits or name in asked}
        for name in ("cpu", "memory"):
            if name not in limits or asked.get(name, limits[name]) != limits[name]:
                guaranteed = False
    if not requests:
        return "BestEffort"
    return "Guaranteed" if guaranteed else "Burstable"


class NodeRules(Rules):
    """Nodes: their labels and taints may change with their status, as kubelets do; addresses are for good."""

    has_status = True
    selectable = frozenset({"spec.unschedulable"})

    def for_create(self, obj: Obj) -> None:
        # A kubelet registers its node with what it has found out already.
        self.default(obj)

    def default(self, obj: Obj) -> None:
        obj.setdefault("spec", {})
        endpoints: Any = obj.setdefault("status", {}).setdefault("daemonEndpoints", {})
        endpoints.setdefault("kubeletEndpoint", {"Port": 0})

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        causes = []
        if _changed(new, old, "podCIDR", "podCIDRs"):
            text = 'Forbidden: node updates may not change podCIDR except from "" to valid'
            causes.append(Cause("spec.podCIDRs", text, "FieldValueForbidden"))
        if _changed(new, old, "providerID"):
            text = 'Forbidden: node updates may not change providerID except from "" to valid'
            causes.append(Cause("spec.providerID", text, "FieldValueForbidden"))
        return causes


def _changed(new: Obj, old: Obj, *names: str) -> bool:
    before, now = old.get("spec") or {}, new.get("spec") or {}
    return any(before.get(name) and before[name] != now.get(name) for name in names)
