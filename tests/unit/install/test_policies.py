"""What the policy says of virt-handler's writes to Nodes, by the expressions that a cluster evaluates too."""

from typing import Any

import pytest

from virtdeck import install
from virtdeck.standalone.apiserver.admission.policy_programs import compile_policy

POLICY, BINDING = install.policies()
HANDLER = "system:serviceaccount:kubevirt:kubevirt-handler"
OLD: dict[str, Any] = {"metadata": {"name": "a", "labels": {"zone": "1"}}, "spec": {"podCIDR": "10.0.0.0/24"}}


def judged(
    obj: dict[str, Any] | None,
    old: dict[str, Any] | None = OLD,
    name: str = "a",
    user: str = HANDLER,
    bound: tuple[str, ...] = ("a",),
) -> list[str]:
    extra = {"authentication.kubernetes.io/node-name": list(bound)} if bound else {}
    operation = "DELETE" if obj is None else "CREATE" if old is None else "UPDATE"
    info = {"username": user, **({"extra": extra} if extra else {})}
    request = {"name": name, "operation": operation, "userInfo": info}
    policy = compile_policy("p", POLICY["spec"])
    failures = policy.judge({"object": obj, "oldObject": old, "request": request})
    return [failure.message.removeprefix("virt-handler may ") for failure in failures]


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
    assert judged(obj) == []


@pytest.mark.parametrize(
    ("obj", "why"),
    [
        (changed(labels={"zone": "2"}), "labels"),
        (changed(labels={}), "labels"),
        (changed(labels={"zone": "1", "evilkubevirt.io/a": "b"}), "labels"),
        (changed(labels={"zone": "1", "a/kubevirt.io": "b"}), "labels"),
        (changed(annotations={"a": "b"}), "annotations"),
        (changed(finalizers=["a/b"]), "finalizers"),
        (changed(ownerReferences=[{"uid": "1"}]), "owners"),
        (OLD | {"spec": OLD["spec"] | {"unschedulable": True}}, "spec"),
        (OLD | {"spec": OLD["spec"] | {"taints": [{"key": "a"}]}}, "spec"),
        ({"metadata": OLD["metadata"]}, "spec"),
    ],
)
def test_all_else_is_forbidden(obj: dict[str, Any], why: str) -> None:
    (sentence,) = judged(obj)
    assert why in sentence


def test_nodes_are_neither_made_nor_deleted() -> None:
    assert "neither make nor delete a Node" in judged(None)
    assert "neither make nor delete a Node" in judged(OLD, None)


def test_other_nodes_are_out_of_reach_of_an_identity_that_is_bound_to_one() -> None:
    assert judged(OLD, name="b") == ["write its own Node alone"]
    assert judged(OLD, name="b", bound=()) == []  # an older cluster does not say which node it is


def test_others_are_no_affair_of_this_policy() -> None:
    assert judged(None, user="admin") == []


def test_what_does_not_hold_is_denied_as_forbidden() -> None:
    assert BINDING["spec"] == {"policyName": POLICY["metadata"]["name"], "validationActions": ["Deny"]}
    assert {one["reason"] for one in POLICY["spec"]["validations"]} == {"Forbidden"}
    assert POLICY["spec"]["failurePolicy"] == "Fail"
