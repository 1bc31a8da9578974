"""One instance for all tests of a module."""

import signal
from collections.abc import AsyncIterator, Iterator

import pytest
from tests.integration.runner.rig import Rig, clean, make_rig

from virtdeck.kube.client import Client, open_client
from virtdeck.kube.kubeconfig import load_access


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    rig = make_rig(tmp_path_factory.mktemp("runner"))
    try:
        for name in ("apiserver", "runner"):
            rig.start(name)
        yield rig
    finally:
        for name in list(rig.processes):
            rig.stop(name, signal.SIGKILL)
        clean(rig)


@pytest.fixture
async def client(rig: Rig) -> AsyncIterator[Client]:
    async with open_client(load_access(rig.state.admin_kubeconfig), "test") as client:
        yield client
