"""Who uses which screen and serial line: one who may act and a few who watch; pure but for the closing."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from virtdeck.basis.errors import Conflict, Invalid, Unready

Kind = Literal["vnc", "console"]
Mode = Literal["take", "ask", "watch"]

TAKEN_OVER = 4409
MAX_WATCHERS = 8  # each costs QEMU a copy of the screen

Close = Callable[[int, str], None]


@dataclass(frozen=True)
class Session:
    """One open console. since: RFC 3339. mode: ``watch`` cannot act."""

    id: str
    vmi_uid: str
    kind: Kind
    user: str
    origin: str
    since: str
    mode: Mode

    def describe(self) -> dict[str, str]:
        """The session as ``GET sessions`` shows it."""
        return {
            "id": self.id,
            "kind": self.kind,
            "user": self.user,
            "origin": self.origin,
            "since": self.since,
            "mode": self.mode,
        }


class Held(Unready):
    """Somebody else holds the console and was not to be thrown off."""


class Sessions:
    """All open sessions of this node."""

    def __init__(self) -> None:
        self._ids = itertools.count(1)
        self._open: dict[str, tuple[Session, Close]] = {}

    def next_id(self) -> str:
        """An id that no session of this process has had."""
        return str(next(self._ids))

    def check(self, vmi_uid: str, kind: Kind, mode: Mode) -> None:
        """A session like this may be opened now. Raises: Held, Conflict when too many watch."""
        holder = self.holder(vmi_uid, kind)
        if mode == "ask" and holder is not None:
            raise Held(
                f"{holder.user} holds the {_noun(kind)} since {holder.since}; watch it or take it over",
                reason="ConsoleHeld",
            )
        if mode == "watch" and len(self._watchers(vmi_uid, kind)) >= MAX_WATCHERS:
            raise Conflict(
                f"{MAX_WATCHERS} others watch this {_noun(kind)} already", reason="TooManyWatchers"
            )

    def add(self, session: Session, close: Close) -> None:
        """The session is open; who held the console before is told by whom it was taken over."""
        if session.mode != "watch":
            for former, end in self._find(session.vmi_uid, session.kind):
                if former.mode != "watch":
                    end(TAKEN_OVER, f"{session.user} took over the {_noun(session.kind)}")
                    self.remove(former.id)
        self._open[session.id] = session, close

    def remove(self, session_id: str) -> None:
        """The session is over."""
        self._open.pop(session_id, None)

    def close_all(self, vmi_uid: str, code: int, reason: str) -> None:
        """Everybody at this VMI's consoles is told why they end."""
        for session, end in list(self._open.values()):
            if session.vmi_uid == vmi_uid:
                end(code, reason)

    def of(self, vmi_uid: str) -> list[Session]:
        """The VMI's sessions, oldest first."""
        return [session for session, _ in self._open.values() if session.vmi_uid == vmi_uid]

    def holder(self, vmi_uid: str, kind: Kind) -> Session | None:
        """Who may act on this console."""
        return next((s for s, _ in self._find(vmi_uid, kind) if s.mode != "watch"), None)

    def count(self, kind: Kind) -> dict[str, int]:
        """How many sessions of this kind each VMI has, by its uid."""
        numbers: dict[str, int] = {}
        for session, _ in self._open.values():
            if session.kind == kind:
                numbers[session.vmi_uid] = numbers.get(session.vmi_uid, 0) + 1
        return numbers

    def _find(self, vmi_uid: str, kind: Kind) -> list[tuple[Session, Close]]:
        return [
            entry for entry in self._open.values() if (entry[0].vmi_uid, entry[0].kind) == (vmi_uid, kind)
        ]

    def _watchers(self, vmi_uid: str, kind: Kind) -> list[Session]:
        return [session for session, _ in self._find(vmi_uid, kind) if session.mode == "watch"]


def parse_mode(text: str | None, *, preserve: bool) -> Mode:
    """The wish in a request's query; KubeVirt's ``preserveSession`` is a polite one. Raises: Invalid."""
    match text:
        case None | "":
            return "ask" if preserve else "take"
        case "take" | "ask" | "watch":
            return text
    raise Invalid(f"mode must be take, ask or watch, not {text[:20]!r}")


def _noun(kind: Kind) -> str:
    return "screen" if kind == "vnc" else "serial console"
