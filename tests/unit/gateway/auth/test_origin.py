"""Other sites' pages cannot act for who is logged in."""

import pytest

from virtdeck.basis.errors import Refused
from virtdeck.gateway.auth.origin import (
    origin_of,
    require_no_foreign_page,
    require_same_origin,
    require_socket_origin,
    require_token,
    safe_next,
)

OURS = "https://console.example:8900"


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": OURS},
        {"origin": OURS, "sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "same-origin"},
    ],
)
def test_our_own_pages_may_change_something(headers: dict[str, str]) -> None:
    require_same_origin("POST", headers, OURS)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://console.example:8900"},
        {"origin": "https://console.example"},
        {"origin": "https://console.example:8900.evil.example"},
        {"origin": OURS, "sec-fetch-site": "cross-site"},
        {"origin": OURS, "sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
    ],
)
def test_anybody_else_may_not(headers: dict[str, str]) -> None:
    with pytest.raises(Refused) as caught:
        require_same_origin("DELETE", headers, OURS)
    assert caught.value.reason == "ForeignOrigin"


def test_reading_needs_no_origin() -> None:
    require_same_origin("GET", {}, OURS)


@pytest.mark.parametrize(
    "origin", [None, "null", "https://evil.example", "https://console.example:8900.evil", OURS + "1", ""]
)
def test_a_websocket_from_elsewhere_is_refused(origin: str | None) -> None:
    with pytest.raises(Refused):
        require_socket_origin({} if origin is None else {"origin": origin}, OURS)


def test_a_websocket_of_our_own_page_is_not() -> None:
    require_socket_origin({"origin": OURS}, OURS)


@pytest.mark.parametrize("given", ["", "a" * 63, "b" * 64, "é"])
def test_a_form_without_its_sessions_token_is_refused(given: str) -> None:
    with pytest.raises(Refused):
        require_token("a" * 64, given)


def test_an_empty_token_fits_nothing() -> None:
    with pytest.raises(Refused):
        require_token("", "")


def test_the_origin_is_as_configured_or_as_the_browser_came() -> None:
    assert origin_of("https://a.example/console", "http", {"host": "b"}) == "https://a.example"
    assert origin_of("", "http", {"host": "127.0.0.1:8900"}) == "http://127.0.0.1:8900"


@pytest.mark.parametrize("path", ["/", "/vms", "/vms?ns=a&q=b", "/ns/default/vms/a/console#x", "/vms?q=%20"])
def test_a_login_goes_on_to_our_own_paths(path: str) -> None:
    assert safe_next(path) == path


@pytest.mark.parametrize(
    "path",
    [
        None,
        "",
        "vms",
        "//evil.example/",
        "/\\evil.example",
        "/%5cevil.example",
        "/%2fevil.example",
        "\\\\evil.example",
        "https://evil.example/",
        "javascript:alert(1)",
        "/a\r\nSet-Cookie: x",
        "/a%0d%0aSet-Cookie: x",
        "/" + "a" * 3000,
    ],
)
def test_a_login_goes_nowhere_else(path: str | None) -> None:
    assert safe_next(path) == "/"


@pytest.mark.parametrize("headers", [{}, {"origin": OURS}, {"sec-fetch-site": "same-origin"}])
def test_a_stream_is_for_our_own_pages_and_for_programs(headers: dict[str, str]) -> None:
    require_no_foreign_page(headers, OURS)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "https://console.example:8901"},
        {"origin": "https://console.example:8900.evil.example"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_a_stream_is_for_no_page_of_another_origin(headers: dict[str, str]) -> None:
    with pytest.raises(Refused):
        require_no_foreign_page(headers, OURS)
