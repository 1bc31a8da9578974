"""Cuts what comes from a guest to sizes that the API can carry."""

import math
import re
from typing import Final

MAX_TEXT: Final = 256
MAX_INTERFACES: Final = 32
MAX_ADDRESSES: Final = 16
MAX_USERS: Final = 64
MAX_FILESYSTEMS: Final = 64
MAX_DISKS: Final = 16
MAX_COMMANDS: Final = 256

_CONTROL: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)


class Cutter:
    """Cuts texts and lists; ``truncated`` tells afterwards whether anything was lost."""

    def __init__(self) -> None:
        self.truncated = False

    def text(self, value: object) -> str:
        """At most MAX_TEXT characters, none of them a control or a direction mark."""
        if not isinstance(value, str):
            return ""
        if len(value) > MAX_TEXT:
            self.truncated = True
        return _CONTROL.sub("", value[:MAX_TEXT])

    def items(self, values: object, most: int) -> list[object]:
        """At most ``most`` items; nothing when it is no list."""
        if not isinstance(values, list):
            return []
        if len(values) > most:
            self.truncated = True
        return values[:most]

    def number(self, value: object) -> int:
        """A whole number of 63 bits, never negative."""
        if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
            return 0
        return int(min(max(value, 0), 2**63 - 1))
