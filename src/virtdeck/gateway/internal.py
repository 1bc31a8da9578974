"""The internal app, with mTLS: webhooks, the aggregated API, login links for administrators, probes."""

from collections.abc import Callable
from dataclasses import dataclass

import orjson

from virtdeck.basis.errors import Absent, Refused, VirtdeckError
from virtdeck.crds.subresources import GROUP, VERSIONS
from virtdeck.gateway.auth.front_proxy import FrontProxy
from virtdeck.gateway.auth.links import make_link
from virtdeck.gateway.auth.user import authenticated, make_user
from virtdeck.gateway.context import Context
from virtdeck.gateway.health import health_problem
from virtdeck.gateway.subresources.app import subresource_app
from virtdeck.gateway.subresources.discovery import api_group, api_group_list, api_resource_list
from virtdeck.serving.asgi import App, Receive, Scope, Send, answer
from virtdeck.serving.tls import Name, peer_certificate

_JSON = b"application/json"
_BASE = f"/apis/{GROUP}"


@dataclass(frozen=True)
class Trust:
    """Whose certificates mean what. administrators: the cluster's CA. components: ours."""

    administrators: frozenset[Name]
    components: frozenset[Name]
    front_proxy: Callable[[], FrontProxy]


def internal_app(context: Context, trust: Trust, webhooks: App) -> App:
    """Paths to apps; whoever a path is not for is refused by the app itself."""
    subresources = subresource_app(context, trust.front_proxy)
    documents = {
        "/": {"paths": ["/apis", _BASE, *(f"{_BASE}/{version}" for version in VERSIONS), "/healthz"]},
        "/apis": api_group_list(),
        _BASE: api_group(),
    } | {f"{_BASE}/{version}": api_resource_list(version) for version in VERSIONS}
    encoded = {path: orjson.dumps(document) for path, document in documents.items()}

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        plain = path.rstrip("/") or "/"
        if scope["type"] == "http" and plain in encoded and scope["method"] in ("GET", "HEAD"):
            await answer(scope, send, 200, encoded[plain], _JSON)
        elif path.startswith(f"{_BASE}/"):
            await subresources(scope, receive, send)
        elif path == "/auth/login-links":
            await _login_link(context, trust, scope, send)
        elif path in ("/healthz", "/readyz"):
            problem = health_problem(context) if path == "/readyz" else ""
            await answer(scope, send, 503 if problem else 200, (problem or "ok").encode(), b"text/plain")
        elif path.startswith(("/apis", "/openapi")):
            raise Absent("no such path")
        else:
            await webhooks(scope, receive, send)

    return app


async def _login_link(context: Context, trust: Trust, scope: Scope, send: Send) -> None:
    """A one-time login link for whom the cluster's CA has given a client certificate."""
    if scope["type"] != "http" or scope["method"] != "POST":
        raise VirtdeckError("login links are posted for", reason="MethodNotAllowed")
    peer = peer_certificate(scope)
    if peer is None or peer["issuer_name"] not in trust.administrators or not peer["cn"]:
        raise Refused("a login link needs a client certificate of the cluster's CA", authenticated=False)
    user = authenticated(make_user(peer["cn"], peer["organizations"]))
    scope.setdefault("state", {})["user"] = user.name
    settings = context.settings
    made = await make_link(context.vault, user, settings.origin, settings.link_seconds)
    await answer(scope, send, 201, orjson.dumps(made), _JSON, [(b"cache-control", b"no-store")])
