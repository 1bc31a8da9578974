"""Server-side apply: ownership, conflicts, force, and what is taken back."""

from typing import Any

from tests.contract.apiserver.running import Answer, Api

APPLY = "application/apply-patch+yaml"


def apply(api: Api, path: str, manager: str, body: Any, force: bool = False) -> Answer:
    query = f"?fieldManager={manager}&force={str(force).lower()}"
    named = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": path.rpartition("/")[2]}}
    return api.patch(path + query, {**named, **body}, APPLY)


def test_apply_creates_and_owns(api: Api, configmaps: str) -> None:
    answer = apply(api, f"{configmaps}/a", "one", {"data": {"k": "1"}})
    assert answer.code == 201
    entry = answer.body["metadata"]["managedFields"][0]
    assert (entry["manager"], entry["operation"], entry["fieldsV1"]) == (
        "one",
        "Apply",
        {"f:data": {"f:k": {}}},
    )


def test_same_apply_changes_nothing(api: Api, configmaps: str) -> None:
    first = apply(api, f"{configmaps}/a", "one", {"data": {"k": "1"}}).body
    second = apply(api, f"{configmaps}/a", "one", {"data": {"k": "1"}})
    assert second.code == 200
    assert second.body["metadata"]["resourceVersion"] == first["metadata"]["resourceVersion"]


def test_field_left_out_is_removed(api: Api, configmaps: str) -> None:
    apply(api, f"{configmaps}/a", "one", {"data": {"k": "1", "j": "2"}})
    assert apply(api, f"{configmaps}/a", "one", {"data": {"k": "1"}}).body["data"] == {"k": "1"}


def test_other_managers_field_conflicts_until_forced(api: Api, configmaps: str) -> None:
    apply(api, f"{configmaps}/a", "one", {"data": {"k": "1"}})
    answer = apply(api, f"{configmaps}/a", "two", {"data": {"k": "2"}})
    assert (answer.code, answer.body["reason"]) == (409, "Conflict")
    assert answer.body["message"] == 'Apply failed with 1 conflict: conflict with "one": .data.k'
    assert answer.body["details"]["causes"][0]["reason"] == "FieldManagerConflict"
    forced = apply(api, f"{configmaps}/a", "two", {"data": {"k": "2"}}, force=True)
    assert forced.body["data"] == {"k": "2"}
    assert [entry["manager"] for entry in forced.body["metadata"]["managedFields"]] == ["two"]


def test_same_value_is_shared(api: Api, configmaps: str) -> None:
    apply(api, f"{configmaps}/a", "one", {"data": {"k": "1"}})
    assert apply(api, f"{configmaps}/a", "two", {"data": {"k": "1"}}).code == 200
    left = apply(api, f"{configmaps}/a", "one", {"data": {}})
    assert left.body["data"] == {"k": "1"}


def test_update_takes_ownership_of_what_it_changes(api: Api, configmaps: str) -> None:
    apply(api, f"{configmaps}/a", "one", {"data": {"k": "1", "j": "1"}})
    api.patch(f"{configmaps}/a?fieldManager=editor", {"data": {"k": "2"}})
    answer = apply(api, f"{configmaps}/a", "one", {"data": {"k": "1", "j": "1"}})
    assert answer.code == 409
    assert 'conflict with "editor"' in answer.body["message"]


def test_items_of_keyed_lists_have_owners(api: Api, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}/services/s"
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}}

    def ports(*numbers: int) -> Any:
        return {
            **service,
            "spec": {
                "ports": [{"port": number, "protocol": "TCP", "name": f"p{number}"} for number in numbers]
            },
        }

    assert api.patch(f"{path}?fieldManager=one", ports(80), APPLY).code == 201
    both = api.patch(f"{path}?fieldManager=two", ports(443), APPLY).body
    assert [port["port"] for port in both["spec"]["ports"]] == [80, 443]
    left = api.patch(f"{path}?fieldManager=two", {**service, "spec": {}}, APPLY).body
    assert [port["port"] for port in left["spec"]["ports"]] == [80]


def test_apply_needs_a_manager(api: Api, configmaps: str) -> None:
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
    assert api.patch(f"{configmaps}/a", config, APPLY).code == 422


def test_apply_names_what_it_means(api: Api, configmaps: str) -> None:
    path = f"{configmaps}/a?fieldManager=one"
    nameless = api.patch(path, {"apiVersion": "v1", "kind": "ConfigMap"}, APPLY)
    assert (nameless.code, "name must be provided" in nameless.body["message"]) == (400, True)
    unversioned = api.patch(path, {"kind": "ConfigMap", "metadata": {"name": "a"}}, APPLY)
    assert (unversioned.code, "expected: v1" in unversioned.body["message"]) == (400, True)
    misspelt = apply(api, f"{configmaps}/a", "one", {"dada": {"k": "1"}})
    assert misspelt.body["message"].endswith(".dada: field not declared in schema")
