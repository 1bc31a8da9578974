"""Texts of durations and moments, read and written."""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from virtdeck.cel.values import NANOSECONDS, Duration, EvaluationError, Timestamp

_UNITS = {"ns": 1, "us": 1000, "µs": 1000, "μs": 1000, "ms": 10**6, "s": NANOSECONDS, "m": 60 * NANOSECONDS,
          "h": 3600 * NANOSECONDS}  # fmt: skip
_PART = re.compile(r"(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)")
_DURATION = re.compile(rf"([-+]?)((?:{_PART.pattern})+|0)")
_MOMENT = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?([Zz]|[-+]\d\d:\d\d)|(\d{4}-\d\d-\d\d)"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def parse_duration(text: str) -> Duration:
    """``1h30m`` and the like. Raises: EvaluationError."""
    found = _DURATION.fullmatch(text)
    if not found or len(text) > 64:
        raise EvaluationError(f'invalid duration "{text}"')
    total = sum(_nanoseconds(number, unit) for number, unit in _PART.findall(found[2]))
    return Duration(-total if found[1] == "-" else total)


def _nanoseconds(number: str, unit: str) -> int:
    whole, _, rest = number.partition(".")
    scale = _UNITS[unit]
    return int(whole or 0) * scale + (int(rest) * scale // 10 ** len(rest) if rest else 0)


def show_duration(duration: Duration) -> str:
    """Seconds, as the language writes durations."""
    whole, rest = divmod(abs(duration.nanoseconds), NANOSECONDS)
    sign = "-" if duration.nanoseconds < 0 else ""
    return f"{sign}{whole}{f'.{rest:09d}'.rstrip('0') if rest else ''}s"


def parse_moment(text: str) -> Timestamp:
    """An RFC 3339 time or date. Raises: EvaluationError."""
    found = _MOMENT.fullmatch(text)
    if not found:
        raise EvaluationError(f'invalid timestamp "{text}"')
    try:
        if found[5]:
            moment = datetime.fromisoformat(found[5]).replace(tzinfo=UTC)
        else:
            moment = datetime.fromisoformat(f"{found[1]}T{found[2]}{found[4].upper()}")
    except ValueError as fault:
        raise EvaluationError(f'invalid timestamp "{text}"') from fault
    seconds = (moment - _EPOCH) // timedelta(seconds=1)
    return Timestamp(seconds * NANOSECONDS + int((found[3] or "0").ljust(9, "0")))


def show_moment(moment: Timestamp) -> str:
    """RFC 3339 in UTC with as many digits as needed."""
    rest = moment.nanoseconds % NANOSECONDS
    fraction = f".{rest:09d}".rstrip("0") if rest else ""
    return f"{moment.moment():%Y-%m-%dT%H:%M:%S}{fraction}Z"


def zone(name: str) -> tzinfo:
    """A time zone by its name or as an offset like ``-07:30``. Raises: EvaluationError."""
    if offset := re.fullmatch(r"([-+]?)(\d\d):(\d\d)", name):
        minutes = int(offset[2]) * 60 + int(offset[3])
        return timezone(timedelta(minutes=-minutes if offset[1] == "-" else minutes))
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError) as fault:
        raise EvaluationError(f"unknown time zone {name}") from fault
