"""The façade carries requests on as the user who sent them."""

import pytest
from tests.contract.gateway.person import Person

pytestmark = pytest.mark.anyio

VM = {
    "apiVersion": "kubevirt.io/v1",
    "kind": "VirtualMachine",
    "metadata": {"name": "a"},
    "spec": {
        "runStrategy": "Halted",
        "template": {
            "spec": {
                "domain": {"devices": {}, "memory": {"guest": "64Mi"}},
                "volumes": [],
            }
        },
    },
}


async def test_a_machine_is_made_read_changed_and_deleted(person: Person, namespace: str) -> None:
    await person.log_in()
    path = f"/apis/kubevirt.io/v1/namespaces/{namespace}/virtualmachines"
    code, made = await person.mutate("POST", path, json=VM)
    assert (code, made["metadata"]["name"]) == (201, "a"), made
    code, changed = await person.mutate(
        "PATCH",
        f"{path}/a",
        data=b'{"metadata":{"labels":{"x":"y"}}}',
        headers={"Content-Type": "application/merge-patch+json"},
    )
    assert (code, changed["metadata"]["labels"]["x"]) == (200, "y"), changed
    async with person.http.get(path, params={"labelSelector": "x=y"}) as response:
        assert [item["metadata"]["name"] for item in (await response.json())["items"]] == ["a"]
    code, _ = await person.mutate(
        "PUT", f"/apis/subresources.kubevirt.io/v1/namespaces/{namespace}/virtualmachines/a/start", json={}
    )
    assert code == 202
    code, _ = await person.mutate("DELETE", f"{path}/a")
    assert code == 200


async def test_yaml_is_taken_too(person: Person, namespace: str) -> None:
    await person.log_in()
    path = f"/apis/kubevirt.io/v1/namespaces/{namespace}/virtualmachines"
    text = """
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: from-yaml}
spec: {runStrategy: Halted, template: {spec: {domain: {devices: {}, memory: {guest: 64Mi}}}}}
"""
    code, made = await person.mutate(
        "POST", path, data=text.encode(), headers={"Content-Type": "application/yaml"}
    )
    assert code == 201, made


async def test_a_mistake_is_answered_with_its_fields(person: Person, namespace: str) -> None:
    await person.log_in()
    bad = {**VM, "spec": {**VM["spec"], "runStrategy": "Sometimes"}}  # type: ignore[dict-item]
    code, answer = await person.mutate(
        "POST", f"/apis/kubevirt.io/v1/namespaces/{namespace}/virtualmachines", json=bad
    )
    assert (code, answer["kind"], answer["reason"]) == (422, "Status", "Invalid")
    assert "spec.runStrategy" in [cause["field"] for cause in answer["details"]["causes"]]


async def test_a_watch_is_passed_on_as_it_comes(person: Person, namespace: str) -> None:
    await person.log_in()
    path = f"/apis/kubevirt.io/v1/namespaces/{namespace}/virtualmachines"
    async with person.http.get(path, params={"watch": "true", "timeoutSeconds": "30"}) as response:
        await person.mutate("POST", path, json=VM)
        line = await response.content.readline()
    assert b'"ADDED"' in line


async def test_a_refused_watch_is_refused_with_its_code(person: Person) -> None:
    await person.log_in()
    path = "/apis/kubevirt.io/v1/nothings"
    async with person.http.get(path, params={"watch": "true"}) as response:
        assert response.status == 404


@pytest.mark.parametrize(
    "path",
    [
        "/apis/apps/v1/controllerrevisions",
        "/api/v1/secrets",
        "/apis/kubevirt.io/../../api/v1/secrets",
        "/apis/kubevirt.io/v1/%2e%2e/%2e%2e/api/v1/secrets",
        "/apis/kubevirt.io/v1//virtualmachines",
        "/apis/kubevirt.io%2fv1/virtualmachines",
    ],
)
async def test_nothing_else_can_be_reached_through_it(person: Person, path: str) -> None:
    import yarl

    await person.log_in()
    url = yarl.URL(person.instance.public + path, encoded=True)
    async with person.http.get(url) as response:
        assert response.status == 404


async def test_the_documentation_is_for_who_is_logged_in(person: Person) -> None:
    for path, code in (("/docs", 303), ("/openapi.json", 401)):
        async with person.http.get(path, allow_redirects=False) as response:
            assert response.status == code


async def test_the_documentation_is_served_by_ourselves(person: Person) -> None:
    await person.log_in()
    async with person.http.get("/docs") as response:
        html = await response.text()
        assert "unsafe-inline" not in response.headers["Content-Security-Policy"].split("style-src")[0]
    assert "https://" not in html
    async with person.http.get("/openapi.json") as response:
        document = await response.json()
    assert document["components"]["schemas"]["VirtualMachine"]["properties"]["spec"]
    for source in ("/docs/start.js", html.split('<script src="')[1].split('"')[0]):
        async with person.http.get(source) as response:
            assert response.status == 200


async def test_errors_outside_pages_are_status_objects(person: Person) -> None:
    for path, code in (("/nosuch<script>", 404), ("/healthz", 200), ("/readyz", 200)):
        async with person.http.get(path) as response:
            assert response.status == code
            assert "<script>" not in await response.text() or response.content_type == "application/json"


async def test_a_person_who_loses_the_way_gets_a_page(person: Person) -> None:
    html = {"Accept": "text/html,*/*"}
    async with person.http.get("/nosuch<script>", headers=html) as response:
        assert (response.status, response.content_type) == (404, "application/json")  # not logged in
    await person.log_in()
    async with person.http.get("/nosuch<script>", headers=html) as response:
        assert (response.status, response.content_type) == (404, "text/html")
        assert "<script>alert" not in await response.text()
    async with person.http.get("/apis/kubevirt.io/v1/nosuch", headers=html) as response:
        assert (response.status, response.content_type) == (404, "application/json")
    async with person.http.post("/logout", data={"csrf": "old"}, headers=person.own | html) as response:
        assert (response.status, response.content_type) == (403, "text/html")
