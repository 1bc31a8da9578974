"""One instance for all tests of virt-api's boundaries."""

import uuid
from collections.abc import AsyncIterator, Iterator

import pytest
from tests.contract.gateway.instance import NODE, Running, SmallHandler, running, small_handler
from tests.contract.gateway.person import Person

from virtdeck.kube.client import Client, open_client
from virtdeck.kube.kubeconfig import load_kubeconfig


@pytest.fixture(scope="session")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("gateway") / "state") as found:
        yield found


@pytest.fixture
async def client(instance: Running) -> AsyncIterator[Client]:
    """The administrator."""
    async with open_client(load_kubeconfig(instance.state.admin_kubeconfig), "test") as found:
        yield found


@pytest.fixture
async def handler(instance: Running, client: Client) -> AsyncIterator[SmallHandler]:
    endpoint = f"https://127.0.0.1:{instance.instance.handler_port}"
    metadata = {"name": NODE, "annotations": {"kubevirt.io/handler-endpoint": endpoint}}
    await client.request(
        "POST", "/api/v1/nodes", body={"apiVersion": "v1", "kind": "Node", "metadata": metadata}
    )
    async with small_handler(instance) as found:
        yield found


@pytest.fixture
async def namespace(client: Client) -> str:
    name = f"t-{uuid.uuid4().hex[:8]}"
    body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    code, answer = await client.request("POST", "/api/v1/namespaces", body=body)
    assert code == 201, answer
    return name


@pytest.fixture
async def person(instance: Running) -> AsyncIterator[Person]:
    """Somebody with a browser, not logged in yet."""
    async with Person.opened(instance) as found:
        yield found
