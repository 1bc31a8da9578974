"""Namespaces, priorities, leases, revisions and events."""

import re

from virtdeck.basis.errors import Cause
from virtdeck.crds.names import faults_of_label
from virtdeck.standalone.apiserver.problems import bad_request
from virtdeck.standalone.apiserver.resources.checks import at_least, one_of
from virtdeck.standalone.apiserver.resources.rules import Obj, Rules, required

_SYSTEM = "system-"
_SYSTEM_PRIORITIES = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}
_HIGHEST_PRIORITY = 1_000_000_000
_PREEMPTIONS = ("Never", "PreemptLowerPriority")
_MICROSECONDS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(Z|[+-]\d\d:\d\d)", re.ASCII)


class NamespaceRules(Rules):
    """Namespaces: a label of their name, a finalizer in their spec, a phase."""

    has_status = True
    selectable = frozenset({"status.phase"})

    def faults_of_name(self, name: str) -> list[str]:
        return faults_of_label(name)

    def for_create(self, obj: Obj) -> None:
        super().for_create(obj)
        obj["spec"] = {"finalizers": ["kubernetes"]}
        obj["status"] = {"phase": "Active"}

    def for_update(self, new: Obj, old: Obj) -> None:
        super().for_update(new, old)
        new["spec"] = old.get("spec", {})

    def default(self, obj: Obj) -> None:
        meta = obj["metadata"]
        meta["labels"] = {**(meta.get("labels") or {}), "kubernetes.io/metadata.name": meta["name"]}


class PriorityClassRules(Rules):
    """PriorityClasses: users' end where the system's begin."""

    has_generation = True

    def for_update(self, new: Obj, old: Obj) -> None:
        super().for_update(new, old)
        new["metadata"]["generation"] = old["metadata"].get("generation", 1)

    def default(self, obj: Obj) -> None:
        obj.setdefault("preemptionPolicy", "PreemptLowerPriority")
        obj.setdefault("value", 0)

    def causes(self, obj: Obj) -> list[Cause]:
        name = obj["metadata"]["name"]
        if name.startswith(_SYSTEM):
            if _SYSTEM_PRIORITIES.get(name) == obj["value"]:
                return []
            text = (
                "Forbidden: priority class names with 'system-' prefix are reserved for system use only. "
                f"error: {name} is not a known system priority class"
            )
            return [Cause("metadata.name", text, "FieldValueForbidden")]
        causes = one_of("preemptionPolicy", obj.get("preemptionPolicy"), _PREEMPTIONS)
        if obj["value"] > _HIGHEST_PRIORITY:
            text = f"Forbidden: maximum allowed value of a user defined priority is {_HIGHEST_PRIORITY}"
            causes.append(Cause("value", text, "FieldValueForbidden"))
        return causes

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        if new.get("value") == old.get("value"):
            return []
        return [Cause("Value", "Forbidden: may not be changed in an update.", "FieldValueForbidden")]


class RevisionRules(Rules):
    """ControllerRevisions: what they hold is for good."""

    def causes(self, obj: Obj) -> list[Cause]:
        causes = []
        if obj.get("data") is None:
            causes.append(Cause("data", "Required value: data is mandatory", "FieldValueRequired"))
        return causes + at_least("revision", obj.get("revision"))

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        if new.get("data") == old.get("data"):
            return []
        return [Cause("data", "Invalid value: field is immutable")]


class LeaseRules(Rules):
    """Leases: their times have fractions of a second."""

    def default(self, obj: Obj) -> None:
        spec = obj.get("spec") or {}
        for name in ("acquireTime", "renewTime"):
            if (text := spec.get(name)) and not _MICROSECONDS.fullmatch(str(text)):
                raise bad_request(
                    f'Lease in version "v1" cannot be handled as a Lease: spec.{name}: "{text}" is no time '
                    "such as 2006-01-02T15:04:05.000000Z"
                )

    def causes(self, obj: Obj) -> list[Cause]:
        spec = obj.get("spec") or {}
        causes = at_least("spec.leaseDurationSeconds", spec.get("leaseDurationSeconds"), 1)
        return causes + at_least("spec.leaseTransitions", spec.get("leaseTransitions"))


class EventRules(Rules):
    """Events."""

    selectable = frozenset(
        {
            "involvedObject.kind",
            "involvedObject.namespace",
            "involvedObject.name",
            "involvedObject.uid",
            "involvedObject.apiVersion",
            "involvedObject.resourceVersion",
            "involvedObject.fieldPath",
            "reason",
            "reportingComponent",
            "source",
            "type",
        }
    )

    def causes(self, obj: Obj) -> list[Cause]:
        subject = obj.get("involvedObject") or obj.get("regarding") or {}
        field = "regarding" if "regarding" in obj else "involvedObject"
        causes = []
        if obj.get("apiVersion") == "events.k8s.io/v1":
            causes = [required(name) for name in ("eventTime", "type") if not obj.get(name)]
        place, namespace = obj["metadata"].get("namespace"), subject.get("namespace")
        if (namespace or "default") != place:
            text = f'Invalid value: "{namespace or ""}": does not match event.namespace'
            causes.append(Cause(f"{field}.namespace", text))
        return causes
