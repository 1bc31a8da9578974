"""What objects use of quotas, and which quotas are about them."""

from decimal import Decimal
from typing import Any

import pytest

from virtdeck.standalone.apiserver.admission.usage import in_scope, scopes_of, unsaid, usage_of


def container(name: str = "c", **resources: Any) -> dict[str, Any]:
    return {"name": name, "resources": resources}


def pod(*containers: Any, **spec: Any) -> dict[str, Any]:
    return {"kind": "Pod", "spec": {"containers": list(containers), **spec}}


def test_pod_uses_what_its_containers_ask_for_together() -> None:
    used = usage_of(
        "/pods",
        pod(
            container(requests={"cpu": "500m", "memory": "1Gi"}, limits={"memory": "2Gi"}),
            container(requests={"cpu": "1"}),
            overhead={"cpu": "100m"},
        ),
    )
    assert used["pods"] == used["count/pods"] == 1
    assert used["cpu"] == used["requests.cpu"] == Decimal("1.6")
    assert used["requests.memory"] == 2**30
    assert used["limits.memory"] == 2**31
    assert "limits.cpu" not in used


def test_limit_alone_is_a_request() -> None:
    assert usage_of("/pods", pod(container(limits={"cpu": "2"})))["requests.cpu"] == 2


def test_init_containers_count_where_they_need_more() -> None:
    spec = {
        "initContainers": [
            container(requests={"cpu": "3", "memory": "1"}),
            {**container(requests={"cpu": "1"}), "restartPolicy": "Always"},
        ]
    }
    used = usage_of("/pods", pod(container(requests={"cpu": "1", "memory": "5"}), **spec))
    assert [used["cpu"], used["memory"]] == [3, 5]


def test_pod_that_has_ended_uses_nothing_but_its_place() -> None:
    ended = {**pod(container(requests={"cpu": "1"})), "status": {"phase": "Succeeded"}}
    assert usage_of("/pods", ended) == {"count/pods": 1}


def test_extended_resources_are_asked_for_by_their_names() -> None:
    used = usage_of("/pods", pod(container(requests={"example.com/gpu": "2", "hugepages-2Mi": "4Mi"})))
    assert used["requests.example.com/gpu"] == 2
    assert "example.com/gpu" not in used
    assert used["hugepages-2Mi"] == used["requests.hugepages-2Mi"] == 4 * 2**20


def test_claims_use_storage_in_all_and_of_their_class() -> None:
    claim = {"spec": {"resources": {"requests": {"storage": "2Gi"}}, "storageClassName": "fast"}}
    used = usage_of("/persistentvolumeclaims", claim)
    assert used["requests.storage"] == used["fast.storageclass.storage.k8s.io/requests.storage"] == 2**31
    assert used["persistentvolumeclaims"] == 1
    assert used["fast.storageclass.storage.k8s.io/persistentvolumeclaims"] == 1


@pytest.mark.parametrize(
    ("shelf", "names"),
    [
        ("/configmaps", {"count/configmaps", "configmaps"}),
        ("kubevirt.io/virtualmachines", {"count/virtualmachines.kubevirt.io"}),
        ("/serviceaccounts", {"count/serviceaccounts"}),
    ],
)
def test_other_kinds_are_counted(shelf: str, names: set[str]) -> None:
    assert usage_of(shelf, None) == dict.fromkeys(names, 1)


def test_services_use_ports_of_nodes() -> None:
    used = usage_of("/services", {"spec": {"type": "LoadBalancer", "ports": [{}, {}]}})
    names = ("services", "services.nodeports", "services.loadbalancers")
    assert [used[name] for name in names] == [1, 2, 1]


BURSTABLE = pod(container(requests={"cpu": "1"}), activeDeadlineSeconds=5, priorityClassName="high")
PLAIN = pod(container())


@pytest.mark.parametrize(
    ("spec", "burstable", "plain"),
    [
        ({"scopes": ["Terminating"]}, True, False),
        ({"scopes": ["NotTerminating"]}, False, True),
        ({"scopes": ["BestEffort"]}, False, True),
        ({"scopes": ["NotBestEffort", "Terminating"]}, True, False),
        ({"scopes": ["CrossNamespacePodAffinity"]}, False, False),
        (
            {"scopeSelector": {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "Exists"}]}},
            True,
            False,
        ),
        (
            {
                "scopeSelector": {
                    "matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": ["high"]}]
                }
            },
            True,
            False,
        ),
        (
            {
                "scopeSelector": {
                    "matchExpressions": [
                        {"scopeName": "PriorityClass", "operator": "NotIn", "values": ["high"]}
                    ]
                }
            },
            False,
            True,
        ),
        ({}, True, True),
    ],
)
def test_scopes(spec: dict[str, Any], burstable: bool, plain: bool) -> None:
    scopes = scopes_of(spec)
    assert in_scope(scopes, "/pods", BURSTABLE) is burstable
    assert in_scope(scopes, "/pods", PLAIN) is plain
    assert in_scope(scopes, "/configmaps", None) is (not scopes)


def test_affinity_to_other_namespaces_is_a_scope() -> None:
    term: dict[str, Any] = {"namespaceSelector": {}}
    affinity = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    assert in_scope(scopes_of({"scopes": ["CrossNamespacePodAffinity"]}), "/pods", pod(affinity=affinity))


def test_what_a_quota_bounds_must_be_said_by_every_container() -> None:
    given = pod(container("a", requests={"cpu": "1"}), container("b", limits={"memory": "1Gi"}))
    assert unsaid(given, {"requests.cpu", "limits.memory", "pods"}) == {
        "limits.memory": ["a"],
        "requests.cpu": ["b"],
    }
