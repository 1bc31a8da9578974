"""TLS: who is let in, and what is known of them."""

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import orjson
import pytest

from virtdeck.serving.asgi import Receive, Scope, Send, answer
from virtdeck.serving.server import Server
from virtdeck.serving.tls import Tls, authority_names, client_context, peer_certificate
from virtdeck.standalone.pki import ensure_pki
from virtdeck.standalone.state import open_state

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def pki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    state = open_state(tmp_path_factory.mktemp("state") / "s")
    ensure_pki(state, "node1", "127.0.0.1")
    return state.path("pki")


async def who(scope: Scope, receive: Receive, send: Send) -> None:
    peer = peer_certificate(scope)
    shown = peer and [peer["cn"], peer["organizations"], peer["issuer"]]
    await answer(scope, send, 200, orjson.dumps(shown), b"application/json")


@asynccontextmanager
async def server_of(pki: Path, *, require: bool = False) -> AsyncIterator[Server]:
    tls = Tls(
        str(pki / "gateway-internal.crt"),
        str(pki / "gateway-internal.key"),
        str(pki / "component-ca.crt"),
        require_client_cert=require,
    )
    async with Server(who, "127.0.0.1:0", tls) as server:
        yield server


async def ask(server: Server, pki: Path, name: str | None) -> object:
    cert = (str(pki / f"{name}.crt"), str(pki / f"{name}.key")) if name else (None, None)
    context = client_context(str(pki / "component-ca.crt"), *cert)
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"https://127.0.0.1:{server.port}/", ssl=context) as response,
    ):
        return await response.json()


async def test_a_client_certificate_names_its_owner_and_its_signer(pki: Path) -> None:
    async with server_of(pki) as server:
        assert await ask(server, pki, "gateway-client") == [
            "kubevirt.io:system:client:virt-api",
            [],
            "virtdeck component-ca",
        ]


async def test_nobody_is_known_without_a_certificate(pki: Path) -> None:
    async with server_of(pki) as server:
        assert await ask(server, pki, None) is None


async def test_a_required_certificate_must_be_shown(pki: Path) -> None:
    async with server_of(pki, require=True) as server:
        with pytest.raises((aiohttp.ClientError, OSError)):
            await ask(server, pki, None)


async def test_another_authority_counts_once_it_is_trusted(pki: Path) -> None:
    async with server_of(pki) as server:
        with pytest.raises((aiohttp.ClientError, OSError)):
            await ask(server, pki, "admin")
        server.trust((pki / "ca.crt").read_text())
        assert await ask(server, pki, "admin") == ["admin", ["system:masters"], "virtdeck ca"]


async def test_a_servers_certificate_is_no_clients(pki: Path) -> None:
    async with server_of(pki) as server:
        with pytest.raises((aiohttp.ClientError, OSError)):
            await ask(server, pki, "handler-server")


async def test_the_server_must_be_who_is_asked_for(pki: Path) -> None:
    context = client_context(str(pki / "component-ca.crt"))
    async with server_of(pki) as server, aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.ClientError):
            await session.get(f"https://127.0.0.1:{server.port}/", ssl=context, server_hostname="node2")


async def test_old_tls_is_not_spoken(pki: Path) -> None:
    context = client_context(str(pki / "component-ca.crt"))
    context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    async with server_of(pki) as server, aiohttp.ClientSession() as session:
        with pytest.raises((aiohttp.ClientError, OSError)):
            await session.get(f"https://127.0.0.1:{server.port}/", ssl=context)


def test_authorities_are_told_apart_by_their_names(pki: Path) -> None:
    names = [authority_names((pki / f"{name}.crt").read_text()) for name in ("ca", "component-ca")]
    assert not names[0] & names[1]
