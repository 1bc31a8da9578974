"""A small API server and a client of it, on a real socket."""

from collections.abc import AsyncIterator

import pytest
from tests.contract.kube.server import SmallServer, serve

from virtdeck.kube.access import Access
from virtdeck.kube.client import Client, open_client


@pytest.fixture
def server() -> SmallServer:
    return SmallServer()


@pytest.fixture
async def client(server: SmallServer) -> AsyncIterator[Client]:
    async with serve(server) as address, open_client(Access(server=address, token="secret"), "test") as found:
        yield found
