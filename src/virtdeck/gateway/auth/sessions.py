"""Sessions of browsers: Secrets in the installation's namespace, read through a cache.

So a restart of virt-api logs nobody out, and a logout on one replica counts on all.
"""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog

from virtdeck.basis.clock import Clock, parse_rfc3339, rfc3339
from virtdeck.basis.errors import Absent, VirtdeckError
from virtdeck.crds import kinds
from virtdeck.crds.core.config import Secret
from virtdeck.gateway.auth.user import User, user_from_dict, user_to_dict
from virtdeck.gateway.auth.vault import (
    PURPOSE_LABEL,
    ends_at,
    new_code,
    read_payload,
    secret_manifest,
    secret_name,
)
from virtdeck.kube.cache import Cache
from virtdeck.kube.client import Client

PURPOSE = "session"
_SEEN = "virtdeck.io/last-seen"
_SEEN_EVERY = timedelta(minutes=5)  # one write in five minutes of use
_LONGEST_AGENT = 120

log = structlog.get_logger()


@dataclass(frozen=True)
class Session:
    """One login. name: its Secret, which lets nobody in. csrf: what forms of this session repeat."""

    name: str
    user: User
    since: datetime
    ends: datetime
    seen: datetime
    agent: str = ""
    csrf: str = ""


@dataclass(frozen=True)
class Lifetime:
    """How long sessions last."""

    idle: timedelta
    absolute: timedelta


class Sessions:
    """All sessions; lookups never wait."""

    def __init__(self, client: Client, namespace: str, clock: Clock, lifetime: Lifetime) -> None:
        self._client = client
        self._namespace = namespace
        self._clock = clock
        self._lifetime = lifetime
        self._touched: dict[str, datetime] = {}
        self.cache: Cache[Secret] = Cache(
            kinds.SECRET, namespace=namespace, label_selector=f"{PURPOSE_LABEL}={PURPOSE}"
        )

    async def open(self, user: User, agent: str, at_most: datetime | None = None) -> tuple[str, Session]:
        """A new session and the code that is its cookie. at_most: when the login itself ends."""
        now = self._clock.now()
        ends = min(now + self._lifetime.absolute, at_most or datetime.max.replace(tzinfo=now.tzinfo))
        code = new_code()
        payload = {"user": user_to_dict(user), "since": rfc3339(now), "agent": agent[:_LONGEST_AGENT]}
        manifest = secret_manifest(PURPOSE, code, payload, ends)
        manifest["metadata"]["annotations"] = {_SEEN: rfc3339(now)}
        secret = await self._client.create(kinds.SECRET, manifest, self._namespace)
        self.cache.absorb(secret)
        log.info("session_opened", user=user.name, session=secret.metadata.name[:16])
        return code, _read(secret, code)

    def find(self, code: str) -> Session | None:
        """The session whose cookie this is, while it lasts."""
        secret = self.cache.get(self._namespace, secret_name(PURPOSE, code))
        if secret is None:
            return None
        session = _session(secret, code)
        return session if session is not None and self._lasts(session) else None

    def of(self, user: User) -> list[Session]:
        """The user's own sessions, the newest first."""
        mine = [session for session in self._all() if session.user.name == user.name and self._lasts(session)]
        return sorted(mine, key=lambda session: session.since, reverse=True)

    async def touch(self, session: Session) -> None:
        """The session was used now; written down now and then."""
        now = self._clock.now()
        written = self._touched.get(session.name, session.seen)
        if now - written < _SEEN_EVERY:
            return
        self._touched[session.name] = now
        patch = {"metadata": {"annotations": {_SEEN: rfc3339(now)}}}
        try:
            self.cache.absorb(
                await self._client.merge_patch(kinds.SECRET, session.name, self._namespace, patch)
            )
        except VirtdeckError as fault:
            log.warning("session_not_touched", reason=fault.reason, problem=fault.message)

    async def end(self, name: str) -> None:
        """The session is over, on every replica."""
        self._touched.pop(name, None)
        try:
            await self._client.delete(kinds.SECRET, name, self._namespace)
        except Absent:
            return
        log.info("session_ended", session=name[:16])

    async def sweep(self) -> None:
        """Sessions that have ended by themselves are gone."""
        for session in [session for session in self._all() if not self._lasts(session)]:
            await self.end(session.name)

    def _all(self) -> Iterator[Session]:
        for secret in self.cache.all():
            session = _session(secret, "")
            if session is not None:
                yield session

    def _lasts(self, session: Session) -> bool:
        now = self._clock.now()
        seen = max(session.seen, self._touched.get(session.name, session.seen))
        return now < session.ends and now - seen < self._lifetime.idle


def _session(secret: Secret, code: str) -> Session | None:
    """The session in this Secret; None when somebody else wrote it."""
    try:
        return _read(secret, code)
    except (ValueError, KeyError, TypeError):
        log.warning("session_unreadable", session=secret.metadata.name[:16])
        return None


def _read(secret: Secret, code: str) -> Session:
    payload: dict[str, Any] = read_payload(secret)
    since = parse_rfc3339(payload["since"])
    seen = (secret.metadata.annotations or {}).get(_SEEN)
    return Session(
        name=secret.metadata.name,
        user=user_from_dict(payload["user"]),
        since=since,
        ends=ends_at(secret),
        seen=parse_rfc3339(seen) if seen else since,
        agent=payload.get("agent", ""),
        csrf=hmac.digest(code.encode(), b"csrf", "sha256").hex() if code else "",
    )
