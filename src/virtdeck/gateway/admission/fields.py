"""Field paths with gaps, as ``spec.domain.devices.disks[].{disk|lun}.bus``."""

import re

_GAP = re.compile(r"(\[\]|\{[^}]+\})")


class Pattern:
    """A field path in which ``[]`` stands for an index or key and ``{a|b}`` for one of several words."""

    __slots__ = ("_forms", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._forms = tuple((part, part == "[]", part.startswith("{")) for part in _GAP.split(text) if part)

    def at(self, gaps: tuple[int | str, ...], base: str = "") -> str:
        """The field, with the gaps filled in their order."""
        rest, path = iter(gaps), [base]
        for part, is_index, is_word in self._forms:
            path.append(f"[{next(rest)}]" if is_index else str(next(rest)) if is_word else part)
        return "".join(path)

    @property
    def gaps(self) -> int:
        """How many there are to fill."""
        return sum(is_index or is_word for _, is_index, is_word in self._forms)

    def __repr__(self) -> str:
        return self.text
