"""What the kinds of Kubernetes refuse, and what of them may not change."""

from copy import deepcopy
from typing import Any

import pytest

from virtdeck.standalone.apiserver.resources.builtin import builtin_resources
from virtdeck.standalone.apiserver.resources.rules import Rules

RULES = {f"{one.group}/{one.kind}".lstrip("/"): one.rules for one in builtin_resources()}
POD = {"containers": [{"name": "c", "image": "i"}]}
CLAIM = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
RULE_PARTS = ("verbs", "apiGroups", "resources")
VOLUME = {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}, "hostPath": {"path": "/x"}}


def whole(rules: Rules, body: dict[str, Any]) -> dict[str, Any]:
    """The object as it is when it is checked."""
    meta = {"name": "n", "namespace": "ns", **body.pop("metadata", {})}
    obj = deepcopy({"apiVersion": "v1", "kind": "K", "metadata": meta, **body})
    rules.default(obj)
    return obj


def faults(kind: str, body: dict[str, Any]) -> list[str]:
    return [cause.field for cause in RULES[kind].causes(whole(RULES[kind], body))]


@pytest.mark.parametrize(
    ("kind", "body", "fields"),
    [
        ("Pod", {"spec": POD}, []),
        ("Pod", {"spec": {"containers": []}}, ["spec.containers"]),
        (
            "Pod",
            {
                "spec": {
                    **POD,
                    "volumes": [{"name": "v", "emptyDir": {}, "hostPath": {"path": "/"}}, {"name": "w"}],
                }
            },
            ["spec.volumes[0].hostPath"],
        ),
        (
            "Pod",
            {"spec": {"containers": [{"name": "C_", "image": "i", "ports": [{"containerPort": 0}]}]}},
            ["spec.containers[0].name", "spec.containers[0].ports[0].containerPort"],
        ),
        (
            "Pod",
            {
                "spec": {
                    "containers": [
                        {
                            "name": "c",
                            "image": "i",
                            "resources": {"requests": {"cpu": "2"}, "limits": {"cpu": "1"}},
                        }
                    ]
                }
            },
            ["spec.containers[0].resources.requests"],
        ),
        ("Service", {"spec": {}}, ["spec.ports"]),
        ("Service", {"spec": {"clusterIP": "None"}}, []),
        ("Service", {"spec": {"ports": [{"port": 80}]}}, []),
        (
            "Service",
            {"spec": {"type": "Odd", "ports": [{"port": 0}, {"port": 1, "name": "a"}]}},
            ["spec.ports[0].name", "spec.ports[0].port", "spec.ports[0].targetPort", "spec.type"],
        ),
        ("Endpoints", {"subsets": [{"addresses": [{"ip": "x"}]}]}, ["subsets[0].addresses[0].ip"]),
        ("PersistentVolumeClaim", {"spec": CLAIM}, []),
        (
            "PersistentVolumeClaim",
            {"spec": {"accessModes": ["Odd"], "volumeMode": "Odd"}},
            ["spec.accessModes", "spec.resources[storage]", "spec.volumeMode"],
        ),
        ("PersistentVolume", {"spec": VOLUME}, []),
        (
            "PersistentVolume",
            {"spec": {}},
            ["spec.accessModes", "spec.capacity", "spec.capacity", "spec"],
        ),
        ("storage.k8s.io/StorageClass", {"provisioner": "p", "reclaimPolicy": "Odd"}, ["reclaimPolicy"]),
        ("Secret", {"type": "kubernetes.io/tls"}, ["data[tls.crt]", "data[tls.key]"]),
        ("Secret", {"data": {"a b": ""}}, ["data[a b]"]),
        ("ConfigMap", {"data": {"k": ""}, "binaryData": {"k": ""}}, ["data[k]"]),
        ("ConfigMap", {"data": {"k": "x" * 1024 * 1024 + "x"}}, [""]),
        ("scheduling.k8s.io/PriorityClass", {"value": 2_000_000_000}, ["value"]),
        (
            "scheduling.k8s.io/PriorityClass",
            {"metadata": {"name": "system-x"}, "value": 1},
            ["metadata.name"],
        ),
        (
            "coordination.k8s.io/Lease",
            {"spec": {"leaseDurationSeconds": 0, "leaseTransitions": -1}},
            ["spec.leaseDurationSeconds", "spec.leaseTransitions"],
        ),
        ("Event", {"involvedObject": {"namespace": "other"}}, ["involvedObject.namespace"]),
        ("apps/ControllerRevision", {"revision": -1}, ["data", "revision"]),
        (
            "networking.k8s.io/NetworkPolicy",
            {"spec": {"policyTypes": ["Odd"], "ingress": [{"from": [{"ipBlock": {"cidr": "x"}}]}]}},
            ["spec.ingress[0].from[0].ipBlock.cidr", "spec.policyTypes[0]"],
        ),
        ("rbac.authorization.k8s.io/Role", {"rules": [{}]}, [f"rules[0].{n}" for n in RULE_PARTS]),
        (
            "rbac.authorization.k8s.io/Role",
            {"rules": [{"verbs": ["get"], "nonResourceURLs": ["/x"]}]},
            ["rules[0].nonResourceURLs"],
        ),
        (
            "rbac.authorization.k8s.io/ClusterRole",
            {"rules": [{"verbs": ["get"], "nonResourceURLs": ["/x"]}]},
            [],
        ),
        (
            "rbac.authorization.k8s.io/ClusterRoleBinding",
            {"roleRef": {"kind": "Role", "name": "r"}, "subjects": [{"kind": "ServiceAccount", "name": "a"}]},
            ["roleRef.kind", "subjects[0].namespace"],
        ),
        (
            "rbac.authorization.k8s.io/RoleBinding",
            {"roleRef": {"kind": "Role"}, "subjects": [{"kind": "Robot", "name": "a"}, {"kind": "User"}]},
            ["roleRef.name", "subjects[0].kind", "subjects[1].name"],
        ),
        (
            "storage.k8s.io/CSIDriver",
            {"spec": {"fsGroupPolicy": "Odd", "volumeLifecycleModes": ["Odd"]}},
            ["spec.fsGroupPolicy", "spec.volumeLifecycleModes"],
        ),
        (
            "storage.k8s.io/CSINode",
            {"spec": {"drivers": [{"name": "a"}, {"name": "a"}]}},
            ["spec.drivers[1].name"],
        ),
        (
            "policy/PodDisruptionBudget",
            {"spec": {"minAvailable": "x%", "maxUnavailable": 1}},
            ["spec", "spec.minAvailable"],
        ),
    ],
)
def test_faults_are_named_by_their_fields(kind: str, body: dict[str, Any], fields: list[str]) -> None:
    assert faults(kind, body) == fields


def changed(kind: str, old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    rules = RULES[kind]
    return [cause.field for cause in rules.causes_of_update(whole(rules, new), whole(rules, old))]


@pytest.mark.parametrize(
    ("kind", "old", "new", "fields"),
    [
        ("Pod", {"spec": POD}, {"spec": {**POD, "nodeName": "n"}}, ["spec"]),
        (
            "Pod",
            {"spec": POD},
            {"spec": {"containers": [{"name": "c", "image": "j", "imagePullPolicy": "Always"}]}},
            [],
        ),
        ("Pod", {"spec": {**POD, "tolerations": [{"key": "a"}]}}, {"spec": POD}, ["spec"]),
        (
            "Pod",
            {"spec": {**POD, "activeDeadlineSeconds": 5}},
            {"spec": {**POD, "activeDeadlineSeconds": 9}},
            ["spec"],
        ),
        ("Node", {"spec": {"podCIDR": "a"}}, {"spec": {"podCIDR": "b"}}, ["spec.podCIDRs"]),
        ("Node", {}, {"spec": {"podCIDR": "b"}}, []),
        ("PersistentVolumeClaim", {"spec": CLAIM}, {"spec": {**CLAIM, "volumeName": "v"}}, []),
        ("PersistentVolumeClaim", {"spec": {**CLAIM, "storageClassName": "a"}}, {"spec": CLAIM}, ["spec"]),
        (
            "PersistentVolume",
            {"spec": VOLUME},
            {"spec": {**VOLUME, "hostPath": {"path": "/y"}}},
            ["spec.persistentvolumesource"],
        ),
        (
            "storage.k8s.io/CSIDriver",
            {"spec": {"attachRequired": True}},
            {"spec": {"attachRequired": False}},
            ["spec.attachRequired"],
        ),
        ("Secret", {"type": "a"}, {"type": "b"}, ["type"]),
        ("Secret", {"immutable": True, "data": {}}, {"immutable": True, "data": {"k": ""}}, ["data"]),
        ("ConfigMap", {"immutable": True}, {}, ["immutable"]),
        ("storage.k8s.io/StorageClass", {"parameters": {"a": "1"}}, {"parameters": {}}, ["parameters"]),
        ("scheduling.k8s.io/PriorityClass", {"value": 1}, {"value": 2}, ["Value"]),
        ("apps/ControllerRevision", {"data": {"a": 1}}, {"data": {"a": 2}}, ["data"]),
        ("discovery.k8s.io/EndpointSlice", {"addressType": "IPv4"}, {"addressType": "IPv6"}, ["addressType"]),
    ],
)
def test_what_may_not_change(kind: str, old: dict[str, Any], new: dict[str, Any], fields: list[str]) -> None:
    assert changed(kind, old, new) == fields


@pytest.mark.parametrize(
    "kind",
    [
        "Service",
        "PersistentVolumeClaim",
        "PersistentVolume",
        "storage.k8s.io/StorageClass",
        "networking.k8s.io/NetworkPolicy",
    ],
)
def test_what_nothing_acts_on_says_so(kind: str) -> None:
    [warning] = RULES[kind].warnings(whole(RULES[kind], {}))
    assert "are kept, but nothing on this machine" in warning


def test_lost_nodes_are_tolerated_for_five_minutes() -> None:
    pod = whole(RULES["Pod"], {"spec": {**POD, "tolerations": [{"key": "node.kubernetes.io/not-ready"}]}})
    RULES["Pod"].for_create(pod)
    assert [one["key"] for one in pod["spec"]["tolerations"]] == [
        "node.kubernetes.io/not-ready",
        "node.kubernetes.io/unreachable",
    ]
