"""Which of the bundled objects have to be written, and which have to go; pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from virtdeck.crds.codec import decode
from virtdeck.crds.kinds import Kind
from virtdeck.crds.kubevirt.kubevirt import KubeVirt
from virtdeck.crds.plain import Plain
from virtdeck.instancetype.bundled import VENDOR, VENDOR_LABEL, bundled_objects
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
    obj: Plain


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
    writes: list[Write] = []
    names: set[Name] = set()
    for kind, obj in bundled_objects() if is_wanted(seen.installation) else ():
        name = (kind, obj["metadata"]["name"])
        names.add(name)
        if _is_due(seen.found.get(name), obj, kind):
            writes.append(Write(kind, obj))
    surplus = (Remove(*name) for name, obj in seen.found.items() if name not in names and is_bundled(obj))
    return Plan(actions=(*writes, *surplus))


def _is_due(there: Any, obj: Plain, kind: Kind[Any]) -> bool:
    """True when it is not there, or is ours and another; what others added to ours counts for nothing."""
    if there is None:
        return True
    wanted, meta = decode(obj, kind.type), there.metadata
    labels, annotations = (meta.labels or {}).items(), (meta.annotations or {}).items()
    same = (
        there.spec == wanted.spec
        and wanted.metadata.labels.items() <= labels
        and wanted.metadata.annotations.items() <= annotations
    )
    return is_bundled(there) and not same
