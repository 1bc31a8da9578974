"""The string formats of OpenAPI that Kubernetes checks."""

import base64
import binascii
import ipaddress
import re
from collections.abc import Callable
from datetime import date, datetime
from urllib.parse import urlsplit

_DURATION = re.compile(r"[-+]?(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+|0")
_WORDS = re.compile(r"\d+ ?(ns|nano|us|µs|micro|ms|milli|s|sec|second|m|min|minute|hr|hour|h|d|day|w|week)s?")
_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[-+]\d\d:\d\d)")
_HEX = r"[0-9a-fA-F]"
_UUID = re.compile(
    rf"{_HEX}{{8}}-?{_HEX}{{4}}-?(?P<version>{_HEX}){_HEX}{{3}}-?(?P<variant>{_HEX}){_HEX}{{3}}-?{_HEX}{{12}}"
)
_HOST = re.compile(
    r"([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)*[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
)
_COLOR = re.compile(r"rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)")
_ISBN10, _ISBN13 = re.compile(r"\d{9}[\dXx]"), re.compile(r"\d{13}")


def _parses(parse: Callable[[str], object]) -> Callable[[str], bool]:
    def check(text: str) -> bool:
        try:
            parse(text)
        except (ValueError, binascii.Error):
            return False
        return True

    return check


def _matches(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern)
    return lambda text: compiled.fullmatch(text) is not None


def _date_time(text: str) -> bool:
    if not _DATE_TIME.fullmatch(text):
        return False
    return _parses(lambda given: datetime.fromisoformat(re.sub(r"\.\d+", "", given).upper()))(text)


def _uuid(versions: str) -> Callable[[str], bool]:
    """Of these versions; empty for any. What the later versions have for their variant is checked as well."""

    def check(text: str) -> bool:
        found = _UUID.fullmatch(text)
        if not found or not versions:
            return found is not None
        return found["version"] in versions and (versions == "3" or found["variant"] in "89abAB")

    return check


def _uri(text: str) -> bool:
    """An absolute URI, or an absolute path."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return bool(parts.scheme) or text.startswith("/")


def _cidr(text: str) -> bool:
    return "/" in text and _parses(lambda given: ipaddress.ip_network(given, strict=False))(text)


def _isbn10(text: str) -> bool:
    digits = text.replace("-", "").replace(" ", "")
    if not _ISBN10.fullmatch(digits):
        return False
    values = [10 if digit in "Xx" else int(digit) for digit in digits]
    return sum(place * value for place, value in enumerate(values, start=1)) % 11 == 0


def _isbn13(text: str) -> bool:
    digits = text.replace("-", "").replace(" ", "")
    return (
        bool(_ISBN13.fullmatch(digits))
        and sum(int(one) * (3 if at % 2 else 1) for at, one in enumerate(digits)) % 10 == 0
    )


def _credit_card(text: str) -> bool:
    digits = [int(digit) for digit in text if digit.isdigit()]
    doubled = [
        digit * 2 - 9 * (digit > 4) if place % 2 else digit for place, digit in enumerate(reversed(digits))
    ]
    return 13 <= len(digits) <= 19 and sum(doubled) % 10 == 0


def _rgb(text: str) -> bool:
    found = _COLOR.fullmatch(text)
    return found is not None and all(int(part) <= 255 for part in found.groups())


_CHECKS: dict[str, Callable[[str], bool]] = {
    "date-time": _date_time,
    "datetime": _date_time,
    "date": _parses(date.fromisoformat),
    "byte": _parses(lambda text: base64.b64decode(text, validate=True)),
    "duration": lambda text: bool(_DURATION.fullmatch(text) or _WORDS.fullmatch(text)),
    "ipv4": _parses(ipaddress.IPv4Address),
    "ipv6": _parses(ipaddress.IPv6Address),
    "cidr": _cidr,
    "mac": _matches(r"([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}(([:-][0-9A-Fa-f]{2}){2})?"),
    "hostname": lambda text: len(text) <= 255 and _HOST.fullmatch(text) is not None,
    "uri": _uri,
    "email": _matches(r"[^@\s]+@[^@\s]+"),
    "uuid": _uuid(""),
    "uuid3": _uuid("3"),
    "uuid4": _uuid("4"),
    "uuid5": _uuid("5"),
    "bsonobjectid": _matches(r"[0-9a-fA-F]{24}"),
    "hexcolor": _matches(r"#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})"),
    "rgbcolor": _rgb,
    "ssn": _matches(r"\d{3}[- ]?\d{2}[- ]?\d{4}"),
    "isbn10": _isbn10,
    "isbn13": _isbn13,
    "isbn": lambda text: _isbn10(text) or _isbn13(text),
    "creditcard": _credit_card,
}


def has_format(text: str, name: str) -> bool:
    """Whether the text is of the format; formats that Kubernetes does not know hold for every text."""
    check = _CHECKS.get(name)
    return check is None or check(text)
