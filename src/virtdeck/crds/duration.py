"""Durations as Go writes them: ``1h30m``, ``45s``, ``500ms``."""

import re

from virtdeck.basis.errors import Invalid

_PART = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)", re.ASCII)
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_MOST_LETTERS = 64


def parse_duration(text: str) -> float:
    """The seconds of a duration; a minus makes it negative. Raises: Invalid."""
    body = text.removeprefix("-").removeprefix("+") if len(text) <= _MOST_LETTERS else ""
    if body == "0":
        return 0.0
    if not body or _PART.sub("", body):
        raise Invalid(f"{text[:_MOST_LETTERS]!r} is not a duration; write it as 1h30m, 45s or 500ms")
    seconds = sum(float(number) * _SECONDS[unit] for number, unit in _PART.findall(body))
    return -seconds if text.startswith("-") else seconds
