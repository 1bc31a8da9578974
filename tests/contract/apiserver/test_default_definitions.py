"""The CRDs that are there from the first start."""

import pytest
from tests.contract.apiserver.running import Api

SNAPSHOTS = "/apis/snapshot.storage.k8s.io/v1"


def test_snapshots_are_stored_checked_and_say_that_nothing_takes_them(api: Api, namespace: str) -> None:
    path = f"{SNAPSHOTS}/namespaces/{namespace}/volumesnapshots"
    source = {"persistentVolumeClaimName": "c"}
    answer = api.post(path, {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot",
                             "metadata": {"name": "s"}, "spec": {"source": source}})  # fmt: skip
    assert answer.code == 201
    assert "nothing on this machine takes or restores them" in answer.warnings[0]
    both = {**source, "volumeSnapshotContentName": "v"}
    odd = api.patch(f"{path}/s", {"spec": {"source": both}})
    assert (odd.code, odd.body["reason"]) == (422, "Invalid")
    ready = api.patch(f"{path}/s/status", {"status": {"readyToUse": True, "restoreSize": "1Gi"}})
    assert ready.body["status"]["readyToUse"] is True
    table = api.get(path, Accept="application/json;as=Table;v=v1;g=meta.k8s.io").body
    assert [column["name"] for column in table["columnDefinitions"]][:3] == [
        "Name",
        "ReadyToUse",
        "SourcePVC",
    ]


@pytest.mark.parametrize(
    ("group", "plural"),
    [
        ("snapshot.storage.k8s.io", "volumesnapshotclasses"),
        ("snapshot.storage.k8s.io", "volumesnapshotcontents"),
        ("k8s.cni.cncf.io", "network-attachment-definitions"),
    ],
)
def test_kind_is_discovered(api: Api, group: str, plural: str) -> None:
    assert plural in [one["name"] for one in api.get(f"/apis/{group}/v1").body["resources"]]


def test_network_is_stored_and_says_that_nothing_attaches_to_it(api: Api, namespace: str) -> None:
    path = f"/apis/k8s.cni.cncf.io/v1/namespaces/{namespace}/network-attachment-definitions"
    body = {"apiVersion": "k8s.cni.cncf.io/v1", "kind": "NetworkAttachmentDefinition"}
    answer = api.post(path, {**body, "metadata": {"name": "n"}, "spec": {"config": "{}"}})
    assert answer.code == 201
    assert "nothing on this machine attaches guests to them" in answer.warnings[0]
