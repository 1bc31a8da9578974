"""When to ask the guest's agent next."""

from typing import Final

# Soon after it connected, since addresses come late; then at the pace of KubeVirt's defaults.
DELAYS_SECONDS: Final = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)
SETTLED_SECONDS: Final = 120.0
SILENT_POLLS: Final = 3  # so many without an answer: the agent is gone although its channel is open


def delay_after(polls: int) -> float:
    """Seconds until the next poll, after this many since the agent connected."""
    return DELAYS_SECONDS[polls - 1] if 0 < polls <= len(DELAYS_SECONDS) else SETTLED_SECONDS
