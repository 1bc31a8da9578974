"""The kinds of ``instancetype.kubevirt.io``."""

from typing import TYPE_CHECKING, Any

from virtdeck.crds.kinds.kind import ALL, Kind

if TYPE_CHECKING:
    from virtdeck.crds.instancetype import instancetype, preference

_GROUP = "instancetype.kubevirt.io"

INSTANCETYPE: "Kind[instancetype.VirtualMachineInstancetype]" = Kind(
    _GROUP,
    "v1beta1",
    "virtualmachineinstancetypes",
    "VirtualMachineInstancetype",
    "instancetype.instancetype:VirtualMachineInstancetype",
    short_names=("vminstancetype", "vminstancetypes", "vmf", "vmfs"),
    categories=ALL,
)

CLUSTER_INSTANCETYPE: "Kind[instancetype.VirtualMachineClusterInstancetype]" = Kind(
    _GROUP,
    "v1beta1",
    "virtualmachineclusterinstancetypes",
    "VirtualMachineClusterInstancetype",
    "instancetype.instancetype:VirtualMachineClusterInstancetype",
    namespaced=False,
    short_names=("vmclusterinstancetype", "vmclusterinstancetypes", "vmcf", "vmcfs"),
    users="share",
)

PREFERENCE: "Kind[preference.VirtualMachinePreference]" = Kind(
    _GROUP,
    "v1beta1",
    "virtualmachinepreferences",
    "VirtualMachinePreference",
    "instancetype.preference:VirtualMachinePreference",
    short_names=("vmpref", "vmprefs", "vmp", "vmps"),
    categories=ALL,
)

CLUSTER_PREFERENCE: "Kind[preference.VirtualMachineClusterPreference]" = Kind(
    _GROUP,
    "v1beta1",
    "virtualmachineclusterpreferences",
    "VirtualMachineClusterPreference",
    "instancetype.preference:VirtualMachineClusterPreference",
    namespaced=False,
    short_names=("vmcp", "vmcps"),
    users="share",
)

KINDS: tuple[Kind[Any], ...] = (INSTANCETYPE, CLUSTER_INSTANCETYPE, PREFERENCE, CLUSTER_PREFERENCE)
