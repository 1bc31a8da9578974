"""kill -9 at any moment: what was acknowledged is there, versions never fall, watches resume."""

import threading

from tests.contract.apiserver.running import Api, Running

PATH = "/api/v1/namespaces/default/configmaps"


def write_until_dead(api: Api, worker: int, acknowledged: dict[str, int]) -> None:
    number = 0
    while True:
        name = f"w{worker}-{number}"
        try:
            answer = api.post(PATH, {"metadata": {"name": name}})
        except OSError:
            return
        if answer.code != 201:
            return
        acknowledged[name] = int(answer.body["metadata"]["resourceVersion"])
        number += 1


def test_no_acknowledged_write_is_lost(own_server: Running) -> None:
    acknowledged: dict[str, int] = {}
    workers = [
        threading.Thread(target=write_until_dead, args=(own_server.api(), worker, acknowledged))
        for worker in range(4)
    ]
    for worker in workers:
        worker.start()
    while len(acknowledged) < 60:
        pass
    own_server.kill()
    for worker in workers:
        worker.join()
    own_server.start()
    listed = own_server.api().get(PATH).body
    found = {one["metadata"]["name"]: int(one["metadata"]["resourceVersion"]) for one in listed["items"]}
    assert acknowledged.items() <= found.items()
    assert int(listed["metadata"]["resourceVersion"]) >= max(found.values())


def test_watch_resumes_over_a_crash_without_loss(own_server: Running) -> None:
    api = own_server.api()
    before = api.get(PATH).body["metadata"]["resourceVersion"]
    api.made(PATH, {"metadata": {"name": "a", "labels": {"mine": "yes"}}})
    api.delete(f"{PATH}/a")
    own_server.kill()
    own_server.start()
    api.made(PATH, {"metadata": {"name": "b", "labels": {"mine": "yes"}}})
    with api.watch(f"{PATH}?resourceVersion={before}&labelSelector=mine") as events:
        seen = [next(events) for _ in range(3)]
    assert [(one["type"], one["object"]["metadata"]["name"]) for one in seen] == [
        ("ADDED", "a"),
        ("DELETED", "a"),
        ("ADDED", "b"),
    ]
    versions = [int(one["object"]["metadata"]["resourceVersion"]) for one in seen]
    assert versions == sorted(set(versions))


def test_deletions_go_on_after_a_crash(own_server: Running) -> None:
    api = own_server.api()
    held = {"metadata": {"name": "held", "finalizers": ["example.com/hold"]}}
    api.made("/api/v1/namespaces", {"metadata": {"name": "going"}})
    api.made("/api/v1/namespaces/going/configmaps", held)
    api.delete("/api/v1/namespaces/going")
    own_server.kill()
    own_server.start()
    api.patch("/api/v1/namespaces/going/configmaps/held", {"metadata": {"finalizers": None}})
    api.eventually("/api/v1/namespaces/going", 404)


def test_second_server_on_the_same_store_is_refused_with_a_sentence(own_server: Running) -> None:
    ended = Running(own_server.state.root).run_to_end()
    assert ended.returncode == 1
    assert "cannot be opened: database is locked" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert own_server.api().get("/readyz").code == 200
