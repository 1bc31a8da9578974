"""The session cookie: its name, how it is set and found."""

from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie

from virtdeck.gateway.settings import GatewaySettings

_LONGEST_HEADER = 16 * 1024


def cookie_name(settings: GatewaySettings) -> str:
    """The cookie's name, with the port: browsers keep one jar for all ports of a host.

    ``__Host-`` makes them refuse a cookie that another host or plain HTTP tried to plant.
    """
    port = settings.listen.rpartition(":")[2]
    return f"__Host-virtdeck-{port}" if settings.secure else f"virtdeck-{port}"


def find_code(settings: GatewaySettings, headers: Mapping[str, str]) -> str | None:
    """The session's code that the browser sent."""
    header = headers.get("cookie", "")
    if not header or len(header) > _LONGEST_HEADER:
        return None
    try:
        found = SimpleCookie(header).get(cookie_name(settings))
    except CookieError:
        return None
    return found.value if found else None


def set_cookie(settings: GatewaySettings, code: str) -> str:
    """The Set-Cookie value that begins the session; it ends with the browser or by our own clock."""
    return _cookie(settings, code, f"Max-Age={int(settings.session_seconds)}")


def clear_cookie(settings: GatewaySettings) -> str:
    """The Set-Cookie value that ends it."""
    return _cookie(settings, "", "Max-Age=0")


def _cookie(settings: GatewaySettings, value: str, age: str) -> str:
    secure = "; Secure" if settings.secure else ""
    return f"{cookie_name(settings)}={value}; Path=/; HttpOnly; SameSite=Strict; {age}{secure}"
