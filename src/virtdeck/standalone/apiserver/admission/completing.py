"""What is filled in from other objects: priorities of pods, classes of claims; accounts have to be there."""

from typing import Any

from virtdeck.standalone.apiserver.problems import forbidden
from virtdeck.standalone.apiserver.storage.store import Store
from virtdeck.standalone.apiserver.verbs.attributes import Attributes

Obj = dict[str, Any]

_PRIORITIES = "scheduling.k8s.io/priorityclasses"
_CLASSES = "storage.k8s.io/storageclasses"
_DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class"


def complete(store: Store, attributes: Attributes, obj: Obj, old: Obj | None) -> None:
    """A new object has what others say of its kind. Raises: StatusError 403."""
    match attributes.group, attributes.plural:
        case "", "pods" if old is None:
            _require_account(store, attributes, obj.get("spec") or {})
            _set_priority(store, attributes, obj.get("spec") or {})
        case "", "persistentvolumeclaims" if old is None:
            _set_class(store, obj.get("spec") or {})
        case "scheduling.k8s.io", "priorityclasses":
            _check_default(store, attributes, obj)


def _require_account(store: Store, attributes: Attributes, spec: Obj) -> None:
    """The pod's account is there; the default one may be on its way."""
    name, namespace = spec.get("serviceAccountName") or "default", attributes.namespace
    if name == "default" or store.shelf("/serviceaccounts").get((namespace, name)) is not None:
        return
    why = f'error looking up service account {namespace}/{name}: serviceaccount "{name}" not found'
    raise forbidden("pods", "", attributes.name, why)


def _set_priority(store: Store, attributes: Attributes, spec: Obj) -> None:
    name = spec.get("priorityClassName")
    row = store.shelf(_PRIORITIES).get(("", name)) if name else None
    held = row.decode() if row is not None else _default_priority(store)
    if name and row is None:
        raise forbidden("pods", "", attributes.name, f"no PriorityClass with name {name} was found")
    if held is None:
        spec.setdefault("priority", 0)
        spec.setdefault("preemptionPolicy", "PreemptLowerPriority")
        return
    spec["priorityClassName"] = held["metadata"]["name"]
    spec["priority"] = held.get("value", 0)
    spec["preemptionPolicy"] = held.get("preemptionPolicy", "PreemptLowerPriority")


def _default_priority(store: Store) -> Obj | None:
    """The class that counts where none is named; of several, the lowest."""
    classes = [row.decode() for row in store.shelf(_PRIORITIES).rows.values()]
    found = [held for held in classes if held.get("globalDefault")]
    return min(found, key=lambda held: int(held.get("value", 0)), default=None)


def _check_default(store: Store, attributes: Attributes, obj: Obj) -> None:
    held = _default_priority(store) if obj.get("globalDefault") else None
    if held is None or held["metadata"]["name"] == attributes.name:
        return
    why = f"PriorityClass {held['metadata']['name']} is already marked as default. Only one default can exist"
    raise forbidden(attributes.plural, attributes.group, attributes.name, why)


def _set_class(store: Store, spec: Obj) -> None:
    """A claim that names no class has the default one; of several, the newest."""
    if "storageClassName" in spec:
        return
    found = []
    for row in store.shelf(_CLASSES).rows.values():
        meta = row.decode()["metadata"]
        if (meta.get("annotations") or {}).get(_DEFAULT_CLASS) == "true":
            found.append((meta.get("creationTimestamp", ""), row.name))
    if found:
        spec["storageClassName"] = max(found)[1]
