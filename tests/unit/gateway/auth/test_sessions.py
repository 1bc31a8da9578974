"""What is stored of a session, and what a stored one lets do."""

from datetime import UTC, datetime, timedelta

import pytest

from virtdeck.crds.codec import decode
from virtdeck.crds.core.config import Secret
from virtdeck.gateway.auth.sessions import Lifetime, Sessions
from virtdeck.gateway.auth.user import make_user, user_from_dict, user_to_dict
from virtdeck.gateway.auth.vault import ends_at, new_code, read_payload, secret_manifest, secret_name
from virtdeck.kube.client import Client

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ANN = make_user("ann", ("developers",), "7", {"scopes": ("a",)})
NOBODY: Client = None  # type: ignore[assignment] # lookups ask no server


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.time = NOW

    def now(self) -> datetime:
        return self.time

    def monotonic(self) -> float:
        return self.time.timestamp()


def stored(code: str, ends: datetime = NOW + timedelta(hours=5), seen: datetime = NOW) -> Secret:
    payload = {"user": user_to_dict(ANN), "since": "2026-11-30T12:00:00Z", "agent": "Firefox"}
    manifest = secret_manifest("session", code, payload, ends)
    manifest["metadata"] |= {
        "namespace": "kubevirt",
        "uid": code[:5],
        "resourceVersion": "1",
        "annotations": {"virtdeck.io/last-seen": seen.strftime("%Y-%m-%dT%H:%M:%SZ")},
    }
    return decode(manifest, Secret)


def sessions(clock: Clock, *secrets: Secret) -> Sessions:
    found = Sessions(NOBODY, "kubevirt", clock, Lifetime(timedelta(hours=1), timedelta(hours=8)))
    for secret in secrets:
        found.cache.absorb(secret)
    return found


def test_a_stored_session_does_not_tell_its_code() -> None:
    code = new_code()
    manifest = secret_manifest("session", code, {"user": user_to_dict(ANN)}, NOW)
    assert code not in str(manifest)
    assert len(code) >= 43  # 256 bits in Base64


def test_a_code_is_good_for_one_purpose_only() -> None:
    assert secret_name("session", "x") != secret_name("login-link", "x").replace("login-link", "session")


def test_what_was_stored_is_read_again() -> None:
    secret = stored("code")
    assert user_from_dict(read_payload(secret)["user"]) == ANN
    assert ends_at(secret) == NOW + timedelta(hours=5)


def test_a_cookies_code_finds_its_session() -> None:
    found = sessions(Clock(), stored("code")).find("code")
    assert found is not None
    assert (found.user, found.agent) == (ANN, "Firefox")
    assert len(found.csrf) == 64


def test_no_other_code_finds_it() -> None:
    known = sessions(Clock(), stored("code"))
    assert known.find("other") is None
    assert known.find(secret_name("session", "code")) is None


@pytest.mark.parametrize(("after", "lasts"), [(timedelta(minutes=59), True), (timedelta(hours=1), False)])
def test_an_idle_session_ends(after: timedelta, lasts: bool) -> None:
    clock = Clock()
    known = sessions(clock, stored("code"))
    clock.time += after
    assert (known.find("code") is not None) == lasts


def test_a_busy_session_ends_too() -> None:
    clock = Clock()
    known = sessions(clock, stored("code", seen=NOW + timedelta(hours=4, minutes=50)))
    clock.time += timedelta(hours=4, minutes=59)
    assert known.find("code") is not None
    clock.time += timedelta(minutes=1)
    assert known.find("code") is None


def test_ones_own_sessions_are_listed_and_nobody_elses() -> None:
    known = sessions(Clock(), stored("a"), stored("b"))
    assert len(known.of(ANN)) == 2
    assert known.of(make_user("bob")) == []


def test_a_secret_that_somebody_else_wrote_is_no_session() -> None:
    manifest = secret_manifest("session", "code", {"user": "root"}, NOW + timedelta(hours=1))
    manifest["metadata"] |= {"namespace": "kubevirt", "uid": "1", "resourceVersion": "1"}
    assert sessions(Clock(), decode(manifest, Secret)).find("code") is None


def test_the_forms_token_is_another_than_the_cookie() -> None:
    found = sessions(Clock(), stored("code")).find("code")
    assert found is not None
    assert "code" not in found.csrf
