"""Pods and nodes."""

from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.resources.rules import Obj, Rules, required, unsupported

_POD_DEFAULTS: dict[str, Any] = {
    "restartPolicy": "Always",
    "terminationGracePeriodSeconds": 30,
    "dnsPolicy": "ClusterFirst",
    "securityContext": {},
    "schedulerName": "default-scheduler",
    "enableServiceLinks": True,
    "serviceAccountName": "default",
}
_CONTAINER_DEFAULTS: dict[str, Any] = {
    "resources": {},
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
}
# What may change in a pod's spec once it exists.
_POD_MUTABLE = (
    "activeDeadlineSeconds",
    "terminationGracePeriodSeconds",
    "tolerations",
    "schedulingGates",
    "nodeName",
)


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
        obj["status"] = {"phase": "Pending", "qosClass": qos_class(obj.get("spec") or {})}

    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        for name, value in _POD_DEFAULTS.items():
            spec.setdefault(name, dict(value) if isinstance(value, dict) else value)
        spec.setdefault("serviceAccount", spec["serviceAccountName"])
        for container in [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]:
            _default_container(container)

    def causes(self, obj: Obj) -> list[Cause]:
        spec = obj["spec"]
        causes = []
        if not spec.get("containers"):
            causes.append(required("spec.containers"))
        names: set[str] = set()
        for part in ("initContainers", "containers"):
            for index, container in enumerate(spec.get(part) or ()):
                causes += _causes_of_container(container, f"spec.{part}[{index}]", names)
        if spec["restartPolicy"] not in ("Always", "OnFailure", "Never"):
            supported = ("Always", "OnFailure", "Never")
            causes.append(unsupported("spec.restartPolicy", spec["restartPolicy"], supported))
        return causes + _causes_of_mounts(spec)

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        if _fixed_part(new["spec"]) == _fixed_part(old["spec"]):
            return []
        text = (
            "Forbidden: pod updates may not change fields other than `spec.containers[*].image`,"
            "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` "
            "(only additions to existing tolerations),`spec.terminationGracePeriodSeconds` "
            "(allow it to be set to 1 if it was previously negative)"
        )
        return [Cause("spec", text, "FieldValueForbidden")]


def _default_container(container: Obj) -> None:
    for name, value in _CONTAINER_DEFAULTS.items():
        container.setdefault(name, dict(value) if isinstance(value, dict) else value)
    resources = container["resources"]
    if limits := resources.get("limits"):  # what is limited and not asked for is asked for up to its limit
        resources["requests"] = {**limits, **(resources.get("requests") or {})}
    if "imagePullPolicy" not in container:
        image = container.get("image") or ""
        tag = image.rpartition("/")[2].partition("@")[0].partition(":")[2]
        latest = tag in ("", "latest") and "@" not in image
        container["imagePullPolicy"] = "Always" if latest else "IfNotPresent"


def _causes_of_container(container: Obj, path: str, names: set[str]) -> list[Cause]:
    causes = []
    name = container.get("name") or ""
    if not name:
        causes.append(required(f"{path}.name"))
    elif name in names:
        causes.append(Cause(f"{path}.name", f'Duplicate value: "{name}"', "FieldValueDuplicate"))
    names.add(name)
    if not container.get("image"):
        causes.append(required(f"{path}.image"))
    return causes


def _causes_of_mounts(spec: Obj) -> list[Cause]:
    volumes = {volume.get("name") for volume in spec.get("volumes") or ()}
    causes = []
    for index, container in enumerate(spec.get("containers") or ()):
        for place, mount in enumerate(container.get("volumeMounts") or ()):
            if mount.get("name") not in volumes:
                path = f"spec.containers[{index}].volumeMounts[{place}].name"
                causes.append(Cause(path, f'Not found: "{mount.get("name")}"', "FieldValueNotFound"))
    return causes


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
    for container in [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]:
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
    """Nodes: their labels and taints may change with their status, as kubelets do."""

    has_status = True
    selectable = frozenset({"spec.unschedulable"})

    def for_create(self, obj: Obj) -> None:
        # A kubelet registers its node with what it has found out already.
        self.default(obj)

    def default(self, obj: Obj) -> None:
        obj.setdefault("spec", {})


class PodDisruptionBudgetRules(Rules):
    """Budgets."""

    has_status = True
    has_generation = True
