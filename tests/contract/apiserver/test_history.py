"""The past is bounded: who asks for more than there is hears 410, and nothing is skipped silently."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contract.apiserver.running import Running

PATH = "/api/v1/namespaces/default/configmaps"


@pytest.fixture(scope="module")
def forgetful(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    root: Path = tmp_path_factory.mktemp("forgetful")
    running = Running(root, watch_window_events=10)
    running.start()
    yield running
    running.kill()


def churn(server: Running, name: str, times: int) -> None:
    api = server.api()
    api.post(PATH, {"metadata": {"name": name}})
    for number in range(times):
        api.patch(f"{PATH}/{name}", {"data": {"n": str(number)}})


def test_watch_from_a_forgotten_version_is_gone(forgetful: Running) -> None:
    before = forgetful.api().get(PATH).body["metadata"]["resourceVersion"]
    churn(forgetful, "a", 20)
    answer = forgetful.api().get(f"{PATH}?watch=1&resourceVersion={before}")
    assert (answer.code, answer.body["reason"]) == (410, "Expired")
    assert answer.body["message"].startswith(f"too old resource version: {before} (")


def test_page_of_a_forgotten_moment_is_gone(forgetful: Running) -> None:
    churn(forgetful, "b", 1)
    churn(forgetful, "c", 1)
    token = forgetful.api().get(f"{PATH}?limit=1").body["metadata"]["continue"]
    churn(forgetful, "d", 20)
    answer = forgetful.api().get(f"{PATH}?limit=1&continue={token}")
    assert (answer.code, answer.body["reason"]) == (410, "Expired")


def test_quiet_kinds_keep_their_watches_while_others_churn(forgetful: Running) -> None:
    before = forgetful.api().get("/api/v1/nodes").body["metadata"]["resourceVersion"]
    churn(forgetful, "e", 20)
    with forgetful.api().watch(f"/api/v1/nodes?resourceVersion={before}") as events:
        forgetful.api().post("/api/v1/nodes", {"metadata": {"name": "n"}})
        assert next(events)["type"] == "ADDED"


def test_exact_list_of_the_past_is_the_past_or_gone(forgetful: Running) -> None:
    api = forgetful.api()
    churn(forgetful, "f", 1)
    before = api.get(PATH).body["metadata"]["resourceVersion"]
    api.delete(f"{PATH}/f")
    exact = f"{PATH}?resourceVersion={before}&resourceVersionMatch=Exact"
    assert "f" in [one["metadata"]["name"] for one in api.get(exact).body["items"]]
    churn(forgetful, "g", 20)
    assert api.get(exact).code == 410
