"""Headers that every answer of the public app carries, and the page that other sites' links land on."""

from collections.abc import Mapping
from html import escape

from virtdeck.serving.asgi import App, Message, Receive, Scope, Send, answer

POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "frame-ancestors 'none'",
        "form-action 'self'",
        "base-uri 'none'",
        "object-src 'none'",
    )
)
SECURITY: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
_HSTS = (b"strict-transport-security", b"max-age=31536000")


def with_security_headers(app: App, secure: bool) -> App:
    """The app, each answer with the headers it does not set itself."""
    wanted = (*SECURITY, _HSTS) if secure else SECURITY

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                given = list(message.get("headers", ()))
                names = {name.lower() for name, _ in given}
                message["headers"] = [*given, *(pair for pair in wanted if pair[0] not in names)]
            await send(message)

        await app(scope, receive, send_with)

    return guarded


def landing(app: App, cookie: str) -> App:
    """The app, where somebody who follows another site's link to a page lands with their session.

    Browsers keep a SameSite=Strict cookie back on such a request; the page asks again, as its own.
    cookie: the session cookie's name.
    """

    async def landed(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and _from_elsewhere(scope, cookie.encode() + b"="):
            await answer(scope, send, 200, _page(scope), b"text/html; charset=utf-8", [_NO_STORE])
            return
        await app(scope, receive, send)

    return landed


_NO_STORE = (b"cache-control", b"no-store")


def _from_elsewhere(scope: Scope, cookie: bytes) -> bool:
    headers: Mapping[bytes, bytes] = dict(scope["headers"])
    return (
        scope["method"] == "GET"
        and headers.get(b"sec-fetch-site") == b"cross-site"
        and headers.get(b"sec-fetch-mode") == b"navigate"
        and headers.get(b"sec-fetch-dest") == b"document"
        and cookie not in headers.get(b"cookie", b"")
        and scope["path"] != "/login"
    )


def _page(scope: Scope) -> bytes:
    query = scope["query_string"].decode("latin-1")
    path = scope["raw_path"].decode("latin-1")
    # Browsers read a backslash as a slash, and two of either lead to another host.
    target = "/" + path.lstrip("/\\") + (f"?{query}" if query else "")
    shown = escape(target, quote=True)
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>virtdeck</title>"
        f'<meta http-equiv=refresh content="0;url={shown}"><p><a href="{shown}">virtdeck</a></p></html>'
    ).encode()
