"""Webhooks and aggregated APIs, against a server that speaks TLS and HTTP for real.

WebSockets are asyncio's: the client that reads in a thread shares OpenSSL's state between two, and reads
an end that nobody sent once in a thousand handshakes.
"""

import asyncio
import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.contract.apiserver.extension import Extension
from tests.contract.apiserver.running import Api, Running
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin, Subprotocol

ADMISSION = "/apis/admissionregistration.k8s.io/v1"
SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices"
ALLOW = {"allowed": True}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, Extension]]:
    root = tmp_path_factory.mktemp("extended")
    probe = Running(root)
    extension = Extension(probe.state)
    running = Running(root, service_resolver={"virt-api.kubevirt": extension.address})
    running.start()
    yield running, extension
    running.kill()
    extension.close()


@pytest.fixture
def server(pair: tuple[Running, Extension]) -> Running:
    return pair[0]


@pytest.fixture
def extension(pair: tuple[Running, Extension]) -> Extension:
    pair[1].asked.clear()
    pair[1].headers.clear()
    return pair[1]


def bundle(server: Running) -> str:
    return base64.b64encode(server.state.path("pki", "component-ca.crt").read_bytes()).decode()


@pytest.fixture
def register(server: Running, api: Api, namespace: str) -> Iterator[Any]:
    """Registers a webhook for configmaps of this test's namespace."""
    made: list[str] = []

    def registering(kind: str, name: str, path: str, **more: Any) -> None:
        service = {"namespace": "kubevirt", "name": "virt-api", "path": path}
        webhook = {
            "name": f"{name}.example.com",
            "clientConfig": {"service": service, "caBundle": bundle(server)},
            "rules": [
                {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["configmaps"]}
            ],
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}},
            "sideEffects": "None",
            "admissionReviewVersions": ["v1"],
            **more,
        }
        path = f"{ADMISSION}/{kind}webhookconfigurations"
        api.made(path, {"metadata": {"name": name}, "webhooks": [webhook]})
        made.append(f"{path}/{name}")

    yield registering
    for path in made:
        api.delete(path)


def patching(operations: list[Any], **more: Any) -> Any:
    patch = base64.b64encode(json.dumps(operations).encode()).decode()
    return lambda _request: {**ALLOW, "patch": patch, "patchType": "JSONPatch", **more}


def test_mutating_webhook_changes_the_object_and_warns(
    api: Api, extension: Extension, register: Any, configmaps: str
) -> None:
    operations = [{"op": "add", "path": "/data", "value": {"added": "yes"}}]
    extension.verdicts["/mutate"] = patching(operations, warnings=["mind the gap"])
    register("mutating", "m", "/mutate")
    answer = api.post(configmaps, {"metadata": {"name": "a"}})
    assert answer.body["data"] == {"added": "yes"}
    assert answer.warnings == ['299 - "mind the gap"']
    request = next(one for one in extension.asked if one["name"] == "a")
    assert (request["operation"], request["name"], request["userInfo"]["username"]) == (
        "CREATE",
        "a",
        "admin",
    )
    assert request["resource"] == {"group": "", "version": "v1", "resource": "configmaps"}
    assert request["oldObject"] is None


def test_validating_webhook_sees_old_and_new_and_may_deny(
    api: Api, extension: Extension, register: Any, configmaps: str
) -> None:
    api.made(configmaps, {"metadata": {"name": "a"}, "data": {"k": "1"}})
    denial = {"allowed": False, "status": {"message": "k may not change", "code": 422, "reason": "Invalid"}}
    extension.verdicts["/validate"] = lambda request: denial if request["operation"] == "UPDATE" else ALLOW
    register("validating", "v", "/validate")
    answer = api.patch(f"{configmaps}/a", {"data": {"k": "2"}})
    assert answer.code == 422
    assert answer.body["message"] == 'admission webhook "v.example.com" denied the request: k may not change'
    request = extension.asked[0]
    assert (request["oldObject"]["data"], request["object"]["data"]) == ({"k": "1"}, {"k": "2"})
    assert api.get(f"{configmaps}/a").body["data"] == {"k": "1"}


def test_delete_is_asked_for_too(api: Api, extension: Extension, register: Any, configmaps: str) -> None:
    api.made(configmaps, {"metadata": {"name": "a"}})
    extension.verdicts["/validate"] = lambda request: {"allowed": request["operation"] != "DELETE"}
    register("validating", "v", "/validate")
    answer = api.delete(f"{configmaps}/a")
    assert (answer.code, "without explanation" in answer.body["message"]) == (400, True)
    assert extension.asked[0]["object"] is None
    extension.verdicts["/validate"] = lambda _request: ALLOW


def test_object_selector_spares_other_objects(
    api: Api, extension: Extension, register: Any, configmaps: str
) -> None:
    extension.verdicts["/validate"] = lambda _request: {"allowed": False}
    register("validating", "v", "/validate", objectSelector={"matchLabels": {"guarded": "yes"}})
    assert api.post(configmaps, {"metadata": {"name": "free"}}).code == 201
    assert api.post(configmaps, {"metadata": {"name": "kept", "labels": {"guarded": "yes"}}}).code == 400
    extension.verdicts["/validate"] = lambda _request: ALLOW


@pytest.mark.parametrize(("policy", "code"), [("Fail", 500), ("Ignore", 201)])
def test_unreachable_webhook_fails_as_its_policy_says(
    api: Api, register: Any, configmaps: str, policy: str, code: int
) -> None:
    url = {"url": "https://127.0.0.1:1/none"}
    register("validating", "v", "/none", failurePolicy=policy, clientConfig=url)
    answer = api.post(configmaps, {"metadata": {"name": "a"}})
    assert answer.code == code
    if code == 500:
        assert 'failed calling webhook "v.example.com"' in answer.body["message"]


@pytest.fixture
def aggregated(api: Api, server: Running) -> str:
    spec = {
        "group": "sub.example.com",
        "version": "v1",
        "service": {"namespace": "kubevirt", "name": "virt-api"},
        "caBundle": bundle(server),
        "groupPriorityMinimum": 1000,
        "versionPriority": 15,
    }
    if api.get(f"{SERVICES}/v1.sub.example.com").code == 404:
        api.made(SERVICES, {"metadata": {"name": "v1.sub.example.com"}, "spec": spec})
    return "/apis/sub.example.com/v1"


def test_aggregated_server_gets_the_request_with_the_users_name(
    api: Api, extension: Extension, aggregated: str
) -> None:
    headers = {"X-Remote-User": "mallory", "Authorization": "Bearer secret", "X-Custom": "kept"}
    path = f"{aggregated}/namespaces/n/things/a%2Fb/go?x=1&y=%20"
    answer = api.call("PUT", path, {"k": 1}, headers)
    assert answer.code == 200
    assert answer.body == {"path": path, "body": '{"k": 1}', "method": "PUT"}
    sent = extension.headers[-1]
    found = {name.lower(): value for name, value in sent}
    assert found["x-remote-user"] == "admin"
    assert [value for name, value in sent if name.lower() == "x-remote-group"] == [
        "system:masters",
        "system:authenticated",
    ]
    assert found["x-custom"] == "kept"
    assert "authorization" not in found


def test_redirects_are_not_followed(api: Api, aggregated: str) -> None:
    assert api.get(f"{aggregated}/redirect").code == 302


def test_aggregated_group_is_discovered_and_available(api: Api, aggregated: str) -> None:
    for _ in range(200):
        conditions = api.get(f"{SERVICES}/v1.sub.example.com").body.get("status", {}).get("conditions", [])
        if conditions and conditions[0]["status"] == "True":
            break
    assert conditions[0]["reason"] == "Passed"
    assert "sub.example.com" in [one["name"] for one in api.get("/apis").body["groups"]]
    accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
    items = api.get("/apis", Accept=accept).body["items"]
    found = next(one for one in items if one["metadata"]["name"] == "sub.example.com")
    assert found["versions"][0]["resources"][0]["subresources"][0]["subresource"] == "go"


def test_permission_is_asked_before_anything_passes(
    server: Running, extension: Extension, aggregated: str
) -> None:
    assert server.api(cert="").get(f"{aggregated}/namespaces/n/things/a/go").code == 403
    assert extension.headers == []


@pytest.mark.anyio
async def test_websocket_passes_both_ways_with_its_subprotocol(
    server: Running, api: Api, extension: Extension, aggregated: str
) -> None:
    url = f"wss://127.0.0.1:{server.port}{aggregated}/namespaces/n/things/a/go"
    async with connect(
        url, ssl=api.context, subprotocols=[Subprotocol("plain.kubevirt.io")], compression=None
    ) as socket:
        assert socket.subprotocol == "plain.kubevirt.io"
        for size in (0, 5, 126, 70_000):
            await socket.send(b"x" * size)
            assert await socket.recv() == b"x" * size
        await socket.send("text")
        assert await socket.recv() == "text"
    found = {name.lower(): value for name, value in extension.headers[-1]}
    assert found["x-remote-user"] == "admin"
    assert found["sec-websocket-protocol"] == "plain.kubevirt.io"


@pytest.mark.anyio
async def test_refused_websocket_is_refused_with_the_same_answer(
    server: Running, api: Api, aggregated: str
) -> None:
    with pytest.raises(InvalidStatus) as caught:
        await connect(
            f"wss://127.0.0.1:{server.port}{aggregated}/namespaces/n/things/a/refuse", ssl=api.context
        )
    assert caught.value.response.status_code == 409
    assert b"not now" in (caught.value.response.body or b"")


@pytest.mark.anyio
async def test_websocket_of_an_aggregated_server_that_dies_is_closed_with_4502(
    server: Running, api: Api, aggregated: str
) -> None:
    url = f"wss://127.0.0.1:{server.port}{aggregated}/namespaces/n/things/a/drop"
    plain = [Subprotocol("plain.kubevirt.io")]
    async with connect(url, ssl=api.context, subprotocols=plain) as socket:
        with pytest.raises(ConnectionClosed) as caught:
            await asyncio.wait_for(socket.recv(), 5)
    closed = caught.value.rcvd
    assert closed is not None
    assert (closed.code, closed.reason) == (4502, "the connection to the aggregated server was lost")


@pytest.mark.anyio
async def test_websocket_of_nobody_is_forbidden(server: Running, aggregated: str) -> None:
    with pytest.raises(InvalidStatus) as caught:
        await connect(
            f"wss://127.0.0.1:{server.port}{aggregated}/namespaces/n/things/a/go",
            ssl=server.api(cert="").context,
        )
    assert caught.value.response.status_code == 403


@pytest.mark.anyio
async def test_websocket_of_a_foreign_page_is_refused(server: Running, api: Api, aggregated: str) -> None:
    url = f"wss://127.0.0.1:{server.port}{aggregated}/namespaces/n/things/a/go"
    with pytest.raises(InvalidStatus) as caught:
        await connect(url, ssl=api.context, origin=Origin("https://evil.example"))
    assert caught.value.response.status_code == 403


def test_unreachable_aggregated_server_is_503(api: Api, server: Running) -> None:
    spec = {
        "group": "gone.example.com",
        "version": "v1",
        "service": {"namespace": "none", "name": "none"},
        "groupPriorityMinimum": 1,
        "versionPriority": 1,
    }
    api.made(SERVICES, {"metadata": {"name": "v1.gone.example.com"}, "spec": spec})
    answer = api.get("/apis/gone.example.com/v1/namespaces/n/things/x")
    assert (answer.code, answer.body["reason"]) == (503, "ServiceUnavailable")
    accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
    items = api.get("/apis", Accept=accept).body["items"]
    stale = next(one for one in items if one["metadata"]["name"] == "gone.example.com")
    assert stale["versions"][0]["freshness"] == "Stale"
    api.delete(f"{SERVICES}/v1.gone.example.com")


def test_front_proxy_configuration_is_published(api: Api, server: Running) -> None:
    data = api.get("/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication").body[
        "data"
    ]
    authority = Path(server.state.path("pki", "front-proxy-ca.crt")).read_text()
    assert data["requestheader-client-ca-file"] == authority
    assert json.loads(data["requestheader-allowed-names"]) == ["front-proxy-client"]
