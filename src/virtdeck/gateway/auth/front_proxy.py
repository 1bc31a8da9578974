"""Who an aggregated request is from, as the API server says in headers and proves by its certificate."""

import ssl
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote

import orjson
import structlog

from virtdeck.basis.errors import Refused, Unready, VirtdeckError
from virtdeck.crds.core.config import ConfigMap
from virtdeck.gateway.auth.user import User, make_user
from virtdeck.serving.asgi import Headers
from virtdeck.serving.tls import Name, PeerCertificate, authority_names

log = structlog.get_logger()


@dataclass(frozen=True)
class FrontProxy:
    """What ``extension-apiserver-authentication`` publishes.

    ca: PEM. authorities: the subjects of its certificates. allowed_names: empty for any name of that CA.
    """

    ca: str
    authorities: frozenset[Name]
    allowed_names: tuple[str, ...]
    user_headers: tuple[bytes, ...]
    group_headers: tuple[bytes, ...]
    extra_prefixes: tuple[bytes, ...]


class FrontProxies:
    """How aggregated requests identify their users, as last published.

    others: authorities that sign for other purposes; a front proxy of theirs is not believed unless it is
    limited to names, or every user's certificate could speak for everybody.
    """

    def __init__(self, others: frozenset[Name] = frozenset()) -> None:
        self._others = others
        self.current: FrontProxy | None = None

    def learn(self, published: ConfigMap | None) -> None:
        """What was published counts from now on; what cannot be believed counts as nothing."""
        try:
            found = read_front_proxy(published)
        except (VirtdeckError, ssl.SSLError) as fault:
            log.warning("front_proxy_unreadable", problem=str(fault))
            self.current = None
            return
        if not found.allowed_names and found.authorities & self._others:
            log.error("front_proxy_not_believed", problem="its CA signs for others, and no name is required")
            self.current = None
            return
        self.current = found

    def require(self) -> FrontProxy:
        """Raises: Unready while nothing is published that can be believed."""
        if self.current is None:
            raise Unready("the API server has not published how its front proxy identifies users")
        return self.current


def read_front_proxy(published: ConfigMap | None) -> FrontProxy:
    """The configuration. Raises: Unready while the API server has published none."""
    data = (published and published.data) or {}
    ca = data.get("requestheader-client-ca-file", "")
    if not ca:
        raise Unready("the API server has not published how its front proxy identifies users")
    return FrontProxy(
        ca=ca,
        authorities=authority_names(ca),
        allowed_names=_names(data, "requestheader-allowed-names"),
        user_headers=_headers(data, "requestheader-username-headers", "X-Remote-User"),
        group_headers=_headers(data, "requestheader-group-headers", "X-Remote-Group"),
        extra_prefixes=_headers(data, "requestheader-extra-headers-prefix", "X-Remote-Extra-"),
    )


def identify(proxy: FrontProxy, peer: PeerCertificate | None, headers: Headers) -> User:
    """The user that the API server vouches for. Raises: Refused when it is not the API server, or unclear."""
    require_front_proxy(proxy, peer)
    user = _only(headers, proxy.user_headers)
    groups = [value for wanted in proxy.group_headers for value in _values(headers, wanted)]
    extra: dict[str, list[str]] = defaultdict(list)
    for prefix in proxy.extra_prefixes:
        for name, value in headers:
            if name.startswith(prefix):
                extra[unquote(name[len(prefix) :].decode("latin-1")).lower()].append(_text(value))
    return make_user(user, groups, "", extra)


def require_front_proxy(proxy: FrontProxy, peer: PeerCertificate | None) -> None:
    """The connection is the API server's. Raises: Refused (401)."""
    if peer is None or peer["issuer_name"] not in proxy.authorities:
        raise Refused("this API is reached through the Kubernetes API server only", authenticated=False)
    if not proxy.allowed_names:
        log.warning("front_proxy_allows_any_name", cn=peer["cn"])
    elif peer["cn"] not in proxy.allowed_names:
        raise Refused("this client certificate is not the API server's", authenticated=False)


def _only(headers: Headers, wanted: Iterable[bytes]) -> str:
    """The one user name. A request with two was tampered with on its way."""
    found = [value for name in wanted for value in _values(headers, name)]
    if len(found) != 1 or not found[0]:
        raise Refused("the request names no user, or more than one", authenticated=False)
    return found[0]


def _values(headers: Headers, wanted: bytes) -> list[str]:
    return [_text(value) for name, value in headers if name == wanted]


def _text(value: bytes) -> str:
    try:
        return value.strip().decode()
    except UnicodeDecodeError as fault:
        raise Refused("a header that names the user is not UTF-8", authenticated=False) from fault


def _names(data: dict[str, str], key: str) -> tuple[str, ...]:
    try:
        found = orjson.loads(data.get(key) or "[]")
    except ValueError as fault:
        raise Unready(f"{key} is not a JSON list") from fault
    return tuple(str(name) for name in found)


def _headers(data: dict[str, str], key: str, default: str) -> tuple[bytes, ...]:
    return tuple(name.lower().encode() for name in _names(data, key) or (default,))
