"""The rules of ``metadata``: what the server sets, what a client may set, what may never change."""

import uuid
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.crds.names import (
    causes_of_annotations,
    causes_of_labels,
    faults_of_qualified_name,
    invalid_value,
)

Obj = dict[str, Any]

_SERVER_FIELDS = ("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink")

_FIXED_FIELDS = ("deletionTimestamp", "deletionGracePeriodSeconds")
_NO_OWNERS = (("v1", "Event"),)
_PLAIN_FINALIZERS = ("kubernetes", "orphan", "foregroundDeletion")


def metadata_for_create(obj: Obj, now: str) -> None:
    """The metadata of an object that did not exist: what clients say of server-owned fields is dropped."""
    meta = obj["metadata"]
    for name in (*_SERVER_FIELDS, "resourceVersion", "generation"):
        meta.pop(name, None)
    meta["uid"] = str(uuid.uuid4())
    meta["creationTimestamp"] = now


def metadata_for_update(new: Obj, old: Obj) -> None:
    """Server-owned fields are as they were; empty maps and lists go."""
    meta, before = new["metadata"], old["metadata"]
    for name in (*_SERVER_FIELDS, "generation", "generateName"):
        if name in _FIXED_FIELDS and meta.get(name) is not None:
            continue  # whoever says another one is told
        if name in before:
            meta[name] = before[name]
        else:
            meta.pop(name, None)
    tidy(meta)


def tidy(meta: Obj) -> None:
    """Fields that say nothing are not stored."""
    for name in ("labels", "annotations", "finalizers", "ownerReferences", "managedFields", "generateName"):
        if name in meta and not meta[name]:
            del meta[name]


def causes_of_metadata(meta: Obj, faults_of_name: list[str], namespaced: bool) -> list[Cause]:
    """What is wrong with the metadata of an object to be created or replaced."""
    name, base = meta.get("name") or "", meta.get("generateName") or ""
    causes = [invalid_value("metadata.generateName", base, fault) for fault in faults_of_name if base]
    causes += [invalid_value("metadata.name", name, fault) for fault in faults_of_name]
    if not namespaced and meta.get("namespace"):
        text = "Forbidden: not allowed on this type"
        causes.append(Cause("metadata.namespace", text, "FieldValueForbidden"))
    causes += causes_of_labels(meta.get("labels") or {}, "metadata.labels")
    causes += causes_of_annotations(meta.get("annotations") or {}, "metadata.annotations")
    for finalizer in meta.get("finalizers") or ():
        causes += [
            invalid_value("metadata.finalizers", finalizer, fault)
            for fault in faults_of_qualified_name(finalizer)
        ]
    return causes + _causes_of_owners(meta.get("ownerReferences") or ())


def causes_of_plain_finalizers(meta: Obj) -> list[Cause]:
    """What is wrong with a built-in kind's finalizers: those of nobody in particular are Kubernetes' own."""
    why = "name is neither a standard finalizer name nor is it fully qualified"
    return [
        invalid_value(f"metadata.finalizers[{index}]", finalizer, why)
        for index, finalizer in enumerate(meta.get("finalizers") or ())
        if "/" not in finalizer and finalizer not in _PLAIN_FINALIZERS
    ]


def _causes_of_owners(owners: Any) -> list[Cause]:
    causes = []
    controllers = []
    path = "metadata.ownerReferences"
    for owner in owners:
        version, kind = owner.get("apiVersion") or "", owner.get("kind") or ""
        causes += [
            invalid_value(f"{path}.{field}", given, f"{word} must not be empty")
            for field, word, given, stands in (
                ("apiVersion", "version", version, version and version.count("/") < 2),
                ("kind", "kind", kind, kind),
                ("name", "name", owner.get("name") or "", owner.get("name")),
                ("uid", "uid", owner.get("uid") or "", owner.get("uid")),
            )
            if not stands
        ]
        if (version, kind) in _NO_OWNERS:
            text = f"Invalid value: /{version}, Kind={kind} is disallowed from being an owner"
            causes.append(Cause(path, text))
        if owner.get("controller"):
            controllers.append(str(owner.get("name")))
    if len(controllers) > 1:
        text = 'Only one reference can have Controller set to true. Found "true" in references for '
        causes.append(Cause("metadata.ownerReferences", f"Invalid value: {text}{' and '.join(controllers)}"))
    return causes


def causes_of_metadata_change(new: Obj, old: Obj) -> list[Cause]:
    """What an update may not do: begin or delay a deletion, or add finalizers while there is one."""
    causes = [
        Cause(f"metadata.{name}", f"Invalid value: {new[name]}: field is immutable")
        for name in _FIXED_FIELDS
        if name in new and new[name] != old.get(name)
    ]
    return causes + _causes_of_late_finalizers(new, old)


def _causes_of_late_finalizers(new: Obj, old: Obj) -> list[Cause]:
    if "deletionTimestamp" not in old:
        return []
    added = [name for name in new.get("finalizers") or () if name not in (old.get("finalizers") or ())]
    if not added:
        return []
    shown = ", ".join(f'"{name}"' for name in added)
    text = (
        "Forbidden: no new finalizers can be added if the object is being deleted, "
        f"found new finalizers []string{{{shown}}}"
    )
    return [Cause("metadata.finalizers", text, "FieldValueForbidden")]


def causes_of_shape(meta: Any) -> list[Cause]:
    """What is wrong with the types inside ``metadata``; nothing else may look at it before this."""
    if not isinstance(meta, dict):
        return [Cause("metadata", "Invalid value: must be an object", "FieldValueTypeInvalid")]
    causes = [
        Cause(f"metadata.{name}", "Invalid value: must be a string", "FieldValueTypeInvalid")
        for name in ("name", "namespace", "generateName", "resourceVersion", "uid")
        if not isinstance(meta.get(name, ""), str | None)
    ]
    causes += [
        Cause(f"metadata.{name}", "Invalid value: must be a map of strings", "FieldValueTypeInvalid")
        for name in ("labels", "annotations")
        if not _is_string_map(meta.get(name))
    ]
    if not _is_list_of(meta.get("finalizers"), str):
        text = "Invalid value: must be a list of strings"
        causes.append(Cause("metadata.finalizers", text, "FieldValueTypeInvalid"))
    for name in ("ownerReferences", "managedFields"):
        if not _is_list_of(meta.get(name), dict):
            text = "Invalid value: must be a list of objects"
            causes.append(Cause(f"metadata.{name}", text, "FieldValueTypeInvalid"))
    return causes


def _is_string_map(value: Any) -> bool:
    if value is None:
        return True
    return isinstance(value, dict) and all(isinstance(item, str | None) for item in value.values())


def _is_list_of(value: Any, kind: type) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(item, kind) for item in value))
