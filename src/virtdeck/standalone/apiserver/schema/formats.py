"""The string formats of OpenAPI that Kubernetes checks."""

import base64
import binascii
import ipaddress
import re
from collections.abc import Callable
from datetime import date, datetime
from uuid import UUID

_DURATION = re.compile(r"[-+]?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+|0")
_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[-+]\d\d:\d\d)")


def _parses(parse: Callable[[str], object]) -> Callable[[str], bool]:
    def check(text: str) -> bool:
        try:
            parse(text)
        except (ValueError, binascii.Error):
            return False
        return True

    return check


def _date_time(text: str) -> bool:
    if not _DATE_TIME.fullmatch(text):
        return False
    return _parses(lambda given: datetime.fromisoformat(re.sub(r"\.\d+", "", given).upper()))(text)


_CHECKS: dict[str, Callable[[str], bool]] = {
    "date-time": _date_time,
    "date": _parses(date.fromisoformat),
    "byte": _parses(lambda text: base64.b64decode(text, validate=True)),
    "ipv4": _parses(ipaddress.IPv4Address),
    "ipv6": _parses(ipaddress.IPv6Address),
    "cidr": _parses(lambda text: ipaddress.ip_network(text, strict=False)),
    "mac": lambda text: re.fullmatch(r"([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}", text) is not None,
    "uuid": _parses(UUID),
    "duration": lambda text: _DURATION.fullmatch(text) is not None,
    "email": lambda text: re.fullmatch(r"[^@\s]+@[^@\s]+", text) is not None,
}


def has_format(text: str, name: str) -> bool:
    """Whether the text is of the format; formats that Kubernetes does not know hold for every text."""
    check = _CHECKS.get(name)
    return check is None or check(text)
