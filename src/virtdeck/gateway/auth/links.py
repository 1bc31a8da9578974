"""One-time login links and console tickets: what they stand for and how they are used up."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from virtdeck.basis.clock import rfc3339
from virtdeck.basis.errors import Refused
from virtdeck.gateway.auth.user import User, user_from_dict, user_to_dict
from virtdeck.gateway.auth.vault import Vault

LINK = "login-link"
TICKET = "console-ticket"
KINDS = ("vnc", "console")


@dataclass(frozen=True)
class Door:
    """What a console ticket opens: one screen or serial console of one VM. session: closed with it."""

    namespace: str
    name: str
    kind: str
    user: User
    session: str


async def make_link(vault: Vault, user: User, origin: str, seconds: float) -> dict[str, str]:
    """A link that logs ``user`` in once."""
    code, ends = await vault.put(LINK, {"user": user_to_dict(user)}, seconds)
    return {"url": f"{origin}/login?{urlencode({'link': code})}", "expiresAt": rfc3339(ends)}


async def use_link(vault: Vault, code: str) -> User:
    """Whom the link logs in; it is used up. Raises: Refused."""
    return _user(await vault.take(LINK, code))


async def make_ticket(vault: Vault, door: Door, seconds: float) -> dict[str, str]:
    """A ticket that opens ``door`` once."""
    payload: dict[str, Any] = {"user": user_to_dict(door.user), "session": door.session}
    payload["door"] = [door.namespace, door.name, door.kind]
    code, ends = await vault.put(TICKET, payload, seconds)
    return {"ticket": code, "expiresAt": rfc3339(ends)}


async def use_ticket(vault: Vault, code: str, namespace: str, name: str, kind: str) -> Door:
    """The door, if the ticket was made for it; it is used up either way. Raises: Refused."""
    payload = await vault.take(TICKET, code)
    if payload.get("door") != [namespace, name, kind]:
        raise Refused("this ticket is for another console")
    return Door(namespace, name, kind, _user(payload), payload.get("session", ""))


def _user(payload: dict[str, Any]) -> User:
    try:
        return user_from_dict(payload["user"])
    except (KeyError, TypeError) as fault:
        raise Refused("this code stands for nobody", authenticated=False) from fault
