"""Claims, volumes, storage classes and what CSI drivers register."""

from typing import Any

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.crds.quantity import parse_quantity
from virtdeck.standalone.apiserver.resources.checks import is_amount, one_of
from virtdeck.standalone.apiserver.resources.rules import Obj, Rules, required

CLAIM_FINALIZER, VOLUME_FINALIZER = "kubernetes.io/pvc-protection", "kubernetes.io/pv-protection"
_MODES = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
_VOLUME_MODES = ("Block", "Filesystem")
_RECLAIMS = ("Delete", "Recycle", "Retain")
_BINDINGS = ("Immediate", "WaitForFirstConsumer")
# Of a volume's spec, what does not say where its data is.
_NO_SOURCE = frozenset(
    {
        "accessModes",
        "capacity",
        "claimRef",
        "mountOptions",
        "nodeAffinity",
        "persistentVolumeReclaimPolicy",
        "storageClassName",
        "volumeAttributesClassName",
        "volumeMode",
    }
)
_GROUP_POLICIES, _LIFECYCLES = ("File", "None", "ReadWriteOnceWithFSType"), ("Ephemeral", "Persistent")
_DRIVER_DEFAULTS: Obj = {
    "attachRequired": True,
    "podInfoOnMount": False,
    "storageCapacity": False,
    "fsGroupPolicy": "ReadWriteOnceWithFSType",
    "requiresRepublish": False,
    "seLinuxMount": False,
}
_KEPT = "{} are kept, but nothing on this machine provides storage for them"


def _protect(obj: Obj, finalizer: str) -> None:
    """What is in use stays until nobody uses it."""
    held = obj["metadata"].get("finalizers") or []
    if finalizer not in held:
        obj["metadata"]["finalizers"] = [*held, finalizer]


def _modes(spec: Obj) -> list[Cause]:
    modes = spec.get("accessModes") or []
    if not modes:
        return [
            Cause(
                "spec.accessModes", "Required value: at least 1 access mode is required", "FieldValueRequired"
            )
        ]
    return [cause for mode in modes for cause in one_of("spec.accessModes", mode, _MODES)]


class ClaimRules(Rules):
    """PersistentVolumeClaims: pending until something binds them."""

    has_status = True

    def for_create(self, obj: Obj) -> None:
        super().for_create(obj)
        obj["status"] = {"phase": "Pending"}
        _protect(obj, CLAIM_FINALIZER)

    def default(self, obj: Obj) -> None:
        obj.setdefault("spec", {}).setdefault("volumeMode", "Filesystem")

    def causes(self, obj: Obj) -> list[Cause]:
        spec = obj["spec"]
        causes = _modes(spec)
        size = ((spec.get("resources") or {}).get("requests") or {}).get("storage")
        path = "spec.resources[storage]"
        causes += [required(path)] if size is None else is_amount(path, size)
        return causes + one_of("spec.volumeMode", spec.get("volumeMode"), _VOLUME_MODES)

    def warnings(self, obj: Obj) -> list[str]:
        return [_KEPT.format("persistent volume claims")]

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        causes = []
        if _fixed(new["spec"], old) != _fixed(old["spec"], old):
            text = (
                "Forbidden: spec is immutable after creation except resources.requests and "
                "volumeAttributesClassName for bound claims"
            )
            causes.append(Cause("spec", text, "FieldValueForbidden"))
        if _size(new) < _size(old):
            text = "Forbidden: field can not be less than status.capacity"
            causes.append(Cause("spec.resources.requests.storage", text, "FieldValueForbidden"))
        return causes


def _fixed(spec: Obj, old: Obj) -> Obj:
    """What may not change: a claim is bound once, and grows only when it is bound."""
    free = {"volumeAttributesClassName"}
    if not old["spec"].get("volumeName"):
        free.add("volumeName")
    if (old.get("status") or {}).get("phase") == "Bound":
        free.add("resources")
    return {name: value for name, value in spec.items() if name not in free}


def _size(claim: Obj) -> Any:
    resources = claim["spec"].get("resources") or {}
    try:
        return parse_quantity((resources.get("requests") or {}).get("storage", 0))
    except Invalid:
        return 0


class VolumeRules(Rules):
    """PersistentVolumes: pending until something looks at them; where their data is, is for good."""

    has_status = True

    def for_create(self, obj: Obj) -> None:
        super().for_create(obj)
        obj["status"] = {"phase": "Pending"}
        _protect(obj, VOLUME_FINALIZER)

    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        spec.setdefault("volumeMode", "Filesystem")
        spec.setdefault("persistentVolumeReclaimPolicy", "Retain")
        if source := spec.get("hostPath"):
            source.setdefault("type", "")

    def causes(self, obj: Obj) -> list[Cause]:
        spec = obj["spec"]
        causes = _modes(spec)
        capacity = spec.get("capacity") or {}
        if not capacity:
            causes.append(required("spec.capacity"))
        if set(capacity) != {"storage"}:
            text = 'Unsupported value: supported values: "storage"'
            causes.append(Cause("spec.capacity", text, "FieldValueNotSupported"))
        for name, amount in capacity.items():
            causes += is_amount(f"spec.capacity[{name}]", amount)
        sources = [name for name in spec if name not in _NO_SOURCE]
        if not sources:
            causes.append(Cause("spec", "Required value: must specify a volume type", "FieldValueRequired"))
        for name in sources[1:]:
            text = "Forbidden: may not specify more than 1 volume type"
            causes.append(Cause(f"spec.{name}", text, "FieldValueForbidden"))
        policy = spec.get("persistentVolumeReclaimPolicy")
        causes += one_of("spec.persistentVolumeReclaimPolicy", policy, _RECLAIMS)
        return causes + one_of("spec.volumeMode", spec.get("volumeMode"), _VOLUME_MODES)

    def warnings(self, obj: Obj) -> list[str]:
        return [_KEPT.format("persistent volumes")]

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        causes = []
        if _source(new["spec"]) != _source(old["spec"]):
            text = "Forbidden: spec.persistentvolumesource is immutable after creation"
            causes.append(Cause("spec.persistentvolumesource", text, "FieldValueForbidden"))
        if new["spec"].get("volumeMode") != old["spec"].get("volumeMode"):
            causes.append(Cause("spec.volumeMode", "Invalid value: field is immutable"))
        return causes


def _source(spec: Obj) -> Obj:
    return {name: value for name, value in spec.items() if name not in _NO_SOURCE}


class StorageClassRules(Rules):
    """StorageClasses: only their labels, annotations, expansion and topologies change."""

    checks_presence = True

    def default(self, obj: Obj) -> None:
        obj.setdefault("reclaimPolicy", "Delete")
        obj.setdefault("volumeBindingMode", "Immediate")

    def causes(self, obj: Obj) -> list[Cause]:
        causes = [] if obj.get("provisioner") else [required("provisioner")]
        causes += one_of("reclaimPolicy", obj.get("reclaimPolicy"), ("Delete", "Retain"))
        return causes + one_of("volumeBindingMode", obj.get("volumeBindingMode"), _BINDINGS)

    def warnings(self, obj: Obj) -> list[str]:
        return [_KEPT.format("storage classes")]

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        causes = []
        for name in ("parameters", "provisioner", "reclaimPolicy"):
            if (new.get(name) or {}) != (old.get(name) or {}):
                text = f"Forbidden: updates to {name} are forbidden."
                causes.append(Cause(name, text, "FieldValueForbidden"))
        if new.get("volumeBindingMode") != old.get("volumeBindingMode"):
            text = f'Invalid value: "{new.get("volumeBindingMode")}": field is immutable'
            causes.append(Cause("volumeBindingMode", text))
        return causes


class DriverRules(Rules):
    """CSIDrivers: what a driver needs of whoever mounts for it."""

    has_generation = True

    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        for name, value in _DRIVER_DEFAULTS.items():
            spec.setdefault(name, value)
        spec.setdefault("volumeLifecycleModes", ["Persistent"])

    def causes(self, obj: Obj) -> list[Cause]:
        spec = obj["spec"]
        causes = one_of("spec.fsGroupPolicy", spec.get("fsGroupPolicy"), _GROUP_POLICIES)
        for mode in spec.get("volumeLifecycleModes") or ():
            causes += one_of("spec.volumeLifecycleModes", mode, _LIFECYCLES)
        return causes

    def warnings(self, obj: Obj) -> list[str]:
        return [_KEPT.format("CSI drivers")]

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        return [
            Cause(f"spec.{name}", f"Invalid value: {str(new['spec'].get(name)).lower()}: field is immutable")
            for name in ("attachRequired", "volumeLifecycleModes")
            if new["spec"].get(name) != old["spec"].get(name)
        ]


class DriverNodeRules(Rules):
    """CSINodes: which drivers a node has, each once."""

    def causes(self, obj: Obj) -> list[Cause]:
        causes: list[Cause] = []
        names: set[str] = set()
        for index, driver in enumerate((obj.get("spec") or {}).get("drivers") or ()):
            name = driver.get("name") or ""
            if name in names:
                path = f"spec.drivers[{index}].name"
                causes.append(Cause(path, f'Duplicate value: "{name}"', "FieldValueDuplicate"))
            names.add(name)
        return causes

    def warnings(self, obj: Obj) -> list[str]:
        return [_KEPT.format("CSI nodes")]
