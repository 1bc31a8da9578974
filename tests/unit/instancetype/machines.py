"""Templates, instance types and preferences for tests; nothing is decided here."""

from copy import deepcopy
from typing import Any

from virtdeck.crds.codec import decode
from virtdeck.crds.instancetype.instancetype import VirtualMachineInstancetypeSpec
from virtdeck.crds.instancetype.preference import VirtualMachinePreferenceSpec
from virtdeck.instancetype.expansion import Chosen

Plain = dict[str, Any]


def template(spec: Plain | None = None, **metadata: Any) -> Plain:
    """A template that says next to nothing. spec: beside the domain's devices."""
    base: Plain = {"domain": {"devices": {}}}
    return {"metadata": metadata, "spec": base | deepcopy(spec or {})}


def domain(**parts: Any) -> Plain:
    """A template with these parts of the domain."""
    return template({"domain": {"devices": {}} | parts})


def devices(**parts: Any) -> Plain:
    """A template with these devices."""
    return domain(devices=parts)


def size(**spec: Any) -> VirtualMachineInstancetypeSpec:
    """Two processors and 1 GiB, with changes."""
    return decode({"cpu": {"guest": 2}, "memory": {"guest": "1Gi"}} | spec, VirtualMachineInstancetypeSpec)


def taste(**spec: Any) -> VirtualMachinePreferenceSpec:
    """A preference."""
    return decode(spec, VirtualMachinePreferenceSpec)


def chosen(
    instancetype: VirtualMachineInstancetypeSpec | None = None,
    preference: VirtualMachinePreferenceSpec | None = None,
) -> Chosen:
    """Both, the instance type by the name of csmall."""
    return Chosen(instancetype, preference, "csmall")
