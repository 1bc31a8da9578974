"""The registry of kinds."""

from virtdeck.crds import kinds
from virtdeck.crds.model import Model


def test_every_kind_loads_its_type() -> None:
    for kind in kinds.kinds():
        assert issubclass(kind.type, Model), kind
        assert {"api_version", "kind", "metadata"} <= set(kind.type.__struct_fields__), kind


def test_a_kind_is_found_by_what_an_object_says() -> None:
    assert kinds.find_kind("kubevirt.io/v1", "VirtualMachine") is kinds.VM
    assert kinds.find_kind("kubevirt.io/v1alpha3", "VirtualMachine") is kinds.VM
    assert kinds.find_kind("v1", "Pod") is kinds.POD
    assert kinds.find_kind("v1", "VirtualMachine") is None


def test_names_follow_kubernetes() -> None:
    assert kinds.VMI.api_version == "kubevirt.io/v1"
    assert kinds.POD.api_version == "v1"
    assert kinds.VM.singular == "virtualmachine"
    assert kinds.VM.list_kind == "VirtualMachineList"
    assert kinds.CLUSTER_ROLE.scope == "Cluster"
