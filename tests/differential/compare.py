"""What differs between two answers, and which of it is accepted (pure)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml

ACCEPTED = Path(__file__).parent / "accepted.yaml"
OPEN = Path(__file__).parent / "open.yaml"
ABSENT = "(absent)"


@dataclass(frozen=True)
class Difference:
    """One value at one path of one step's answer. where: area/step."""

    where: str
    path: str
    real: Any
    ours: Any

    def __str__(self) -> str:
        return f"{self.where}: {self.path}\n    real: {self.real}\n    ours: {self.ours}"


@dataclass(frozen=True)
class Accepted:
    """Differences that are meant to be. where and path: patterns with ``*``; real and ours: expressions."""

    reason: str
    where: str = "*"
    path: str = "*"
    real: str = ""
    ours: str = ""

    def covers(self, found: Difference) -> bool:
        """The difference is of this kind."""
        return (
            fnmatchcase(found.where, self.where)
            and fnmatchcase(found.path, self.path)
            and re.search(self.real, str(found.real), re.DOTALL) is not None
            and re.search(self.ours, str(found.ours), re.DOTALL) is not None
        )


def read_accepted(path: Path = ACCEPTED) -> tuple[Accepted, ...]:
    """The list as it stands in its file; an entry without a reason is refused."""
    return tuple(Accepted(**entry) for entry in yaml.safe_load(path.read_text()))


def read_open(path: Path = OPEN) -> dict[str, tuple[str, ...]]:
    """Area to the steps that are to be answered like the real one and are not yet."""
    return {area: tuple(steps) for area, steps in (yaml.safe_load(path.read_text()) or {}).items()}


def differences(where: str, real: Any, ours: Any) -> tuple[Difference, ...]:
    """Every value that is not the same on both sides."""
    return tuple(Difference(where, *found) for found in _differing("", real, ours))


def unaccepted(found: Sequence[Difference], accepted: Sequence[Accepted]) -> list[Difference]:
    """Those that nobody gave a reason for."""
    return [one for one in found if not any(entry.covers(one) for entry in accepted)]


def _differing(path: str, real: Any, ours: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(real, dict) and isinstance(ours, dict):
        for key in sorted(real.keys() | ours.keys()):
            yield from _differing(_join(path, key), real.get(key, ABSENT), ours.get(key, ABSENT))
    elif isinstance(real, list) and isinstance(ours, list):
        for number in range(max(len(real), len(ours))):
            pair = [side[number] if number < len(side) else ABSENT for side in (real, ours)]
            yield from _differing(_join(path, str(number)), *pair)
    elif isinstance(real, str) and isinstance(ours, str) and "\n" in real:
        yield from _differing_lines(path, real, ours)
    elif real != ours or type(real) is not type(ours):
        yield path, real, ours


def _differing_lines(path: str, real: str, ours: str) -> Iterator[tuple[str, Any, Any]]:
    if real != ours:
        yield from _differing(path, real.splitlines(), ours.splitlines())


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
