"""How instance types and preferences are frozen, and which revision a machine starts from."""

from typing import Any

import pytest

from virtdeck.basis.errors import Invalid
from virtdeck.crds.codec import decode, to_dict
from virtdeck.crds.core.revision import ControllerRevision
from virtdeck.crds.instancetype.instancetype import VirtualMachineClusterInstancetype
from virtdeck.crds.kinds import CLUSTER_INSTANCETYPE, CLUSTER_PREFERENCE, INSTANCETYPE, PREFERENCE, Kind
from virtdeck.crds.kubevirt.vm import InstancetypeMatcher, PreferenceMatcher, VirtualMachine
from virtdeck.crds.kubevirt.vm_status import InstancetypeStatusRef
from virtdeck.instancetype import revisions
from virtdeck.instancetype.matchers import Matcher, name_annotations, named_kind

VM = decode(
    {
        "metadata": {"name": "web", "namespace": "demo", "uid": "vm-uid"},
        "spec": {"template": {"spec": {"domain": {"devices": {}}}}},
    },
    VirtualMachine,
)


def an_instancetype(name: str = "u1.small") -> VirtualMachineClusterInstancetype:
    meta = {"name": name, "uid": "type-uid", "generation": 3, "resourceVersion": "7", "labels": {"a": "b"}}
    return decode(
        {"metadata": meta, "spec": {"cpu": {"guest": 2}, "memory": {"guest": "1Gi"}}},
        VirtualMachineClusterInstancetype,
    )


def ref(**said: Any) -> InstancetypeStatusRef:
    return decode(said, InstancetypeStatusRef)


def test_a_revision_has_kubevirts_name_labels_and_owner() -> None:
    found = to_dict(revisions.render_revision(VM, CLUSTER_INSTANCETYPE, an_instancetype()))
    assert found["metadata"] == {
        "name": "web-u1.small-v1beta1-type-uid-3",
        "namespace": "demo",
        "labels": {
            "instancetype.kubevirt.io/object-generation": "3",
            "instancetype.kubevirt.io/object-kind": "VirtualMachineClusterInstancetype",
            "instancetype.kubevirt.io/object-name": "u1.small",
            "instancetype.kubevirt.io/object-uid": "type-uid",
            "instancetype.kubevirt.io/object-version": "v1beta1",
        },
        "ownerReferences": [
            {
                "apiVersion": "kubevirt.io/v1",
                "kind": "VirtualMachine",
                "name": "web",
                "uid": "vm-uid",
                "controller": True,
                "blockOwnerDeletion": True,
            }
        ],
    }
    assert found["data"] == {
        "apiVersion": "instancetype.kubevirt.io/v1beta1",
        "kind": "VirtualMachineClusterInstancetype",
        "metadata": {"name": "u1.small", "uid": "type-uid", "resourceVersion": "7", "generation": 3},
        "spec": {"cpu": {"guest": 2}, "memory": {"guest": "1Gi"}},
    }


def test_a_long_name_is_cut_and_stays_its_own() -> None:
    one, other = (
        revisions.render_revision(VM, CLUSTER_INSTANCETYPE, an_instancetype("a" * 250 + end)) for end in "xy"
    )
    assert len(one.metadata.name) == 253
    assert one.metadata.name != other.metadata.name
    assert all(len(value) <= 63 for value in (one.metadata.labels or {}).values())
    assert revisions.keeps(one, InstancetypeMatcher(name="a" * 250 + "x"))
    assert not revisions.keeps(one, InstancetypeMatcher(name="a" * 250 + "y"))


def test_what_was_frozen_comes_back() -> None:
    revision = revisions.render_revision(VM, CLUSTER_INSTANCETYPE, an_instancetype())
    assert revisions.frozen_instancetype(revision) == an_instancetype().spec


def test_a_revision_of_something_else_is_told() -> None:
    with pytest.raises(Invalid, match="start-1"):
        revisions.frozen_preference(decode({"metadata": {"name": "start-1"}}, ControllerRevision))
    with pytest.raises(Invalid, match="VirtualMachineInstancetype"):
        revisions.frozen_instancetype(decode({"data": {"spec": {"template": {}}}}, ControllerRevision))


BIG, SMALL = InstancetypeMatcher(name="big", kind="k"), InstancetypeMatcher(name="small", kind="k")
KEPT = ref(name="big", kind="k", controllerRevisionRef={"name": "web-big-1"})


@pytest.mark.parametrize(
    ("matcher", "former", "wanted"),
    [
        (BIG, None, ref(name="big", kind="k")),
        (BIG, KEPT, KEPT),
        (SMALL, KEPT, ref(name="small", kind="k")),
        (InstancetypeMatcher(name="big", kind="other"), KEPT, ref(name="big", kind="other")),
        (InstancetypeMatcher(name="big"), KEPT, KEPT),
        (
            InstancetypeMatcher(name="small", kind="k", revision_name="mine"),
            KEPT,
            ref(name="small", kind="k", controllerRevisionRef={"name": "mine"}),
        ),
        (
            InstancetypeMatcher(
                name="big", kind="k", infer_from_volume="v", infer_from_volume_failure_policy="Ignore"
            ),
            KEPT,
            ref(name="big", kind="k", inferFromVolume="v", inferFromVolumeFailurePolicy="Ignore"),
        ),
    ],
)
def test_the_status_follows_the_matcher(
    matcher: Matcher, former: InstancetypeStatusRef | None, wanted: InstancetypeStatusRef
) -> None:
    assert revisions.reference(matcher, former) == wanted


def test_a_machine_starts_from_what_its_author_names_else_from_what_was_stored() -> None:
    assert revisions.revision_in_use(None, KEPT) is None
    assert revisions.revision_in_use(BIG, KEPT) == "web-big-1"
    assert revisions.revision_in_use(SMALL, KEPT) is None
    assert revisions.revision_in_use(InstancetypeMatcher(name="big", revision_name="mine"), KEPT) == "mine"


@pytest.mark.parametrize(
    ("matcher", "kind"),
    [
        (InstancetypeMatcher(name="a"), CLUSTER_INSTANCETYPE),
        (InstancetypeMatcher(name="a", kind="VirtualMachineInstancetype"), INSTANCETYPE),
        (InstancetypeMatcher(name="a", kind="virtualmachineclusterinstancetypes"), CLUSTER_INSTANCETYPE),
        (InstancetypeMatcher(name="a", kind="VirtualMachinePreference"), None),
        (PreferenceMatcher(name="a"), CLUSTER_PREFERENCE),
        (PreferenceMatcher(name="a", kind="virtualmachinepreferences"), PREFERENCE),
    ],
)
def test_a_matcher_names_a_kind(matcher: Matcher, kind: Kind[Any] | None) -> None:
    assert named_kind(matcher) is kind


def test_the_vmi_tells_what_it_was_made_with() -> None:
    spec = decode(
        to_dict(VM.spec)
        | {"instancetype": {"name": "a", "kind": "VirtualMachineInstancetype"}, "preference": {"name": "b"}},
        type(VM.spec),
    )
    assert name_annotations(spec) == {
        "kubevirt.io/instancetype-name": "a",
        "kubevirt.io/cluster-preference-name": "b",
    }
