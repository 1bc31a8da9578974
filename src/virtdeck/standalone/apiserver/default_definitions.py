"""CRDs that are there from the first start: volume snapshots and network attachments, as clusters have them.

Their names and fields are those of the published APIs; whoever applies the originals replaces these.
"""

from collections.abc import Iterator
from typing import Any

Obj = dict[str, Any]

SNAPSHOTS, NETWORKS = "snapshot.storage.k8s.io", "k8s.cni.cncf.io"
# What is stored and not acted on is told to whoever writes it, by group.
KEPT = {
    SNAPSHOTS: "volume snapshots are kept, but nothing on this machine takes or restores them",
    NETWORKS: "network attachment definitions are kept, but nothing on this machine attaches guests to them",
}
_TEXT: Obj = {"type": "string"}
_FLAG: Obj = {"type": "boolean"}
_NUMBER: Obj = {"type": "integer", "format": "int64"}
_TIME: Obj = {"type": "string", "format": "date-time"}
_TEXTS: Obj = {"type": "object", "additionalProperties": _TEXT}
_SIZE: Obj = {"x-kubernetes-int-or-string": True}
_POLICY: Obj = {"type": "string", "enum": ["Delete", "Retain"]}


def _map(*required: str, **fields: Obj) -> Obj:
    made: Obj = {"type": "object", "properties": fields}
    return made | ({"required": list(required)} if required else {})


_ERROR = _map(message=_TEXT, time=_TIME)
_REFERENCE = _map(
    apiVersion=_TEXT,
    fieldPath=_TEXT,
    kind=_TEXT,
    name=_TEXT,
    namespace=_TEXT,
    resourceVersion=_TEXT,
    uid=_TEXT,
)
_AGE = ("Age", "date", ".metadata.creationTimestamp")


def default_definitions() -> Iterator[Obj]:
    """Each CRD."""
    yield _definition(
        SNAPSHOTS,
        ("VolumeSnapshot", "volumesnapshots", "vs"),
        _map("spec", spec=_snapshot_spec(), status=_snapshot_status()),
        [
            ("ReadyToUse", "boolean", ".status.readyToUse"),
            ("SourcePVC", "string", ".spec.source.persistentVolumeClaimName"),
            ("SourceSnapshotContent", "string", ".spec.source.volumeSnapshotContentName"),
            ("RestoreSize", "string", ".status.restoreSize"),
            ("SnapshotClass", "string", ".spec.volumeSnapshotClassName"),
            ("SnapshotContent", "string", ".status.boundVolumeSnapshotContentName"),
            ("CreationTime", "date", ".status.creationTime"),
            _AGE,
        ],
    )
    yield _definition(
        SNAPSHOTS,
        ("VolumeSnapshotClass", "volumesnapshotclasses", "vsclass", "vsclasses"),
        _map("driver", "deletionPolicy", driver=_TEXT, deletionPolicy=_POLICY, parameters=_TEXTS),
        [("Driver", "string", ".driver"), ("DeletionPolicy", "string", ".deletionPolicy"), _AGE],
        namespaced=False,
    )
    yield _definition(
        SNAPSHOTS,
        ("VolumeSnapshotContent", "volumesnapshotcontents", "vsc", "vscs"),
        _map("spec", spec=_content_spec(), status=_content_status()),
        [
            ("ReadyToUse", "boolean", ".status.readyToUse"),
            ("RestoreSize", "integer", ".status.restoreSize"),
            ("DeletionPolicy", "string", ".spec.deletionPolicy"),
            ("Driver", "string", ".spec.driver"),
            ("VolumeSnapshotClass", "string", ".spec.volumeSnapshotClassName"),
            ("VolumeSnapshot", "string", ".spec.volumeSnapshotRef.name"),
            ("VolumeSnapshotNamespace", "string", ".spec.volumeSnapshotRef.namespace"),
            _AGE,
        ],
        namespaced=False,
    )
    yield _definition(
        NETWORKS,
        ("NetworkAttachmentDefinition", "network-attachment-definitions", "net-attach-def"),
        _map(spec=_map(config=_TEXT)),
        [],
    )


def _snapshot_spec() -> Obj:
    source = _map(persistentVolumeClaimName=_TEXT, volumeSnapshotContentName=_TEXT)
    source |= {"minProperties": 1, "maxProperties": 1}
    return _map("source", source=source, volumeSnapshotClassName=_TEXT)


def _snapshot_status() -> Obj:
    return _map(
        boundVolumeSnapshotContentName=_TEXT,
        creationTime=_TIME,
        error=_ERROR,
        readyToUse=_FLAG,
        restoreSize=_SIZE,
        volumeGroupSnapshotName=_TEXT,
    )


def _content_spec() -> Obj:
    source = _map(snapshotHandle=_TEXT, volumeHandle=_TEXT) | {"minProperties": 1, "maxProperties": 1}
    return _map(
        "deletionPolicy",
        "driver",
        "source",
        "volumeSnapshotRef",
        deletionPolicy=_POLICY,
        driver=_TEXT,
        source=source,
        sourceVolumeMode=_TEXT,
        volumeSnapshotClassName=_TEXT,
        volumeSnapshotRef=_REFERENCE,
    )


def _content_status() -> Obj:
    return _map(
        creationTime=_NUMBER,
        error=_ERROR,
        readyToUse=_FLAG,
        restoreSize=_NUMBER,
        snapshotHandle=_TEXT,
        volumeGroupSnapshotHandle=_TEXT,
    )


def _definition(
    group: str,
    names: tuple[str, ...],
    schema: Obj,
    columns: list[tuple[str, str, str]],
    *,
    namespaced: bool = True,
) -> Obj:
    kind, plural, *short = names
    version: Obj = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": schema},
        "additionalPrinterColumns": [
            {"name": name, "type": of, "jsonPath": path} for name, of, path in columns
        ],
    }
    if "status" in schema["properties"]:
        version["subresources"] = {"status": {}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {
            "name": f"{plural}.{group}",
            "annotations": {"api-approved.kubernetes.io": "unapproved, an independent implementation"},
        },
        "spec": {
            "group": group,
            "scope": "Namespaced" if namespaced else "Cluster",
            "names": {"kind": kind, "plural": plural, "shortNames": short},
            "versions": [version],
        },
    }
