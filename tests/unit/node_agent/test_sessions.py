"""Who holds a console, who watches, and who is told what."""

import pytest

from virtdeck.basis.errors import Conflict, Invalid
from virtdeck.node_agent.api.sessions import MAX_WATCHERS, Held, Kind, Mode, Session, Sessions, parse_mode


class Told(list[tuple[int, str]]):
    """Collects what a session was closed with."""

    def close(self, code: int, reason: str) -> None:
        self.append((code, reason))


def session(number: str, user: str, mode: Mode = "take", kind: Kind = "vnc", uid: str = "u") -> Session:
    return Session(number, uid, kind, user, "browser", "2026-11-30T12:00:00Z", mode)


def test_who_takes_over_is_named_to_who_is_thrown_off() -> None:
    sessions, ann = Sessions(), Told()
    sessions.add(session("1", "ann"), ann.close)
    sessions.add(session("2", "bob"), Told().close)
    assert ann == [(4409, "bob took over the screen")]
    holder = sessions.holder("u", "vnc")
    assert holder is not None
    assert holder.user == "bob"


def test_asking_never_throws_anybody_off() -> None:
    sessions = Sessions()
    sessions.add(session("1", "ann"), Told().close)
    with pytest.raises(Held, match="ann holds the screen"):
        sessions.check("u", "vnc", "ask")
    sessions.check("u", "console", "ask")
    sessions.check("another", "vnc", "ask")


def test_watching_disturbs_nobody_and_holds_nothing() -> None:
    sessions, ann = Sessions(), Told()
    sessions.add(session("1", "ann"), ann.close)
    sessions.add(session("2", "eve", "watch"), Told().close)
    assert ann == []
    sessions.remove("1")
    sessions.check("u", "vnc", "ask")


def test_watchers_stay_when_the_holder_changes() -> None:
    sessions, eve = Sessions(), Told()
    sessions.add(session("1", "eve", "watch"), eve.close)
    sessions.add(session("2", "ann"), Told().close)
    sessions.add(session("3", "bob"), Told().close)
    assert eve == []


def test_only_so_many_may_watch() -> None:
    sessions = Sessions()
    for number in range(MAX_WATCHERS):
        sessions.add(session(str(number), "eve", "watch"), Told().close)
    with pytest.raises(Conflict):
        sessions.check("u", "vnc", "watch")


def test_everybody_is_told_when_the_vm_stops() -> None:
    sessions, ann, eve, other = Sessions(), Told(), Told(), Told()
    sessions.add(session("1", "ann"), ann.close)
    sessions.add(session("2", "eve", "watch", "console"), eve.close)
    sessions.add(session("3", "joe", uid="another"), other.close)
    sessions.close_all("u", 4410, "stopped")
    assert (ann, eve, other) == ([(4410, "stopped")], [(4410, "stopped")], [])


@pytest.mark.parametrize(
    ("text", "preserve", "mode"),
    [(None, False, "take"), (None, True, "ask"), ("watch", False, "watch"), ("take", True, "take")],
)
def test_modes_and_kubevirts_preserve_session(text: str | None, preserve: bool, mode: str) -> None:
    assert parse_mode(text, preserve=preserve) == mode


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(Invalid):
        parse_mode("steal", preserve=False)
