"""managedFields from an object's first write on: who owns what after each verb."""

from typing import Any

from tests.contract.apiserver.running import JSON, Answer, Api
from tests.contract.apiserver.test_apply import APPLY, apply

POD = {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i:1"}]}}


def owners(obj: Any) -> dict[tuple[str, str, str], Any]:
    """Fields by manager, operation and subresource."""
    entries = obj["metadata"].get("managedFields", [])
    return {
        (one["manager"], one["operation"], one.get("subresource", "")): one["fieldsV1"] for one in entries
    }


def sent_by(api: Api, agent: str, method: str, path: str, body: Any, kind: str = JSON) -> Answer:
    return api.call(method, path, body, {"User-Agent": agent, "Content-Type": kind})


def test_creator_owns_what_it_wrote_and_what_was_defaulted(api: Api, namespace: str) -> None:
    made = sent_by(api, "maker/v1 (linux)", "POST", f"/api/v1/namespaces/{namespace}/pods", POD).body
    [entry] = made["metadata"]["managedFields"]
    assert (entry["manager"], entry["operation"], entry["apiVersion"]) == ("maker", "Update", "v1")
    assert entry["time"] == made["metadata"]["creationTimestamp"]
    spec = entry["fieldsV1"]["f:spec"]
    assert set(entry["fieldsV1"]) == {"f:spec"}
    assert spec["f:containers"]['k:{"name":"c"}'] == {
        ".": {},
        "f:image": {},
        "f:imagePullPolicy": {},
        "f:name": {},
        "f:resources": {},
        "f:terminationMessagePath": {},
        "f:terminationMessagePolicy": {},
    }
    assert spec["f:securityContext"] == {}


def test_status_has_owners_of_its_own(api: Api, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}/pods"
    sent_by(api, "maker", "POST", path, POD)
    patch = {"status": {"phase": "Running"}, "spec": {"nodeName": "other"}}
    kind = "application/merge-patch+json"
    found = sent_by(api, "kubelet/v1", "PATCH", f"{path}/p/status", patch, kind).body
    assert owners(found)[("kubelet", "Update", "status")] == {"f:status": {"f:phase": {}}}
    assert "nodeName" not in found["spec"]


def test_who_changes_a_field_owns_it_and_who_removes_one_leaves_no_owner(api: Api, configmaps: str) -> None:
    sent_by(api, "a", "POST", configmaps, {"metadata": {"name": "m"}, "data": {"x": "1", "y": "1"}})
    found = sent_by(api, "b", "PUT", f"{configmaps}/m", {"metadata": {"name": "m"}, "data": {"x": "2"}}).body
    assert owners(found) == {
        ("a", "Update", ""): {"f:data": {}},
        ("b", "Update", ""): {"f:data": {"f:x": {}}},
    }


def test_write_that_changes_nothing_is_no_write(api: Api, configmaps: str) -> None:
    made = sent_by(api, "a", "POST", configmaps, {"metadata": {"name": "m"}, "data": {"x": "1"}}).body
    for verb, kind in (("PUT", JSON), ("PATCH", "application/merge-patch+json")):
        again = sent_by(
            api, "b", verb, f"{configmaps}/m", {"metadata": {"name": "m"}, "data": {"x": "1"}}, kind
        ).body
        assert again["metadata"] == made["metadata"]


def test_one_empty_entry_resets_and_the_next_apply_starts_again(api: Api, configmaps: str) -> None:
    sent_by(api, "a", "POST", configmaps, {"metadata": {"name": "m"}, "data": {"x": "1"}})
    reset = api.patch(f"{configmaps}/m", {"metadata": {"managedFields": [{}]}}).body
    assert "managedFields" not in reset["metadata"]
    untracked = api.patch(f"{configmaps}/m?fieldManager=b", {"data": {"y": "1"}}).body
    assert "managedFields" not in untracked["metadata"]
    applied = apply(api, f"{configmaps}/m", "c", {"data": {"z": "1"}}).body
    assert set(owners(applied)) == {("before-first-apply", "Update", ""), ("c", "Apply", "")}


def test_writer_that_sends_managed_fields_is_believed(api: Api, configmaps: str) -> None:
    made = sent_by(api, "a", "POST", configmaps, {"metadata": {"name": "m"}, "data": {"x": "1"}}).body
    [entry] = made["metadata"]["managedFields"]
    made["metadata"]["managedFields"] = [{**entry, "manager": "renamed"}]
    found = api.put(f"{configmaps}/m", made).body
    assert [one["manager"] for one in found["metadata"]["managedFields"]] == ["renamed"]
    made["metadata"] |= {"managedFields": [{"manager": "odd"}], "resourceVersion": ""}
    kept = api.put(f"{configmaps}/m", made).body
    assert [one["manager"] for one in kept["metadata"]["managedFields"]] == ["renamed"]


def test_many_updaters_become_ancient_changes(api: Api, configmaps: str) -> None:
    api.made(configmaps, {"metadata": {"name": "m"}, "data": {"x": "1"}})
    for number in range(13):
        api.patch(f"{configmaps}/m?fieldManager=m{number:02}", {"data": {f"k{number:02}": "1"}})
    found = owners(api.get(f"{configmaps}/m").body)
    assert len(found) == 10
    assert ("ancient-changes", "Update", "") in found
    kept = {name for fields in found.values() for name in fields["f:data"]}
    assert kept >= {f"f:k{number:02}" for number in range(13)}


def test_conflicts_name_every_owner_and_field(api: Api, configmaps: str) -> None:
    apply(api, f"{configmaps}/m", "one", {"data": {"a": "1", "b": "1"}})
    api.patch(f"{configmaps}/m?fieldManager=two", {"data": {"c": "1"}})
    answer = apply(api, f"{configmaps}/m", "three", {"data": {"a": "2", "b": "2", "c": "2"}})
    assert answer.body["message"] == (
        'Apply failed with 3 conflicts: conflicts with "one":\n- .data.a\n- .data.b\n'
        'conflicts with "two" using v1:\n- .data.c'
    )
    assert [cause["field"] for cause in answer.body["details"]["causes"]] == [".data.a", ".data.b", ".data.c"]


def test_dry_run_of_an_apply_stores_nothing(api: Api, configmaps: str) -> None:
    made = apply(api, f"{configmaps}/m", "one", {"data": {"a": "1"}}).body
    dry = api.patch(
        f"{configmaps}/m?fieldManager=one&dryRun=All",
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m"}, "data": {"a": "2"}},
        APPLY,
    )
    assert dry.body["data"] == {"a": "2"}
    assert api.get(f"{configmaps}/m").body == made


def test_apply_of_status_owns_status_alone(api: Api, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}/pods"
    api.made(path, POD)
    body = {"apiVersion": "v1", "kind": "Pod", "spec": {"nodeName": "n"}, "status": {"message": "hello"}}
    found = api.patch(f"{path}/p/status?fieldManager=agent", body, APPLY).body
    assert owners(found)[("agent", "Apply", "status")] == {"f:status": {"f:message": {}}}
    assert "nodeName" not in found["spec"]
    without = api.patch(f"{path}/p/status?fieldManager=agent", {**body, "status": {}}, APPLY).body
    assert "message" not in without["status"]
