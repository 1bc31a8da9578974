"""The console in front of the real API server and virt-api: what forms send is what the API takes."""

import html
import re

import pytest
from tests.contract.gateway.conftest import client, instance, namespace, person
from tests.contract.gateway.person import Person

from virtdeck.crds import kinds
from virtdeck.kube.client import Client

__all__ = ["client", "instance", "namespace", "person"]

pytestmark = pytest.mark.anyio

WRONG = """apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: web
  namespace: {namespace}
spec:
  runStrategy: Sometimes
  template:
    spec:
      domain:
        devices: {{}}
"""


async def token(visitor: Person) -> str:
    async with visitor.http.get("/settings") as answer:
        found = re.search(r'name="csrf" value="([^"]+)"', await answer.text())
    assert found is not None
    return found[1]


async def post(visitor: Person, path: str, **fields: str) -> tuple[int, str, str]:
    """Code, page and final path after a form was sent."""
    data = {"csrf": await token(visitor), **fields}
    async with visitor.http.post(path, data=data, headers=visitor.own) as answer:
        return answer.status, html.unescape(await answer.text()), answer.url.path


def form(namespace: str, **fields: str) -> dict[str, str]:
    return {
        "name": "web",
        "namespace": namespace,
        "image": "virtdeck/demo:latest",
        "cpu": "1",
        "memory": "64Mi",
        "user": "ada",
        "password": "secret",
        "do": "create",
    } | fields


async def test_a_machine_is_created_read_changed_and_deleted(
    person: Person, namespace: str, client: Client
) -> None:
    assert await person.log_in() == 303
    code, page, path = await post(person, "/vms/new", **form(namespace))
    assert (code, path.split("/")[1]) == (200, "tasks"), page
    made = await client.require(kinds.VM, "web", namespace)
    assert made.spec.run_strategy == "Halted"
    for place in ("", "/config", "/yaml", "/events", "/edit", "/console", "/serial"):
        async with person.http.get(f"/ns/{namespace}/vms/web{place}") as answer:
            assert answer.status == 200, place
    async with person.http.get(f"/ns/{namespace}/vms/web/edit") as answer:
        found = re.search(r"<textarea id=\"f-yaml\"[^>]*>\n(.*?)</textarea>", await answer.text(), re.DOTALL)
    assert found is not None
    text = html.unescape(found[1]).replace("guest: 64Mi", "guest: 128Mi")
    code, page, _ = await post(person, f"/ns/{namespace}/vms/web/edit", yaml=text, do="check")
    assert code == 200
    assert "spec.template.spec.domain.memory.guest" in page
    code, page, path = await post(person, f"/ns/{namespace}/vms/web/edit", yaml=text, do="apply")
    assert (code, path) == (200, f"/ns/{namespace}/vms/web"), page
    again = await post(
        person, f"/ns/{namespace}/vms/web/edit", yaml=text.replace("128Mi", "256Mi"), do="check"
    )
    assert again[0] == 409
    code, page, path = await post(person, f"/ns/{namespace}/vms/web/do/delete", sure="yes", typed="web")
    assert (code, path) == (200, "/vms"), page
    assert await client.get(kinds.VM, "web", namespace) is None


async def test_the_api_servers_verdict_is_shown_at_the_field(person: Person, namespace: str) -> None:
    assert await person.log_in() == 303
    code, page, _ = await post(person, "/vms/new", **form(namespace, name="Web"))
    assert code == 422
    assert 'id="f-name-error"' in page
    text = WRONG.format(namespace=namespace)
    code, page, _ = await post(person, "/vms/new/yaml", yaml=text, do="check")
    assert code == 422
    assert "spec.runStrategy" in page
    assert "Line 7" in page
    code, page, _ = await post(
        person, "/vms/new/yaml", yaml=text.replace("Sometimes", "Halted\n  colour: red"), do="check"
    )
    assert code == 422
    assert "colour" in page


async def test_every_place_answers(person: Person) -> None:
    assert await person.log_in() == 303
    for path in (
        "/",
        "/vms",
        "/vms/new",
        "/vms/new/yaml",
        "/images",
        "/nodes",
        "/activity",
        "/tasks",
        "/settings",
    ):
        async with person.http.get(path) as answer:
            assert answer.status == 200, path
            assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
