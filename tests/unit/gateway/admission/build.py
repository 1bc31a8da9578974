"""Objects for admission tests: a small VMI, and changes to it."""

from copy import deepcopy
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.admission import ClusterConfig, Fresh
from virtdeck.gateway.admission.defaults import fill_vmi_spec
from virtdeck.gateway.admission.rules import VMI_RULES
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.auth.user import User

Plain = dict[str, Any]

ALICE = User("alice")
CONTROLLER = User("system:serviceaccount:kubevirt:kubevirt-controller")
HANDLER = User("system:serviceaccount:kubevirt:kubevirt-handler")
CLUSTER = ClusterConfig()
FRESH = Fresh("2026-01-31T12:00:00Z", lambda: "5d307ca9-b3ef-428c-8861-06e72d69f223")

_SPEC: Plain = {
    "domain": {
        "memory": {"guest": "128Mi"},
        "devices": {
            "disks": [{"name": "root", "disk": {"bus": "virtio"}}],
            "interfaces": [{"name": "default", "masquerade": {}}],
        },
    },
    "networks": [{"name": "default", "pod": {}}],
    "volumes": [{"name": "root", "containerDisk": {"image": "virtdeck/demo:1"}}],
}


def merged(base: Any, changes: Any) -> Any:
    """Objects are merged, everything else is replaced; None takes a field away."""
    if not isinstance(base, dict) or not isinstance(changes, dict):
        return deepcopy(changes)
    result = {key: value for key, value in base.items() if changes.get(key, value) is not None}
    for key, change in changes.items():
        if change is not None:
            result[key] = merged(base.get(key), change)
    return deepcopy(result)


def vmi(spec: Plain | None = None, **metadata: Any) -> Plain:
    """A VMI that is let through, with changes."""
    return {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachineInstance",
        "metadata": {"name": "testvmi", "namespace": "default", **metadata},
        "spec": merged(_SPEC, spec or {}),
    }


def vm(spec: Plain | None = None, template: Plain | None = None) -> Plain:
    """A VM that is let through, with changes."""
    base = {"runStrategy": "Always", "template": {"metadata": {}, "spec": merged(_SPEC, template or {})}}
    return {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachine",
        "metadata": {"name": "testvm", "namespace": "default"},
        "spec": merged(base, spec or {}),
    }


def causes(
    spec: Plain, *, cluster: ClusterConfig = CLUSTER, user: User = ALICE, metadata: Plain | None = None
) -> list[Cause]:
    """What the rules say of a VMI with these changes, completed; what cannot run yet is not asked."""
    obj = vmi(spec, **(metadata or {}))
    fill_vmi_spec(obj["metadata"], obj["spec"], cluster, FRESH)
    return _asked(obj, cluster, user)


def bare_fields(spec: Plain) -> set[str]:
    """The fields that the rules name when nothing was completed first."""
    return {cause.field for cause in _asked(vmi(spec), CLUSTER, ALICE)}


def judged(obj: Plain) -> list[Cause]:
    """What KubeVirt's rules say of a VMI as it is."""
    return _asked(obj, CLUSTER, ALICE)


def _asked(obj: Plain, cluster: ClusterConfig, user: User) -> list[Cause]:
    found = decode(obj, VirtualMachineInstance)
    subject = Subject(found.spec, found.metadata, cluster, user)
    return list(VMI_RULES.ask(subject))


def fields(spec: Plain, **given: Any) -> set[str]:
    """The fields that the causes name."""
    return {cause.field for cause in causes(spec, **given)}


def devices(**changes: Any) -> Plain:
    return {"domain": {"devices": changes}}


def root_disk(**changes: Any) -> Plain:
    """The one disk, otherwise."""
    return devices(disks=[{"name": "root", "disk": {"bus": "virtio"}, **changes}])


def nic(**changes: Any) -> Plain:
    """The one interface, otherwise."""
    return devices(interfaces=[merged({"name": "default", "masquerade": {}}, changes)])


def root_volume(**source: Any) -> Plain:
    """The one volume, otherwise."""
    return {"volumes": [{"name": "root", **source}]}
