"""What a namespace says while it goes."""

from virtdeck.standalone.apiserver.background.namespace_conditions import deletion_conditions

LEFT = [
    ("/pods", {"finalizers": ["a/b"]}),
    ("/pods", {}),
    ("kubevirt.io/virtualmachines", {"finalizers": ["a/b", "c/d"]}),
]


def test_what_is_left_is_counted_by_kind_and_by_finalizer() -> None:
    said = {one["type"]: (one["status"], one["message"]) for one in deletion_conditions(LEFT, [], [], "now")}
    remaining, finalizers = said["NamespaceContentRemaining"], said["NamespaceFinalizersRemaining"]
    assert (remaining[0], finalizers[0]) == ("True", "True")
    assert remaining[1].endswith(
        ": pods. has 2 resource instances, virtualmachines.kubevirt.io has 1 resource instances"
    )
    assert finalizers[1].endswith(": a/b in 2 resource instances, c/d in 1 resource instances")
    assert said["NamespaceDeletionContentFailure"][0] == "False"
    assert len(said) == 5


def test_what_cannot_be_deleted_is_told() -> None:
    found = {one["type"]: one for one in deletion_conditions([], ["webhook says no"], [], "now")}
    failure = found["NamespaceDeletionContentFailure"]
    assert (failure["status"], failure["reason"]) == ("True", "ContentDeletionFailed")
    assert "webhook says no" in failure["message"]


def test_condition_keeps_its_time_and_others_stay() -> None:
    other = {"type": "Mine", "status": "True"}
    before = [other, *deletion_conditions(LEFT, [], [], "then")]
    same = deletion_conditions(LEFT, [], before, "now")
    assert same == before
    changed = {
        one["type"]: one["lastTransitionTime"] for one in deletion_conditions([], [], before, "now")[1:]
    }
    assert changed["NamespaceContentRemaining"] == "now"
    assert changed["NamespaceDeletionDiscoveryFailure"] == "then"
