"""Certificates are renewed while the server runs: nobody restarts, nobody is turned away."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import pytest
from tests.contract.apiserver.running import Running

from virtdeck.kube.kubeconfig import load_kubeconfig
from virtdeck.kube.transport import open_transport
from virtdeck.standalone.pki import Lifetimes, ensure_pki

SHORT = Lifetimes(timedelta(days=10), timedelta(seconds=6))


@pytest.fixture
def short_lived(tmp_path: Path) -> Iterator[Running]:
    """A server whose certificate, and its clients', end seconds from now."""
    running = Running(tmp_path / "state")
    for path in running.state.path("pki").iterdir():
        path.unlink()
    ensure_pki(running.state, "node1", lifetimes=SHORT, now=datetime.now(UTC))
    running.start()
    yield running
    running.kill()


@pytest.mark.anyio
async def test_server_and_clients_go_on_beyond_the_end_of_their_certificates(short_lived: Running) -> None:
    ends = time.monotonic() + SHORT.leaf.total_seconds()
    access = load_kubeconfig(short_lived.kubeconfig())  # a component's: it names files
    async with open_transport(access, "test") as transport:  # has read the files, and is not connected yet
        ensure_pki(short_lived.state, "node1", now=datetime.now(UTC) + SHORT.leaf * 0.6)
        await anyio.sleep(max(0.0, ends + 1 - time.monotonic()))
        assert b"NamespaceList" in await transport.call("GET", "/api/v1/namespaces")
        assert short_lived.api().get("/api/v1/namespaces").code == 200
