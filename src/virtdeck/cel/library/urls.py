"""URLs and their parts."""

from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlsplit

from virtdeck.cel.costs import Traversal
from virtdeck.cel.signatures import Library, function, method
from virtdeck.cel.types import BOOL, STRING, list_of, map_of, opaque
from virtdeck.cel.values import EvaluationError

_URL = opaque("net.URL")


@dataclass(frozen=True, slots=True)
class Url:
    """An absolute URL, or an absolute path."""

    cel_type: ClassVar[str] = "net.URL"
    parts: SplitResult


def _parsed(text: str) -> Url:
    if any(ord(char) < 0x20 or ord(char) == 0x7F for char in text):
        raise EvaluationError(
            f'URL parse error during conversion from string: parse "{text}": invalid control character'
        )
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError as fault:
        raise EvaluationError(f"URL parse error during conversion from string: {fault}") from fault
    if not parts.scheme and not text.startswith("/"):
        raise EvaluationError(
            f'URL parse error during conversion from string: parse "{text}": invalid URI for request'
        )
    return Url(parts)


def _is_url(text: str) -> bool:
    try:
        _parsed(text)
    except EvaluationError:
        return False
    return True


def _host(url: Url) -> str:
    return url.parts.netloc.rpartition("@")[2]


def _hostname(url: Url) -> str:
    host = _host(url)
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if ":" in host else host


def _port(url: Url) -> str:
    rest = _host(url).rpartition("]")[2]
    return rest.rpartition(":")[2] if ":" in rest else ""


def _escaped_path(url: Url) -> str:
    return (
        quote(unquote(url.parts.path), safe="/$&+,:;=@!'()*~")
        if "%" not in url.parts.path
        else url.parts.path
    )


def _query(url: Url) -> dict[str, list[str]]:
    return parse_qs(url.parts.query, keep_blank_values=True)


_COST = Traversal()

URLS: Library = {
    "url": (function(_URL, STRING, run=_parsed, cost=_COST),),
    "isURL": (function(BOOL, STRING, run=_is_url, cost=_COST),),
    "getScheme": (method(STRING, _URL, run=lambda url: url.parts.scheme),),
    "getHost": (method(STRING, _URL, run=_host),),
    "getHostname": (method(STRING, _URL, run=_hostname),),
    "getPort": (method(STRING, _URL, run=_port),),
    "getEscapedPath": (method(STRING, _URL, run=_escaped_path),),
    "getQuery": (method(map_of(STRING, list_of(STRING)), _URL, run=_query),),
}
