"""One JSON object a line on stderr, shaped as by ``basis.logging`` (whose structlog would cost 10 MB)."""

import sys
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
    sys.stderr.write(msgspec.json.encode(line).decode() + "\n")
    sys.stderr.flush()
