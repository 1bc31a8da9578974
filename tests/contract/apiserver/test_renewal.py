"""Certificates are renewed while the server runs: nobody restarts, nobody is turned away."""

import ssl
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.contract.apiserver.running import Api, Running

from virtdeck.kube.access import tls_context
from virtdeck.kube.kubeconfig import load_kubeconfig
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


def test_server_and_clients_go_on_beyond_the_end_of_their_certificates(short_lived: Running) -> None:
    ends = time.monotonic() + SHORT.leaf.total_seconds()
    api = short_lived.api()
    context = tls_context(load_kubeconfig(short_lived.kubeconfig()))  # a component's: it has read its files
    assert context is not None
    ensure_pki(short_lived.state, "node1", now=datetime.now(UTC) + SHORT.leaf * 0.6)
    time.sleep(max(0.0, ends + 1 - time.monotonic()))
    for client in (replace_context(api, context), short_lived.api()):
        assert client.get("/api/v1/namespaces").code == 200


def replace_context(api: Api, context: ssl.SSLContext) -> Api:
    api.context = context
    return api
