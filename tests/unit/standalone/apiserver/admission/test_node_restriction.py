"""What whoever is bound to a node may write of Nodes."""

from types import SimpleNamespace
from typing import Any

import pytest

from virtdeck.standalone.apiserver.access.authentication import NODE_NAME_EXTRA
from virtdeck.standalone.apiserver.access.identity import User
from virtdeck.standalone.apiserver.admission.node_restriction import check_node
from virtdeck.standalone.apiserver.problems import StatusError

HANDLER = User("handler", extra=((NODE_NAME_EXTRA, ("a",)),))
OLD: dict[str, Any] = {"metadata": {"name": "a", "labels": {"zone": "1"}}, "spec": {"podCIDR": "10.0.0.0/24"}}


def write(
    obj: dict[str, Any] | None, old: dict[str, Any] | None = OLD, name: str = "a", user: User = HANDLER
) -> None:
    check_node(SimpleNamespace(name=name, user=user), obj, old)  # type: ignore[arg-type]


def changed(**metadata: Any) -> dict[str, Any]:
    return OLD | {"metadata": OLD["metadata"] | metadata}


@pytest.mark.parametrize(
    "obj",
    [
        OLD,
        changed(labels={"zone": "1", "kubevirt.io/schedulable": "true"}),
        changed(labels={"zone": "1", "cpu-vendor.node.kubevirt.io/AMD": "true"}),
        changed(annotations={"kubevirt.io/heartbeat": "now"}),
        OLD | {"status": {"capacity": {"devices.kubevirt.io/kvm": "1"}}},
    ],
)
def test_what_is_virtdecks_to_say_may_be_said(obj: dict[str, Any]) -> None:
    write(obj)


@pytest.mark.parametrize(
    "obj",
    [
        None,
        changed(labels={"zone": "2"}),
        changed(labels={}),
        changed(labels={"zone": "1", "evilkubevirt.io/a": "b"}),
        changed(annotations={"a": "b"}),
        changed(finalizers=["a/b"]),
        changed(ownerReferences=[{"uid": "1"}]),
        OLD | {"spec": OLD["spec"] | {"unschedulable": True}},
        OLD | {"spec": OLD["spec"] | {"taints": [{"key": "a"}]}},
    ],
)
def test_all_else_is_forbidden(obj: dict[str, Any] | None) -> None:
    with pytest.raises(StatusError) as caught:
        write(obj)
    assert caught.value.code == 403


def test_other_nodes_and_new_ones_are_out_of_reach() -> None:
    for obj, old, name in ((OLD, OLD, "b"), (OLD, None, "a")):
        with pytest.raises(StatusError):
            write(obj, old, name)


def test_who_is_bound_to_no_node_is_no_affair_of_this_rule() -> None:
    write(None, user=User("admin"))
