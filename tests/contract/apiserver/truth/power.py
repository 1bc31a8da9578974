"""A file layer that writes down what SQLite does to its files, and how a power cut may leave them."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

SECTOR = 512
SYSTEM = "unix"  # SQLite's own file layer
_NAME = "power"


@dataclass(frozen=True)
class Step:
    """One thing that happened. kind: write, truncate, sync; told: ``offset`` is an acknowledged revision."""

    kind: str
    file: str = ""
    offset: int = 0
    data: bytes = b""


@dataclass
class Tape:
    """Everything that happened, in order."""

    steps: list[Step] = field(default_factory=list)

    def told(self, revision: int) -> None:
        """A client was told that this revision is stored."""
        self.steps.append(Step("told", offset=revision))

    def removed(self, name: str) -> None:
        """A file is gone, and its folder was synced."""
        self.steps.append(Step("delete", Path(name).name))

    def count(self, kind: str, suffix: str = "") -> int:
        """How often something was done to files whose name ends so."""
        return sum(1 for step in self.steps if step.kind == kind and step.file.endswith(suffix))


class _File(apsw.VFSFile):
    def __init__(self, tape: Tape, name: str, flags: list[int]) -> None:
        super().__init__(SYSTEM, name, flags)
        self._tape = tape
        self._name = Path(name).name

    def xWrite(self, data: bytes, offset: int) -> None:
        self._tape.steps.append(Step("write", self._name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:
        self._tape.steps.append(Step("truncate", self._name, size))
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        self._tape.steps.append(Step("sync", self._name))


Remove = Callable[[str], None]


class _Layer(apsw.VFS):
    def __init__(self, make: Callable[[str, list[int]], Any], removed: Remove) -> None:
        super().__init__(_NAME, SYSTEM, makedefault=True)
        self._make = make
        self._removed = removed

    def xDelete(self, name: str, sync: bool) -> None:
        super().xDelete(name, sync)
        self._removed(name)

    def xOpen(self, name: Any, flags: list[int]) -> Any:
        text = name.filename() if isinstance(name, apsw.URIFilename) else name
        if text is None:  # a temporary file, which no cut can hurt
            return super().xOpen(name, flags)
        return self._make(text, flags)


@contextmanager
def layer(make: Callable[[str, list[int]], Any], removed: Remove | None = None) -> Iterator[None]:
    """SQLite's files are those that ``make`` makes, until the context ends."""
    made = _Layer(make, removed or (lambda _name: None))
    try:
        yield
    finally:
        made.unregister()
        apsw.set_default_vfs(SYSTEM)


@contextmanager
def taped() -> Iterator[Tape]:
    """SQLite's files are written down while the context is open."""
    tape = Tape()
    with layer(lambda name, flags: _File(tape, name, flags), tape.removed):
        yield tape


@dataclass
class _Image:
    """A file: what surely is on the disk, and what the disk may or may not have got since."""

    durable: bytearray = field(default_factory=bytearray)
    loose: list[Step] = field(default_factory=list)

    def take(self, step: Step) -> None:
        if step.kind == "sync":
            for one in self.loose:
                _do(self.durable, one.kind, one.offset, one.data)
            self.loose.clear()
        else:
            self.loose.append(step)

    def after_cut(self, dice: random.Random) -> bytes:
        """Of what was not synced, any sector may be there or not, in any order."""
        found = bytearray(self.durable)
        for step in self.loose:
            if step.kind == "truncate":
                if dice.random() < 0.5:
                    _do(found, "truncate", step.offset, b"")
                continue
            whole = dice.random()
            for start in range(0, len(step.data), SECTOR):
                if whole < 0.3 or (whole < 0.7 and dice.random() < 0.5):
                    _do(found, "write", step.offset + start, step.data[start : start + SECTOR])
        return bytes(found)


def _do(content: bytearray, kind: str, offset: int, data: bytes) -> None:
    if kind == "truncate":
        del content[offset:]
        return
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data


def cuts(tape: Tape, points: int, seed: int, folder: Path) -> Iterator[list[int]]:
    """``folder`` holds the files as this many power cuts may leave them; yields what was told until then."""
    dice = random.Random(seed)
    chosen = sorted(dice.choices(range(1, len(tape.steps)), k=points))
    images: dict[str, _Image] = {}
    told: list[int] = []
    done = 0
    for point in chosen:
        for step in tape.steps[done:point]:
            if step.kind == "told":
                told.append(step.offset)
            elif step.kind == "delete":
                images.pop(step.file, None)
            else:
                images.setdefault(step.file, _Image()).take(step)
        done = point
        for name, image in images.items():
            (folder / name).write_bytes(image.after_cut(dice))
        yield told
