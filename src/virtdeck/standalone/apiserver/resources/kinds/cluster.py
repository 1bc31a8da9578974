"""Namespaces, services, storage and the other plain kinds of the core groups."""

import base64
import binascii
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.objects.names import (
    faults_of_label,
    faults_of_path_segment,
    faults_of_service_name,
)
from virtdeck.standalone.apiserver.resources.rules import Obj, Rules, immutable, required


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


class ServiceRules(Rules):
    """Services: headless unless an address was asked for, since nothing routes cluster addresses here."""

    has_status = True

    def faults_of_name(self, name: str) -> list[str]:
        return faults_of_service_name(name)

    def for_create(self, obj: Obj) -> None:
        super().for_create(obj)
        obj["status"] = {"loadBalancer": {}}

    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        spec.setdefault("type", "ClusterIP")
        spec.setdefault("sessionAffinity", "None")
        if spec["type"] != "ExternalName":
            spec.setdefault("clusterIP", "None")
            spec.setdefault("clusterIPs", [spec["clusterIP"]])
            spec.setdefault("internalTrafficPolicy", "Cluster")
            spec.setdefault("ipFamilies", ["IPv4"])
            spec.setdefault("ipFamilyPolicy", "SingleStack")
        for port in spec.get("ports") or ():
            port.setdefault("protocol", "TCP")
            port.setdefault("targetPort", port.get("port"))

    def causes(self, obj: Obj) -> list[Cause]:
        spec = obj["spec"]
        headless = spec.get("clusterIP") == "None" or spec["type"] == "ExternalName"
        return [] if spec.get("ports") or headless else [required("spec.ports")]


class SecretRules(Rules):
    """Secrets: ``stringData`` becomes ``data``; type and immutable ones do not change."""

    selectable = frozenset({"type"})

    def default(self, obj: Obj) -> None:
        obj.setdefault("type", "Opaque")
        for name, text in (obj.pop("stringData", None) or {}).items():
            data = obj.get("data") or {}
            obj["data"] = {**data, name: base64.b64encode(str(text).encode()).decode()}

    def causes(self, obj: Obj) -> list[Cause]:
        causes = []
        for name, value in (obj.get("data") or {}).items():
            try:
                base64.b64decode(value, validate=True)
            except (binascii.Error, ValueError, TypeError):
                causes.append(Cause(f"data[{name}]", 'Invalid value: "": must be base64'))
        return causes

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        causes = [immutable("type")] if new.get("type") != old.get("type") else []
        return causes + causes_of_immutable(new, old, ("data",))


class ConfigMapRules(Rules):
    """ConfigMaps: immutable ones do not change."""

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        return causes_of_immutable(new, old, ("data", "binaryData"))


def causes_of_immutable(new: Obj, old: Obj, parts: tuple[str, ...]) -> list[Cause]:
    """What an object with ``immutable: true`` does not allow."""
    if not old.get("immutable"):
        return []
    text = "Forbidden: field is immutable when `immutable` is set"
    changed = [name for name in parts if new.get(name) != old.get(name)]
    if not new.get("immutable"):
        changed.insert(0, "immutable")
    return [Cause(name, text, "FieldValueForbidden") for name in changed]


class RbacRules(Rules):
    """Roles and bindings: any name that can stand in a path; a binding's role is for good."""

    def faults_of_name(self, name: str) -> list[str]:
        return faults_of_path_segment(name)

    def causes(self, obj: Obj) -> list[Cause]:
        if "roleRef" not in obj:
            return []
        ref: Any = obj["roleRef"] or {}
        return [required(f"roleRef.{name}") for name in ("kind", "name") if not ref.get(name)]

    def default(self, obj: Obj) -> None:
        if ref := obj.get("roleRef"):
            ref.setdefault("apiGroup", "rbac.authorization.k8s.io")
        for subject in obj.get("subjects") or ():
            if subject.get("kind") in ("User", "Group"):
                subject.setdefault("apiGroup", "rbac.authorization.k8s.io")

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        if new.get("roleRef") == old.get("roleRef"):
            return []
        return [Cause("roleRef", "Invalid value: cannot change roleRef")]


class ClaimRules(Rules):
    """PersistentVolumeClaims: pending until something binds them."""

    has_status = True

    def for_create(self, obj: Obj) -> None:
        super().for_create(obj)
        obj["status"] = {"phase": "Pending"}

    def default(self, obj: Obj) -> None:
        obj.setdefault("spec", {}).setdefault("volumeMode", "Filesystem")

    def causes(self, obj: Obj) -> list[Cause]:
        spec = obj["spec"]
        causes = [] if spec.get("accessModes") else [required("spec.accessModes")]
        if not ((spec.get("resources") or {}).get("requests") or {}).get("storage"):
            causes.append(required("spec.resources[storage]"))
        return causes


class VolumeRules(Rules):
    """PersistentVolumes: available until something binds them."""

    has_status = True

    def for_create(self, obj: Obj) -> None:
        super().for_create(obj)
        obj["status"] = {"phase": "Available"}

    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        spec.setdefault("volumeMode", "Filesystem")
        spec.setdefault("persistentVolumeReclaimPolicy", "Retain")


class StorageClassRules(Rules):
    """StorageClasses."""

    def default(self, obj: Obj) -> None:
        obj.setdefault("reclaimPolicy", "Delete")
        obj.setdefault("volumeBindingMode", "Immediate")


class PriorityClassRules(Rules):
    """PriorityClasses."""

    def default(self, obj: Obj) -> None:
        obj.setdefault("preemptionPolicy", "PreemptLowerPriority")

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        return [immutable("value")] if new.get("value") != old.get("value") else []


class RevisionRules(Rules):
    """ControllerRevisions: what they hold is for good."""

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        return [immutable("data")] if new.get("data") != old.get("data") else []


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


class NetworkPolicyRules(Rules):
    """NetworkPolicies: kept for those who move to a cluster."""

    has_generation = True

    def warnings(self, obj: Obj) -> list[str]:
        return ["network policies are kept, but nothing on this machine enforces them"]
