"""The session cookie and the headers of every answer."""

import socket

import pytest

from virtdeck.gateway.auth.cookies import clear_cookie, cookie_name, find_code, set_cookie
from virtdeck.gateway.auth.headers import landing, with_security_headers
from virtdeck.gateway.auth.remembering import Remembered
from virtdeck.gateway.settings import GatewaySettings
from virtdeck.serving.asgi import Message, Receive, Scope, Send, answer

pytestmark = pytest.mark.anyio


def settings(**changes: str) -> GatewaySettings:
    paths = dict.fromkeys(("bind", "tls_cert", "tls_key", "component_ca", "handler_cert", "handler_key"), "x")
    return GatewaySettings(**(paths | changes))  # type: ignore[arg-type]


def test_over_https_the_cookie_is_bound_to_the_host() -> None:
    secure = settings(public_url="https://console.example", listen="0.0.0.0:8900")
    cookie = set_cookie(secure, "code")
    assert cookie.startswith("__Host-virtdeck-8900=code; Path=/; HttpOnly; SameSite=Strict")
    assert cookie.endswith("; Secure")


def test_on_plain_loopback_it_is_not_secure_and_says_so_in_its_name() -> None:
    cookie = set_cookie(settings(), "code")
    assert cookie.startswith("virtdeck-8900=")
    assert "Secure" not in cookie


def test_links_name_this_host_when_every_address_is_listened_on() -> None:
    assert settings(listen="127.0.0.1:8900").origin == "http://127.0.0.1:8900"
    everywhere = settings(listen="0.0.0.0:8900", listen_tls_cert="c", listen_tls_key="k")
    assert everywhere.origin == f"https://{socket.gethostname()}:8900"
    assert settings(listen="0.0.0.0:8900", reached_host="192.0.2.7").origin == "http://192.0.2.7:8900"
    assert settings(listen="[::]:8900", reached_host="2001:db8::7").origin == "http://[2001:db8::7]:8900"
    assert settings(public_url="https://a.example/").origin == "https://a.example"


def test_instances_on_one_host_do_not_share_a_cookie() -> None:
    assert cookie_name(settings(listen="127.0.0.1:1")) != cookie_name(settings(listen="127.0.0.1:2"))


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("virtdeck-8900=abc", "abc"),
        ("a=b; virtdeck-8900=abc; c=d", "abc"),
        ("virtdeck-8901=abc", None),
        ("", None),
        ("virtdeck-8900", None),
        ("x" * 20_000, None),
    ],
)
def test_the_code_is_found_in_the_browsers_header(header: str, code: str | None) -> None:
    assert find_code(settings(), {"cookie": header}) == code


def test_a_logout_takes_the_cookie_away() -> None:
    assert "Max-Age=0" in clear_cookie(settings())


async def respond(app: object, **request: object) -> tuple[int, dict[bytes, bytes], bytes]:
    """Status, headers and body of the app's answer to a GET."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    scope = {"type": "http", "method": "GET", "path": "/vms", "raw_path": b"/vms", "query_string": b""}
    await app(scope | {"headers": []} | request, receive, send)  # type: ignore[operator]
    return sent[0]["status"], dict(sent[0]["headers"]), sent[1]["body"]


async def page(scope: Scope, receive: Receive, send: Send) -> None:
    await answer(scope, send, 200, b"page", b"text/html", [(b"referrer-policy", b"no-referrer")])


async def test_every_answer_carries_the_security_headers() -> None:
    _, headers, _ = await respond(with_security_headers(page, secure=True))
    assert b"frame-ancestors 'none'" in headers[b"content-security-policy"]
    assert b"unsafe-inline" not in headers[b"content-security-policy"]
    assert headers[b"x-frame-options"] == b"DENY"
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"referrer-policy"] == b"no-referrer"  # its own
    assert b"strict-transport-security" in headers


CROSS = [
    (b"sec-fetch-site", b"cross-site"),
    (b"sec-fetch-mode", b"navigate"),
    (b"sec-fetch-dest", b"document"),
]


async def test_who_follows_a_link_of_another_site_lands_and_goes_on_by_themselves() -> None:
    request = {"headers": CROSS, "raw_path": b"/ns/a/vms/b", "query_string": b"x=%22%3E"}
    code, _, body = await respond(landing(page, "virtdeck-1"), **request)
    assert code == 200
    assert b'content="0;url=/ns/a/vms/b?x=%22%3E"' in body


@pytest.mark.parametrize("raw_path", [b"//evil.example/", b"/\\evil.example/", b"\\/\\evil.example/"])
async def test_a_landing_never_leaves_this_site(raw_path: bytes) -> None:
    _, _, body = await respond(landing(page, "virtdeck-1"), headers=CROSS, raw_path=raw_path)
    assert b'url=/evil.example/"' in body


@pytest.mark.parametrize(
    "changes",
    [
        {"headers": []},
        {"headers": [(b"sec-fetch-site", b"same-origin"), *CROSS[1:]]},
        {"headers": [*CROSS, (b"cookie", b"virtdeck-1=code")]},
        {"headers": CROSS, "path": "/login"},
        {"headers": CROSS, "method": "POST"},
        {"headers": [*CROSS[:2], (b"sec-fetch-dest", b"iframe")]},
    ],
)
async def test_other_requests_are_answered_as_they_are(changes: dict[str, object]) -> None:
    _, _, body = await respond(landing(page, "virtdeck-1"), **changes)
    assert body == b"page"


class Clock:
    """A clock that tests move."""

    time = 0.0

    def monotonic(self) -> float:
        return self.time


def test_answers_are_remembered_for_their_time_and_the_oldest_forgotten() -> None:
    clock = Clock()
    kept: Remembered[str, int] = Remembered(clock, 5, most=2)  # type: ignore[arg-type]
    kept.put("a", 1)
    kept.put("b", 2)
    assert kept.get("a") == 1
    kept.put("c", 3)
    assert kept.get("b") is None
    clock.time = 5
    assert kept.get("a") is None
