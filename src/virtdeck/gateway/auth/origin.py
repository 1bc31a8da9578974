"""Whether a request comes from one of our own pages: the check that no other site's page passes."""

import hmac
from collections.abc import Mapping
from urllib.parse import unquote, urlsplit

from virtdeck.basis.errors import Refused

_HARMLESS = ("GET", "HEAD", "OPTIONS")


def require_same_origin(method: str, headers: Mapping[str, str], origin: str) -> None:
    """A request that may change something was sent by a page of ``origin``. Raises: Refused."""
    if method not in _HARMLESS and not _from_here(headers, origin, headers.get("origin")):
        raise Refused("this request did not come from a page of this console", reason="ForeignOrigin")


def require_socket_origin(headers: Mapping[str, str], origin: str) -> None:
    """A WebSocket was opened by a page of ``origin``; browsers always say so. Raises: Refused."""
    said = headers.get("origin")
    if said is None or not _from_here(headers, origin, said):
        raise Refused("this WebSocket was not opened by a page of this console", reason="ForeignOrigin")


def require_no_foreign_page(headers: Mapping[str, str], origin: str) -> None:
    """No page of another origin sends this request, also none of another port here. Raises: Refused."""
    foreign = headers.get("sec-fetch-site") in ("cross-site", "same-site")
    if foreign or headers.get("origin", origin) != origin:
        raise Refused("this request did not come from a page of this console", reason="ForeignOrigin")


def require_token(expected: str, given: str) -> None:
    """The form repeats its session's token. Raises: Refused."""
    if not expected or not hmac.compare_digest(expected.encode(), given.encode()):
        raise Refused("the form is older than this login; open the page again and repeat", reason="StaleForm")


def origin_of(public_url: str, scheme: str, headers: Mapping[str, str]) -> str:
    """What our own pages' origin is for this request: as configured, else as the browser reached us."""
    if public_url:
        parts = urlsplit(public_url)
        return f"{parts.scheme}://{parts.netloc}"
    return f"{scheme}://{headers.get('host', '')}"


def safe_next(wanted: str | None, default: str = "/") -> str:
    """The path to go on to after a login; anything that could leave this console becomes ``default``."""
    if not wanted or len(wanted) > 2048:
        return default
    for form in (wanted, unquote(wanted)):
        if not form.startswith("/") or form.startswith("//") or "\\" in form or not form.isprintable():
            return default
        parts = urlsplit(form)
        if parts.scheme or parts.netloc:
            return default
    return wanted


def _from_here(headers: Mapping[str, str], origin: str, said: str | None) -> bool:
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    if said is not None:
        return said == origin
    # No Origin: browsers send it with every POST; its absence is only believed with their own word.
    return site == "same-origin"
