"""What the server tells of itself: health, metrics, ids of requests."""

import re

import pytest
from tests.contract.apiserver.running import Api, Running


@pytest.mark.parametrize("path", ["healthz", "livez", "readyz"])
def test_health_says_ok_and_shows_its_checks_when_asked(api: Api, server: Running, path: str) -> None:
    anonymous = server.api(cert="")
    assert (anonymous.get(f"/{path}").raw, anonymous.get(f"/{path}/etcd").code) == (b"ok", 403)
    shown = api.get(f"/{path}?verbose").raw.decode().splitlines()
    assert "[+]etcd ok" in shown
    assert shown[-1] == f"{path} check passed"
    assert api.get(f"/{path}/ping").raw == b"ok"
    assert api.get(f"/{path}/nothing").code == 404
    assert "[+]etcd ok" not in api.get(f"/{path}?verbose&exclude=etcd").raw.decode()


def value_of(api: Api, line: str) -> float:
    found = re.search(rf"^{line} (\S+)$", api.get("/metrics").raw.decode(), re.MULTILINE)
    return float(found[1]) if found else 0.0


def test_metrics_count_requests_by_verb_resource_and_code(api: Api, configmaps: str) -> None:
    line = (
        r'apiserver_request_total\{verb="POST",group="",version="v1",resource="configmaps",subresource="",'
        r'scope="namespace",component="apiserver",dry_run="",code="201"\}'
    )
    before = value_of(api, line)
    api.made(configmaps, {"metadata": {"name": "m"}})
    assert value_of(api, line) == before + 1


def test_metrics_count_watches_that_stand(api: Api, configmaps: str) -> None:
    line = r'apiserver_registered_watchers\{group="",version="v1",kind="ConfigMap"\}'
    with api.watch(configmaps) as events:
        next(events)
        assert value_of(api, line) == 1


@pytest.mark.parametrize(
    "family",
    [
        "apiserver_request_duration_seconds_bucket",
        "apiserver_current_inflight_requests",
        "apiserver_storage_objects",
        "apiserver_storage_size_bytes",
        "process_resident_memory_bytes",
        "kubernetes_build_info",
    ],
)
def test_metrics_have_kubernetes_names(api: Api, family: str) -> None:
    assert f"\n{family}{{" in (text := api.get("/metrics").raw.decode()) or f"\n{family} " in text


def test_paths_that_are_not_served_add_no_lines(api: Api) -> None:
    for number in range(5):
        api.get(f"/apis/g{number}.example.com/v1/things")
    assert "g3.example.com" not in api.get("/metrics").raw.decode()


def test_every_answer_has_an_id(api: Api) -> None:
    ids = {api.get(path).headers["audit-id"] for path in ("/version", "/api/v1/namespaces/none", "/nope")}
    assert len(ids) == 3
