"""Create, read, update, patch and delete, as every client relies on them."""

import pytest
from tests.contract.apiserver.running import Api

SERVER_SET = ("uid", "creationTimestamp", "resourceVersion")


def named(name: str, **rest: object) -> dict[str, object]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, **rest}


def test_created_object_has_identity_and_can_be_read(api: Api, configmaps: str) -> None:
    made = api.made(configmaps, named("a", data={"k": "v"}))
    assert all(made["metadata"][name] for name in SERVER_SET)
    assert api.get(f"{configmaps}/a").body == made


def test_client_cannot_choose_server_owned_metadata(api: Api, configmaps: str) -> None:
    body = named("a")
    body["metadata"] = {
        "name": "a",
        "uid": "mine",
        "deletionTimestamp": "2020-01-01T00:00:00Z",
        "generation": 7,
    }
    meta = api.made(configmaps, body)["metadata"]
    assert meta["uid"] != "mine"
    assert "deletionTimestamp" not in meta
    assert "generation" not in meta


def test_second_create_conflicts(api: Api, configmaps: str) -> None:
    api.made(configmaps, named("a"))
    answer = api.post(configmaps, named("a"))
    assert (answer.code, answer.body["reason"]) == (409, "AlreadyExists")
    assert answer.body["message"] == 'configmaps "a" already exists'


def test_generated_names_are_unique(api: Api, configmaps: str) -> None:
    made = [api.made(configmaps, {"metadata": {"generateName": "g-"}}) for _ in range(3)]
    names = {one["metadata"]["name"] for one in made}
    assert len(names) == 3
    assert all(name.startswith("g-") and len(name) == 7 for name in names)


@pytest.mark.parametrize("name", ["Upper", "under_score", "-dash", "a" * 254])
def test_bad_name_is_refused_at_its_field(api: Api, configmaps: str, name: str) -> None:
    answer = api.post(configmaps, named(name))
    assert (answer.code, answer.body["reason"]) == (422, "Invalid")
    assert answer.body["details"]["causes"][0]["field"] == "metadata.name"


def test_absent_object_names_itself(api: Api, configmaps: str) -> None:
    answer = api.get(f"{configmaps}/none")
    assert answer.code == 404
    assert answer.body["message"] == 'configmaps "none" not found'
    assert answer.body["details"] == {"name": "none", "kind": "configmaps"}


def test_absent_namespace_refuses_create(api: Api) -> None:
    answer = api.post("/api/v1/namespaces/nowhere/configmaps", named("a"))
    assert (answer.code, answer.body["message"]) == (404, 'namespaces "nowhere" not found')


def test_stale_update_conflicts_and_changes_nothing(api: Api, configmaps: str) -> None:
    made = api.made(configmaps, named("a", data={"k": "1"}))
    api.put(f"{configmaps}/a", {**made, "data": {"k": "2"}})
    answer = api.put(f"{configmaps}/a", {**made, "data": {"k": "3"}})
    assert (answer.code, answer.body["reason"]) == (409, "Conflict")
    assert api.get(f"{configmaps}/a").body["data"] == {"k": "2"}


def test_update_without_change_keeps_the_version(api: Api, configmaps: str) -> None:
    made = api.made(configmaps, named("a", data={"k": "1"}))
    assert (
        api.put(f"{configmaps}/a", made).body["metadata"]["resourceVersion"]
        == made["metadata"]["resourceVersion"]
    )


def test_update_of_another_incarnation_conflicts(api: Api, configmaps: str) -> None:
    made = api.made(configmaps, named("a"))
    made["metadata"]["uid"] = "00000000-0000-0000-0000-000000000000"
    del made["metadata"]["resourceVersion"]
    assert api.put(f"{configmaps}/a", made).code == 409


def test_patches_of_all_kinds(api: Api, configmaps: str) -> None:
    api.made(configmaps, named("a", data={"k": "1", "gone": "x"}))
    api.patch(f"{configmaps}/a", {"data": {"k": "2", "gone": None}})
    api.patch(
        f"{configmaps}/a", [{"op": "add", "path": "/data/j", "value": "3"}], "application/json-patch+json"
    )
    last = api.patch(f"{configmaps}/a", {"data": {"s": "4"}}, "application/strategic-merge-patch+json")
    assert last.body["data"] == {"k": "2", "j": "3", "s": "4"}


def test_failed_json_patch_test_is_invalid(api: Api, configmaps: str) -> None:
    api.made(configmaps, named("a", data={"k": "1"}))
    patch = [{"op": "test", "path": "/data/k", "value": "2"}]
    assert api.patch(f"{configmaps}/a", patch, "application/json-patch+json").code == 422


def test_unknown_patch_type_is_415(api: Api, configmaps: str) -> None:
    api.made(configmaps, named("a"))
    answer = api.patch(f"{configmaps}/a", {}, "application/json")
    assert (answer.code, answer.body["reason"]) == (415, "UnsupportedMediaType")


def test_patch_with_old_version_conflicts(api: Api, configmaps: str) -> None:
    made = api.made(configmaps, named("a"))
    api.patch(f"{configmaps}/a", {"data": {"k": "1"}})
    stale = {"metadata": {"resourceVersion": made["metadata"]["resourceVersion"]}, "data": {"k": "2"}}
    assert api.patch(f"{configmaps}/a", stale).code == 409


def test_dry_run_stores_nothing(api: Api, configmaps: str) -> None:
    assert api.post(f"{configmaps}?dryRun=All", named("a")).code == 201
    assert api.get(f"{configmaps}/a").code == 404
    api.made(configmaps, named("b", data={"k": "1"}))
    assert api.patch(f"{configmaps}/b?dryRun=All", {"data": {"k": "2"}}).body["data"] == {"k": "2"}
    assert api.delete(f"{configmaps}/b?dryRun=All").code == 200
    assert api.get(f"{configmaps}/b").body["data"] == {"k": "1"}


@pytest.mark.parametrize(
    ("mode", "code", "warned"), [("Ignore", 201, False), ("Warn", 201, True), ("Strict", 400, False)]
)
def test_unknown_field_is_treated_as_asked(
    api: Api, configmaps: str, mode: str, code: int, warned: bool
) -> None:
    answer = api.post(f"{configmaps}?fieldValidation={mode}", named("a", dta={"k": "v"}))
    assert answer.code == code
    assert any('unknown field \\"dta\\"' in text for text in answer.warnings) == warned
    if code == 400:
        assert 'strict decoding error: unknown field "dta"' in answer.body["message"]
    else:
        assert "dta" not in answer.body


def test_wrong_type_is_bad_request(api: Api, configmaps: str) -> None:
    answer = api.post(configmaps, named("a", data={"k": 1}))
    assert (answer.code, answer.body["reason"]) == (400, "BadRequest")
    assert (
        "cannot unmarshal number into Go struct field ConfigMap.data.k of type string"
        in answer.body["message"]
    )


def test_yaml_is_taken_and_given(api: Api, configmaps: str) -> None:
    yaml = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y}\ndata: {when: '2020-01-01', on: 'yes'}\n"
    answer = api.call(
        "POST", configmaps, yaml, {"Content-Type": "application/yaml", "Accept": "application/yaml"}
    )
    assert answer.code == 201
    assert answer.headers["content-type"] == "application/yaml"
    assert b"kind: ConfigMap" in answer.raw


def test_broken_json_deep_json_and_huge_bodies_are_refused(api: Api, configmaps: str) -> None:
    assert api.call("POST", configmaps, b"{").code == 400
    assert api.call("POST", configmaps, b'{"a":' * 500 + b"1" + b"}" * 500).code == 400
    assert api.call("POST", configmaps, b" " * (3 * 1024 * 1024 + 1)).code == 413


def test_delete_answers_status_and_needs_matching_preconditions(api: Api, configmaps: str) -> None:
    made = api.made(configmaps, named("a"))
    wrong = api.delete(f"{configmaps}/a", {"preconditions": {"uid": "other"}})
    assert (wrong.code, wrong.body["reason"]) == (409, "Conflict")
    answer = api.delete(f"{configmaps}/a", {"preconditions": {"uid": made["metadata"]["uid"]}})
    assert (answer.code, answer.body["status"]) == (200, "Success")
    assert answer.body["details"]["uid"] == made["metadata"]["uid"]
    assert api.get(f"{configmaps}/a").code == 404


def test_finalizer_keeps_the_object_until_it_is_taken_away(api: Api, configmaps: str) -> None:
    body = named("a")
    body["metadata"] = {"name": "a", "finalizers": ["example.com/hold"]}
    api.made(configmaps, body)
    assert "deletionTimestamp" in api.delete(f"{configmaps}/a").body["metadata"]
    added = api.patch(
        f"{configmaps}/a", {"metadata": {"finalizers": ["example.com/hold", "example.com/new"]}}
    )
    assert added.code == 422
    assert api.patch(f"{configmaps}/a", {"metadata": {"finalizers": None}}).code == 200
    assert api.get(f"{configmaps}/a").code == 404


def test_deletecollection_takes_only_what_is_selected(api: Api, configmaps: str) -> None:
    for name, label in (("a", "x"), ("b", "y")):
        api.made(configmaps, {"metadata": {"name": name, "labels": {"l": label}}})
    assert api.delete(f"{configmaps}?labelSelector=l%3Dx").code == 200
    assert api.get(f"{configmaps}/a").code == 404
    assert api.get(f"{configmaps}/b").code == 200


def test_unknown_paths_methods_and_subresources(api: Api, configmaps: str) -> None:
    assert api.get("/apis/none.example/v1/things").code == 404
    assert api.get(f"{configmaps}/a/status").code == 404
    assert api.put(configmaps, named("a")).code == 405
    assert api.get("/nothing").body["kind"] == "Status"


def test_secret_text_becomes_data(api: Api, namespace: str) -> None:
    made = api.made(
        f"/api/v1/namespaces/{namespace}/secrets", {"metadata": {"name": "s"}, "stringData": {"a": "b"}}
    )
    assert made["data"] == {"a": "Yg=="}
    assert made["type"] == "Opaque"
    assert "stringData" not in made
