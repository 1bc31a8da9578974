"""Contexts follow their files: the next connection shows and trusts what they hold by then."""

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from virtdeck.serving.tls import Tls, client_context, server_context
from virtdeck.standalone.pki import Lifetimes, ensure_pki
from virtdeck.standalone.state import StateFolder, open_state

EARLIER = datetime.now(UTC) - timedelta(days=7)
SHORT = Lifetimes(timedelta(days=10), timedelta(days=10))


@pytest.fixture
def state(tmp_path: Path) -> StateFolder:
    found = open_state(tmp_path / "s")
    ensure_pki(found, "node1", lifetimes=SHORT, now=EARLIER)
    return found


def files(state: StateFolder, name: str) -> tuple[str, str]:
    return str(state.path("pki", f"{name}.crt")), str(state.path("pki", f"{name}.key"))


def shown(client: ssl.SSLContext, server: ssl.SSLContext) -> bytes:
    """The server's certificate after a handshake in memory. Raises: ssl.SSLError."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        client.wrap_bio(to_client, to_server, server_hostname="localhost"),
        server.wrap_bio(to_server, to_client, server_side=True),
    ]
    waiting = list(ends)
    while waiting:
        for end in list(waiting):
            try:
                end.do_handshake()
                waiting.remove(end)
            except ssl.SSLWantReadError:
                continue
    return ends[0].getpeercert(binary_form=True) or b""


def test_next_connection_shows_what_the_file_holds_by_then(state: StateFolder) -> None:
    server = server_context(Tls(*files(state, "apiserver"), files(state, "ca")[0]))
    client = client_context(files(state, "ca")[0], *files(state, "admin"))
    before = shown(client, server)
    assert set(ensure_pki(state, "node1")) >= {"ca", "apiserver", "admin"}
    after = shown(client, server)
    assert after != before
    assert ssl.DER_cert_to_PEM_cert(after).strip() == Path(files(state, "apiserver")[0]).read_text().strip()


def test_pair_that_does_not_fit_changes_nothing_until_it_does(state: StateFolder) -> None:
    server = server_context(Tls(*files(state, "apiserver")))
    client = client_context(files(state, "ca")[0])
    before = shown(client, server)
    certificate, key = (Path(path) for path in files(state, "apiserver"))
    old_key = key.read_bytes()
    ensure_pki(state, "node1")
    new_key = key.read_bytes()
    key.write_bytes(old_key)
    assert shown(client, server) == before
    key.write_bytes(new_key)
    assert shown(client, server) == ssl.PEM_cert_to_DER_cert(certificate.read_text())
    certificate.unlink()
    assert shown(client, server) != before


def test_who_trusts_the_authority_of_before_trusts_what_the_renewed_one_signs(state: StateFolder) -> None:
    before = state.path("before.crt")
    before.write_bytes(state.path("pki", "ca.crt").read_bytes())
    ensure_pki(state, "node1")
    assert before.read_bytes() != state.path("pki", "ca.crt").read_bytes()
    server = server_context(Tls(*files(state, "apiserver")))
    assert shown(client_context(str(before)), server)
