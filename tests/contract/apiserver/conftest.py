"""One server for all tests that leave it alive, a namespace for each."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contract.apiserver.running import Api, Running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(tmp_path_factory.mktemp("apiserver"))
    running.start()
    yield running
    assert running.stop() == 0


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Running]:
    """A server that the test may kill."""
    running = Running(tmp_path / "state")
    running.start()
    yield running
    running.kill()


@pytest.fixture
def api(server: Running) -> Api:
    return server.api()


@pytest.fixture
def namespace(api: Api) -> str:
    made = api.made("/api/v1/namespaces", {"metadata": {"generateName": "t-"}})
    name = str(made["metadata"]["name"])
    api.eventually(f"/api/v1/namespaces/{name}/configmaps/kube-root-ca.crt")
    api.eventually(f"/api/v1/namespaces/{name}/serviceaccounts/default")
    return name


@pytest.fixture
def configmaps(namespace: str) -> str:
    return f"/api/v1/namespaces/{namespace}/configmaps"
