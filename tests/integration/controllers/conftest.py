"""One API server and one virt-controller for all tests of this folder; a namespace for each."""

import uuid
from collections.abc import AsyncIterator, Iterator

import anyio
import pytest
from tests.integration.controllers.instance import Cluster, install, make_cluster, running
from tests.integration.controllers.kubelet import Actor

from virtdeck.kube.client import Client, open_client
from virtdeck.kube.kubeconfig import load_kubeconfig


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running(make_cluster(tmp_path_factory.mktemp("controllers") / "state")) as found:
        anyio.run(install, found)
        found.controllers.start()
        yield found


@pytest.fixture
async def client(cluster: Cluster) -> AsyncIterator[Client]:
    async with open_client(load_kubeconfig(cluster.kubeconfig), "test") as found:
        yield found


@pytest.fixture
async def actor(client: Client) -> Actor:
    name = f"t-{uuid.uuid4().hex[:8]}"
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    code, body = await client.request("POST", "/api/v1/namespaces", body=namespace)
    assert code == 201, body
    return Actor(client, name)
