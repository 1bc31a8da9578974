"""Lists with selectors and pages, and watches that lose nothing."""

import base64
import json
import time

import pytest
from tests.contract.apiserver.running import Api


def make(api: Api, path: str, name: str, **labels: str) -> dict[str, object]:
    return api.made(path, {"metadata": {"name": name, "labels": labels}})


def names(answer: dict[str, object]) -> list[str]:
    return [one["metadata"]["name"] for one in answer["items"]]  # type: ignore[attr-defined]


@pytest.fixture
def three(api: Api, configmaps: str) -> str:
    make(api, configmaps, "a", tier="web", env="prod")
    make(api, configmaps, "b", tier="db", env="prod")
    make(api, configmaps, "c", env="test")
    return configmaps


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("tier=web", ["a"]),
        ("tier==web,env=prod", ["a"]),
        ("tier!=web,env", ["b", "c"]),
        ("tier", ["a", "b"]),
        ("!tier,env", ["c"]),
        ("tier in (web, db)", ["a", "b"]),
        ("tier notin (web),env", ["b", "c"]),
    ],
)
def test_label_selector(api: Api, three: str, selector: str, expected: list[str]) -> None:
    quoted = selector.replace(" ", "%20").replace("=", "%3D").replace("!", "%21")
    assert names(api.get(f"{three}?labelSelector={quoted}").body) == expected


def test_bad_selectors_are_bad_requests(api: Api, configmaps: str) -> None:
    assert api.get(f"{configmaps}?labelSelector=a%20b").code == 400
    answer = api.get(f"{configmaps}?fieldSelector=data.k%3Dv")
    assert answer.code == 400
    assert '"data.k" is not a known field selector' in answer.body["message"]


def test_field_selector_by_name(api: Api, three: str) -> None:
    assert names(api.get(f"{three}?fieldSelector=metadata.name%3Db").body) == ["b"]


def test_pages_show_one_moment(api: Api, three: str) -> None:
    first = api.get(f"{three}?limit=1").body
    token = first["metadata"]["continue"]
    make(api, three, "aa")
    api.delete(f"{three}/c")
    second = api.get(f"{three}?limit=5&continue={token}").body
    assert "c" in names(second)
    assert "aa" not in names(second)
    assert second["metadata"]["resourceVersion"] == first["metadata"]["resourceVersion"]
    assert "continue" not in second["metadata"]


def test_bad_continue_token_is_a_bad_request(api: Api, configmaps: str) -> None:
    assert api.get(f"{configmaps}?continue=nonsense").code == 400


@pytest.mark.parametrize("revision", [2**63, 2**64, -1, 0, True, 1.5])
def test_continue_token_of_a_version_that_is_not_there_is_a_bad_request(
    api: Api, configmaps: str, revision: object
) -> None:
    token = base64.urlsafe_b64encode(json.dumps([revision, "default", "a"]).encode()).decode().rstrip("=")
    assert api.get(f"{configmaps}?limit=1&continue={token}").code == 400


@pytest.mark.parametrize(
    "query",
    [
        f"limit={2**63}",
        f"limit={'9' * 5000}",
        "limit=1_000",
        f"watch=1&timeoutSeconds={2**70}",
        f"resourceVersion={2**64}",
        f"resourceVersion={'9' * 5000}",
    ],
    ids=["limit", "long limit", "no number", "seconds", "version", "long version"],
)
def test_numbers_beyond_all_numbers_are_bad_requests(api: Api, configmaps: str, query: str) -> None:
    assert api.get(f"{configmaps}?{query}").code == 400


def test_list_of_the_future_times_out(api: Api, configmaps: str) -> None:
    answer = api.get(f"{configmaps}?resourceVersion=99999999")
    assert (answer.code, answer.body["reason"]) == (504, "Timeout")


def test_watch_from_a_list_sees_every_change_in_order(api: Api, configmaps: str) -> None:
    version = api.get(configmaps).body["metadata"]["resourceVersion"]
    with api.watch(f"{configmaps}?resourceVersion={version}&fieldSelector=metadata.name%3Da") as events:
        make(api, configmaps, "a")
        make(api, configmaps, "other")
        api.patch(f"{configmaps}/a", {"data": {"k": "v"}})
        api.delete(f"{configmaps}/a")
        seen = [next(events) for _ in range(3)]
    assert [one["type"] for one in seen] == ["ADDED", "MODIFIED", "DELETED"]
    versions = [int(one["object"]["metadata"]["resourceVersion"]) for one in seen]
    assert versions == sorted(set(versions))
    assert seen[2]["object"]["data"] == {"k": "v"}


def test_watch_without_version_begins_with_what_is_there(api: Api, three: str) -> None:
    with api.watch(f"{three}?labelSelector=tier") as events:
        assert {next(events)["object"]["metadata"]["name"] for _ in range(2)} == {"a", "b"}


def test_object_that_leaves_the_selection_is_deleted_for_the_watcher(api: Api, three: str) -> None:
    version = api.get(three).body["metadata"]["resourceVersion"]
    with api.watch(f"{three}?resourceVersion={version}&labelSelector=tier%3Dweb") as events:
        api.patch(f"{three}/a", {"metadata": {"labels": {"tier": "x"}}})
        api.patch(f"{three}/b", {"metadata": {"labels": {"tier": "web"}}})
        first, second = next(events), next(events)
    assert (first["type"], first["object"]["metadata"]["name"]) == ("DELETED", "a")
    assert (second["type"], second["object"]["metadata"]["name"]) == ("ADDED", "b")


def test_initial_events_end_with_a_bookmark(api: Api, three: str) -> None:
    query = (
        "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=env"
    )
    with api.watch(f"{three}?{query}") as events:
        seen = [next(events) for _ in range(4)]
    assert [one["type"] for one in seen] == ["ADDED", "ADDED", "ADDED", "BOOKMARK"]
    assert seen[3]["object"]["metadata"]["annotations"] == {"k8s.io/initial-events-end": "true"}


def test_watch_ends_when_its_time_is_over(api: Api, configmaps: str) -> None:
    begin = time.monotonic()
    with api.watch(f"{configmaps}?timeoutSeconds=1&resourceVersion=0&labelSelector=none") as events:
        assert list(events) == []
    assert 0.9 < time.monotonic() - begin < 5


def test_tables_and_partial_metadata(api: Api, three: str) -> None:
    table = api.get(three, Accept="application/json;as=Table;v=v1;g=meta.k8s.io,application/json").body
    assert [one["name"] for one in table["columnDefinitions"]] == ["Name", "Data", "Age"]
    assert table["rows"][0]["object"]["kind"] == "PartialObjectMetadata"
    accept = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
    partial = api.get(three, Accept=accept).body
    assert partial["kind"] == "PartialObjectMetadataList"
    assert set(partial["items"][0]) == {"kind", "apiVersion", "metadata"}


def test_long_lists_are_compressed_for_those_who_ask(api: Api, configmaps: str) -> None:
    for number in range(3):
        api.made(configmaps, {"metadata": {"name": f"big{number}"}, "data": {"k": "x" * 60_000}})
    answer = api.get(configmaps, Accept_Encoding="gzip")
    assert answer.headers["content-encoding"] == "gzip"
    assert len(answer.raw) < 60_000


def test_both_event_groups_show_the_same_events(api: Api, namespace: str) -> None:
    event = {
        "metadata": {"name": "e"},
        "involvedObject": {"kind": "Pod", "name": "p", "namespace": namespace},
        "reason": "Tested",
        "message": "it was",
        "type": "Normal",
        "count": 3,
    }
    api.made(f"/api/v1/namespaces/{namespace}/events", event)
    other = api.get(f"/apis/events.k8s.io/v1/namespaces/{namespace}/events/e").body
    assert other["apiVersion"] == "events.k8s.io/v1"
    assert (other["note"], other["regarding"]["name"], other["deprecatedCount"]) == ("it was", "p", 3)
    selected = api.get(f"/api/v1/namespaces/{namespace}/events?fieldSelector=involvedObject.name%3Dp").body
    assert names(selected) == ["e"]
