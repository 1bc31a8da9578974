"""B-01: every operation of the OpenAPI v3 documents, asked for with data made from its schema.

As administrator no answer is a 5xx, and every error is a Status that says so. As a viewer nothing changes,
and nobody without a name is answered. ``APISERVER_EXAMPLES`` says how many requests each operation gets.
"""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from tests.contract.apiserver.running import MERGE, Answer, Api, Running

EXAMPLES = int(os.environ.get("APISERVER_EXAMPLES", "3"))
NAMESPACE = "any"
NAMES = ("a", "b-1.c")
METHODS = ["get", "patch", "put", "post", "delete"]  # deletes last: all else has nothing to act on then
# What a viewer may write: questions, which are stored nowhere.
QUESTIONS = "/apis/authorization.k8s.io/", "/apis/authentication.k8s.io/"


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server of its own, since everything in it is deleted and spoiled."""
    running = Running(tmp_path_factory.mktemp("any") / "state")
    running.start()
    api = running.api()
    api.made("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
    api.eventually(f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts/default")
    for name in NAMES:
        api.made(f"/api/v1/namespaces/{NAMESPACE}/configmaps", {"metadata": {"name": name}})
    yield running
    running.kill()


def operations(api: Api) -> list[Any]:
    """All operations of all groups, by method."""
    found: list[Any] = []
    for place in api.get("/openapi/v3").body["paths"].values():
        document = api.get(place["serverRelativeURL"]).body
        schema = schemathesis.openapi.from_dict(document)
        found += [_whole(operation) for operation in schema.get_all_operations()]
    return sorted(found, key=lambda operation: METHODS.index(operation.method))


def _whole(found: Any) -> Any:
    """The operation; one that the document describes wrongly fails here."""
    return found.ok()


def requests(operation: Any) -> list[tuple[str, str, Any, str]]:
    """Method, path, body and media type of some requests, the same in every run."""
    made: list[tuple[str, str, Any, str]] = []
    options = settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )

    def keep(case: Any) -> None:
        made.append(_aimed(case))

    options(given(case=operation.as_strategy())(keep))()
    return made


def _aimed(case: Any) -> tuple[str, str, Any, str]:
    """Random names hit nothing; a watch would only be waited for."""
    name = NAMES[len(str(case.body)) % len(NAMES)]
    path = case.operation.path.replace("{namespace}", NAMESPACE).replace("{name}", name)
    body = case.body if isinstance(case.body, dict | list) else None
    if isinstance(body, dict):  # what the path says already stands in no body's way
        body = {key: value for key, value in body.items() if key not in ("apiVersion", "kind")}
        body["metadata"] = {"name": name}
    media_type = MERGE if case.method == "PATCH" else "application/json"
    return case.method, path, body, media_type


def ask(api: Api, request: tuple[str, str, Any, str]) -> Answer:
    method, path, body, media_type = request
    return api.call(method, path, body, {"Content-Type": media_type})


@pytest.mark.timeout(300)
def test_nothing_that_a_schema_makes_is_a_fault_of_the_server(spoiled: Running) -> None:
    api = spoiled.api()
    faults, codes = [], Counter[int]()
    asked = operations(api)
    for operation in asked:
        for request in requests(operation):
            answer = ask(api, request)
            codes[answer.code] += 1
            if answer.code >= 500 or (answer.code >= 400 and answer.body.get("kind") != "Status"):
                faults.append((request, answer.raw[:500]))
    assert len(asked) > 280
    assert codes.total() >= EXAMPLES * len(asked) // 2
    assert faults == []
    assert {200, 201, 404, 422} <= codes.keys(), codes


@pytest.mark.timeout(300)
def test_a_viewer_changes_nothing_and_nobody_without_a_name_is_answered(tmp_path: Path) -> None:
    running = Running(tmp_path / "state")
    running.start()
    try:
        _look_on(running)
    finally:
        running.kill()


def _look_on(running: Running) -> None:
    api = running.api()
    api.made("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
    api.eventually(f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts/default")
    binding = {
        "metadata": {"name": "v"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
        "subjects": [{"kind": "ServiceAccount", "name": "default", "namespace": NAMESPACE}],
    }
    api.made("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", binding)
    path = f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts/default/token"
    viewer = running.api(cert="", token=api.made(path, {"spec": {}})["status"]["token"])
    nobody = running.api(cert="")
    before = contents(api)
    let_in: list[Any] = []
    for operation in operations(api):
        for request in requests(operation):
            method, place, *_ = request
            code = ask(viewer, request).code
            if method.upper() != "GET" and code < 300 and not place.startswith(QUESTIONS):
                let_in.append((request[:2], code))
            if ask(nobody, request).code not in (401, 403):
                let_in.append((request[:2], "nobody"))
    assert let_in == []
    assert contents(api) == before


def contents(api: Api) -> dict[str, Any]:
    """What a viewer could have spoiled."""
    places = ("/api/v1/configmaps", "/api/v1/secrets", "/api/v1/namespaces", "/api/v1/serviceaccounts")
    roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles"
    found = {place: api.get(place).body["items"] for place in (*places, roles)}
    return {place: [item["metadata"]["uid"] for item in items] for place, items in found.items()}
