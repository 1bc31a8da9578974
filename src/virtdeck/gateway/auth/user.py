"""Somebody whom the API server knows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from virtdeck.kube.client import Client

AUTHENTICATED = "system:authenticated"


@dataclass(frozen=True)
class User:
    """Name, groups and extra fields as an authenticator gave them."""

    name: str
    groups: tuple[str, ...] = ()
    uid: str = ""
    extra: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def __str__(self) -> str:
        return self.name


def make_user(
    name: str, groups: Iterable[str] = (), uid: str = "", extra: Mapping[str, Iterable[str]] | None = None
) -> User:
    """The user, extra fields in one order."""
    pairs = sorted((key, tuple(values)) for key, values in (extra or {}).items())
    return User(name, tuple(groups), uid, tuple(pairs))


def authenticated(user: User) -> User:
    """The user as a member of everybody who is known, as the API server makes them."""
    if AUTHENTICATED in user.groups:
        return user
    return User(user.name, (*user.groups, AUTHENTICATED), user.uid, user.extra)


def client_as(client: Client, user: User) -> Client:
    """The API as this user sees it, by impersonation."""
    return client.as_user(user.name, user.groups, dict(user.extra))


def user_to_dict(user: User) -> dict[str, Any]:
    """The user as plain values, for storing."""
    return {
        "name": user.name,
        "groups": list(user.groups),
        "uid": user.uid,
        "extra": {key: list(values) for key, values in user.extra},
    }


def user_from_dict(stored: Mapping[str, Any]) -> User:
    """The user that was stored. Raises: KeyError, TypeError when it is no user."""
    return make_user(stored["name"], stored["groups"], stored["uid"], stored["extra"])
