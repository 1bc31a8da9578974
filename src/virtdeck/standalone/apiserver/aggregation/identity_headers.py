"""The headers that tell an aggregated server who asks, and those that must not pass."""

from urllib.parse import quote

from virtdeck.serving.asgi import Scope
from virtdeck.standalone.apiserver.access.identity import User
from virtdeck.standalone.apiserver.aggregation.http_client import Headers

_HOP = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "content-length",
        "host",
    }
)
_SECRET = ("authorization", "cookie")


def forwarded_headers(scope: Scope, user: User) -> Headers:
    """The client's headers without hop headers, credentials and claims of identity; then the user."""
    headers = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]]
    named = {
        part.strip().lower() for name, value in headers if name == "connection" for part in value.split(",")
    }
    kept = [(name, value) for name, value in headers if name not in named and _passes(name)]
    return [*kept, *_origin(scope), *identity_headers(user)]


def _origin(scope: Scope) -> Headers:
    """Whence the request came and what it asked for, as proxies say it."""
    path = (scope.get("raw_path") or scope["path"].encode()).partition(b"?")[0].decode("latin-1")
    client = scope.get("client")
    return [("x-forwarded-uri", path), *([("x-forwarded-for", client[0])] if client else [])]


def _passes(name: str) -> bool:
    return not (
        name in _HOP
        or name in _SECRET
        or name.startswith(("x-remote-", "impersonate-", "sec-websocket-", "x-virtdeck-", "x-forwarded-"))
    )


def identity_headers(user: User) -> Headers:
    """The user as a front proxy says it."""
    headers = [("x-remote-user", _plain(user.name))]
    if user.uid:
        headers.append(("x-remote-uid", _plain(user.uid)))
    headers += [("x-remote-group", _plain(group)) for group in user.groups]
    for key, values in user.extra:
        headers += [(f"x-remote-extra-{quote(key, safe='')}", _plain(value)) for value in values]
    return headers


def _plain(value: str) -> str:
    """A header's value can hold no line break and no letters beyond latin-1."""
    return value.replace("\r", " ").replace("\n", " ").encode("latin-1", "replace").decode("latin-1")


def answered_headers(headers: Headers) -> list[tuple[bytes, bytes]]:
    """What of an aggregated server's headers passes back to the client."""
    return [
        (name.encode("latin-1"), value.encode("latin-1"))
        for name, value in headers
        if (name not in _HOP or name == "content-length") and name != "date"
    ]
