"""One instance for all tests of this folder; a namespace for each."""

import uuid
from collections.abc import AsyncIterator, Iterator

import pytest
from tests.contract.gateway.instance import Running, running

from virtdeck.kube.client import Client, open_client
from virtdeck.kube.kubeconfig import load_kubeconfig


@pytest.fixture(scope="session")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("webhooks") / "state") as found:
        yield found


@pytest.fixture
async def client(instance: Running) -> AsyncIterator[Client]:
    """The administrator."""
    async with open_client(load_kubeconfig(instance.state.admin_kubeconfig), "test") as found:
        yield found


@pytest.fixture
async def namespace(client: Client) -> str:
    name = f"t-{uuid.uuid4().hex[:8]}"
    body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    code, answer = await client.request("POST", "/api/v1/namespaces", body=body)
    assert code == 201, answer
    return name
