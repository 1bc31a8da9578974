"""How virt-api reaches the virt-handler of a node: over mTLS, and only one that proves to be that node's."""

import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

from virtdeck.basis.errors import Lost, Unready
from virtdeck.crds.core.node import Node
from virtdeck.kube.lean_aiohttp import aiohttp
from virtdeck.serving.asgi import Headers
from virtdeck.serving.relay import Refusal, Relay, dial
from virtdeck.serving.takeover import Takeover
from virtdeck.serving.upgrade import Target

ENDPOINT = "kubevirt.io/handler-endpoint"
_CALL_SECONDS = 30.0  # a freeze or a screenshot may wait for the guest
_LONGEST_ANSWER = 8 * 1024 * 1024

NodeLookup = Callable[[str], Node | None]


class Answer(NamedTuple):
    """What virt-handler answered."""

    code: int
    content_type: str
    body: bytes


@dataclass(frozen=True)
class Endpoint:
    """One node's virt-handler."""

    node: str
    host: str
    port: int


def endpoint_of(name: str, node: Node | None) -> Endpoint:
    """Where the node's virt-handler listens. Raises: Lost."""
    if node is None:
        raise Lost(f"node {name} is not known")
    address = (node.metadata.annotations or {}).get(ENDPOINT, "")
    parts = urlsplit(address)
    if parts.scheme != "https" or not parts.hostname or not parts.port:
        raise Lost(f"virt-handler of node {name} has not said where it listens")
    return Endpoint(name, parts.hostname, parts.port)


class Handlers:
    """All nodes' virt-handlers."""

    def __init__(self, nodes: NodeLookup, tls: ssl.SSLContext, session: aiohttp.ClientSession) -> None:
        self._nodes = nodes
        self._tls = tls
        self._session = session

    async def call(
        self,
        node: str,
        method: str,
        path: str,
        *,
        body: bytes = b"",
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """virt-handler's answer, whatever its code. Raises: Lost, Unready."""
        endpoint = endpoint_of(node, self._nodes(node))
        url = f"https://{_bracketed(endpoint.host)}:{endpoint.port}{path}"
        try:
            async with self._session.request(
                method,
                url,
                data=body or None,
                headers={"Content-Type": "application/json"} | (headers or {}),
                ssl=self._tls,
                server_hostname=endpoint.node,
                timeout=aiohttp.ClientTimeout(total=_CALL_SECONDS, sock_connect=5),
                allow_redirects=False,
            ) as response:
                answer = await response.content.read(_LONGEST_ANSWER)
                while chunk := await response.content.read(_LONGEST_ANSWER):
                    answer += chunk
                    if len(answer) > _LONGEST_ANSWER:
                        raise Lost(f"virt-handler of node {node} answered without end")
                return Answer(response.status, response.content_type, answer)
        except TimeoutError as fault:
            raise Unready(f"virt-handler of node {node} did not answer in time", reason="Timeout") from fault
        except (aiohttp.ClientError, OSError) as fault:
            raise Lost(f"virt-handler of node {node} cannot be reached: {fault}") from fault

    async def dial(self, node: str, takeover: Takeover, path: str, headers: Headers) -> Relay | Refusal:
        """A WebSocket to virt-handler, ready to run, or its refusal. Raises: Lost."""
        endpoint = endpoint_of(node, self._nodes(node))
        target = Target(endpoint.host, endpoint.port, path, headers, self._tls, endpoint.node)
        return await dial(takeover, target)


@asynccontextmanager
async def open_handlers(nodes: NodeLookup, tls: ssl.SSLContext) -> AsyncIterator[Handlers]:
    """The way to all virt-handlers, for as long as the block; connections are kept for the next call."""
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=60)
    async with aiohttp.ClientSession(
        connector=connector, cookie_jar=aiohttp.DummyCookieJar(), trust_env=False
    ) as session:
        try:
            yield Handlers(nodes, tls, session)
        finally:
            await connector.close(abort_ssl=True)  # nothing waits for the other side's last word of TLS


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
