"""Which of the bundled objects have to be written, and which have to go; pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from virtdeck.crds.codec import decode
from virtdeck.crds.kinds import Kind
from virtdeck.crds.kubevirt.kubevirt import KubeVirt
from virtdeck.install.bundled import VENDOR, VENDOR_LABEL, bundled_objects
from virtdeck.install.rules import Object
from virtdeck.kube.plans import Plan

Name = tuple[Kind[Any], str]


@dataclass(frozen=True)
class Seen:
    """installation: None when it is gone. found: what there is of the kinds that are bundled."""

    installation: KubeVirt | None
    found: Mapping[Name, Any]


@dataclass(frozen=True)
class Write:
    """The object is as the bundle has it."""

    kind: Kind[Any]
    obj: Object


@dataclass(frozen=True)
class Remove:
    """There is no such object."""

    kind: Kind[Any]
    name: str


BundlePlan = Plan[Write | Remove, KubeVirt]


def is_bundled(obj: Any) -> bool:
    """True for what carries our vendor label."""
    return (obj.metadata.labels or {}).get(VENDOR_LABEL) == VENDOR


def is_wanted(installation: KubeVirt | None) -> bool:
    """The bundle comes with an installation unless ``commonInstancetypesDeployment`` switches it off."""
    if installation is None or installation.metadata.deletion_timestamp:
        return False
    config = installation.spec.configuration
    deployment = config.common_instancetypes_deployment if config else None
    return deployment is None or deployment.enabled is not False


def decide(seen: Seen) -> BundlePlan:
    """Everything of the bundle is there and as it should be, and nothing that an older one left."""
    wanted = list(bundled_objects()) if is_wanted(seen.installation) else []
    names = {(kind, obj["metadata"]["name"]) for kind, obj in wanted}
    surplus = (Remove(*name) for name, obj in seen.found.items() if name not in names and is_bundled(obj))
    return Plan(actions=(*_writes(wanted, seen.found), *surplus))


def _writes(wanted: list[tuple[Kind[Any], Object]], found: Mapping[Name, Any]) -> Iterator[Write]:
    for kind, obj in wanted:
        there = found.get((kind, obj["metadata"]["name"]))
        if there is None or (is_bundled(there) and not _is_same(there, decode(obj, kind.type))):
            yield Write(kind, obj)


def _is_same(there: Any, wanted: Any) -> bool:
    """Labels and annotations that others added count for nothing."""
    meta = there.metadata
    labels, annotations = (meta.labels or {}).items(), (meta.annotations or {}).items()
    return bool(
        there.spec == wanted.spec
        and wanted.metadata.labels.items() <= labels
        and wanted.metadata.annotations.items() <= annotations
    )
