"""Whether a pod fits a node, in Kubernetes' words."""

from typing import Any

import pytest
from tests.unit.standalone.runner.builders import a_node, a_pod

from virtdeck.crds.core.pod import Pod
from virtdeck.standalone.runner.fit import misfits, requests, unschedulable_message
from virtdeck.standalone.runner.scheduler import waits


def asking(**amounts: str) -> Pod:
    return a_pod(
        resources={
            "requests": {name.replace("__", "/").replace("_", "."): value for name, value in amounts.items()}
        }
    )


@pytest.mark.parametrize(
    ("pod", "others", "reasons"),
    [
        (asking(memory="8Gi"), [], []),
        (asking(memory="8Gi"), [asking(memory="1")], ["Insufficient memory"]),
        (asking(memory="9Gi", cpu="5"), [], ["Insufficient memory", "Insufficient cpu"]),
        (asking(cpu="100m"), [asking(cpu="3900m")], []),
        (asking(cpu="101m"), [asking(cpu="3900m")], ["Insufficient cpu"]),
        (asking(devices_kubevirt_io__kvm="1"), [], ["Insufficient devices.kubevirt.io/kvm"]),
        (asking(), [asking()] * 10, ["Too many pods"]),
    ],
)
def test_resources_are_counted(pod: Pod, others: list[Pod], reasons: list[str]) -> None:
    assert misfits(pod, a_node(), others) == reasons


@pytest.mark.parametrize(
    ("spec", "fits"),
    [
        ({"nodeSelector": {"zone": "a"}}, True),
        ({"nodeSelector": {"zone": "b"}}, False),
        ({"nodeSelector": {"other": "a"}}, False),
    ],
)
def test_a_node_selector_must_match(spec: dict[str, Any], fits: bool) -> None:
    found = misfits(a_pod(spec), a_node(labels={"zone": "a"}), [])
    assert found == ([] if fits else ["node(s) didn't match Pod's node affinity/selector"])


@pytest.mark.parametrize(
    ("expression", "fits"),
    [
        ({"key": "zone", "operator": "In", "values": ["a", "b"]}, True),
        ({"key": "zone", "operator": "NotIn", "values": ["a"]}, False),
        ({"key": "zone", "operator": "Exists"}, True),
        ({"key": "gone", "operator": "DoesNotExist"}, True),
        ({"key": "cores", "operator": "Gt", "values": ["7"]}, True),
        ({"key": "cores", "operator": "Lt", "values": ["8"]}, False),
        ({"key": "zone", "operator": "Gt", "values": ["1"]}, False),
        ({"key": "zone", "operator": "Strange"}, False),
    ],
)
def test_a_required_affinity_must_match(expression: dict[str, Any], fits: bool) -> None:
    required = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}
    node = a_node(labels={"zone": "a", "cores": "8"})
    assert (misfits(a_pod({"affinity": affinity}), node, []) == []) is fits


@pytest.mark.parametrize(
    ("tolerations", "fits"),
    [
        ([], False),
        ([{"key": "k", "value": "v", "effect": "NoSchedule"}], True),
        ([{"key": "k", "operator": "Exists"}], True),
        ([{"operator": "Exists"}], True),
        ([{"key": "k", "value": "other"}], False),
        ([{"key": "k", "value": "v", "effect": "NoExecute"}], False),
    ],
)
def test_a_taint_must_be_tolerated(tolerations: list[dict[str, str]], fits: bool) -> None:
    node = a_node(taints=[{"key": "k", "value": "v", "effect": "NoSchedule"}])
    found = misfits(a_pod({"tolerations": tolerations}), node, [])
    assert found == ([] if fits else ["node(s) had untolerated taint {k: v}"])


def test_a_preference_against_a_node_does_not_forbid_it() -> None:
    assert misfits(a_pod(), a_node(taints=[{"key": "k", "effect": "PreferNoSchedule"}]), []) == []


def test_a_cordoned_node_takes_nothing() -> None:
    assert misfits(a_pod(), a_node(unschedulable=True), []) == ["node(s) were unschedulable"]


def test_the_message_counts_nodes_by_reason() -> None:
    reasons = {"a": ["Insufficient memory"], "b": ["Insufficient memory", "Insufficient cpu"]}
    assert (
        unschedulable_message(reasons)
        == "0/2 nodes are available: 1 Insufficient cpu, 2 Insufficient memory."
    )
    assert unschedulable_message({}) == "0/0 nodes are available."


def test_a_limit_counts_where_no_request_is_given() -> None:
    pod = a_pod(resources={"limits": {"memory": "2Gi"}, "requests": {"cpu": "1"}})
    assert {name: int(amount) for name, amount in requests(pod).items()} == {"memory": 2 << 30, "cpu": 1}


@pytest.mark.parametrize(
    ("spec", "status", "waiting"),
    [
        ({}, {}, True),
        ({"schedulerName": "default-scheduler"}, {}, True),
        ({"schedulerName": "other"}, {}, False),
        ({"nodeName": "n1"}, {}, False),
        ({}, {"phase": "Failed"}, False),
    ],
)
def test_only_unbound_pods_of_this_scheduler_wait(
    spec: dict[str, Any], status: dict[str, Any], waiting: bool
) -> None:
    assert waits(a_pod(spec, status)) is waiting
