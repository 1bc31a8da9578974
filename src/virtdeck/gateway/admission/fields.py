"""Field paths with gaps, as ``spec.domain.devices.disks[].{disk|lun}.bus``."""

import re

_GAP = re.compile(r"(\[\]|\{[^}]+\})")


class Pattern:
    """A field path in which ``[]`` stands for an index or key and ``{a|b}`` for one of several words."""

    __slots__ = ("_form", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._form = "".join(_filled(part) for part in _GAP.split(text))

    def at(self, gaps: tuple[int | str, ...], base: str = "") -> str:
        """The field, with the gaps filled in their order."""
        return base + (self._form % gaps if gaps else self._form)

    def __repr__(self) -> str:
        return self.text


def _filled(part: str) -> str:
    if part == "[]":
        return "[%s]"
    return "%s" if part.startswith("{") else part
