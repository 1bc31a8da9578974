"""One JSON object a line on stderr, shaped as by ``basis.logging`` (whose structlog would cost 10 MB)."""

import sys
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import msgspec


def log(event: str, level: str = "info", **values: Any) -> None:
    """One line. event: a constant in the past tense. values: never a body, a token or an object."""
    line = {
        "event": event,
        "level": level,
        "timestamp": datetime.now(UTC).isoformat(),
        "component": "virt-launcher",
        **values,
    }
    # Who reads it may be gone (conmon was killed): the guest runs on all the same.
    with suppress(OSError):
        sys.stderr.write(msgspec.json.encode(line).decode() + "\n")
        sys.stderr.flush()
