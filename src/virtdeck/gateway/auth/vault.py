"""Secrets that hold what a random code stands for, stored under the code's hash.

Whoever reads them learns no code, and taking one is a delete that succeeds once, whatever replica does it.
"""

import base64
import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any

import orjson
import structlog

from virtdeck.basis.clock import Clock, parse_rfc3339, rfc3339
from virtdeck.basis.errors import Absent, Conflict, Refused
from virtdeck.crds import kinds
from virtdeck.crds.core.config import Secret
from virtdeck.kube.client import Client

PURPOSE_LABEL = "virtdeck.io/purpose"
_SECRET_TYPE = "virtdeck.io/code"  # noqa: S105 (a type's name)
_CODE_BYTES = 32

log = structlog.get_logger()


def new_code() -> str:
    """256 random bits, fit for URLs."""
    return secrets.token_urlsafe(_CODE_BYTES)


def secret_name(purpose: str, code: str) -> str:
    """The Secret that this code stands for."""
    return f"{purpose}-{hashlib.sha256(f'{purpose}:{code}'.encode()).hexdigest()}"


def secret_manifest(purpose: str, code: str, payload: dict[str, Any], ends: datetime) -> dict[str, Any]:
    """The Secret to create."""
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": secret_name(purpose, code), "labels": {PURPOSE_LABEL: purpose}},
        "type": _SECRET_TYPE,
        "data": {"payload": _base64(orjson.dumps(payload)), "ends": _base64(rfc3339(ends).encode())},
    }


def read_payload(secret: Secret) -> dict[str, Any]:
    """What was stored. Raises: ValueError, KeyError when somebody else wrote this Secret."""
    found = orjson.loads(base64.b64decode((secret.data or {})["payload"]))
    if not isinstance(found, dict):
        raise ValueError("not an object")
    return found


def ends_at(secret: Secret) -> datetime:
    """When it stops to count. Raises: ValueError, KeyError when somebody else wrote this Secret."""
    return parse_rfc3339(base64.b64decode((secret.data or {})["ends"]).decode())


class Vault:
    """One-time codes in the installation's namespace."""

    def __init__(self, client: Client, namespace: str, clock: Clock) -> None:
        self._client = client
        self._namespace = namespace
        self._clock = clock

    async def put(self, purpose: str, payload: dict[str, Any], seconds: float) -> tuple[str, datetime]:
        """A new code for the payload, and when it ends."""
        code = new_code()
        ends = self._clock.now() + timedelta(seconds=seconds)
        await self._client.create(
            kinds.SECRET, secret_manifest(purpose, code, payload, ends), self._namespace
        )
        return code, ends

    async def take(self, purpose: str, code: str) -> dict[str, Any]:
        """What the code stood for; it is used up. Raises: Refused when it is unknown, used or too old."""
        name = secret_name(purpose, code)
        refusal = Refused("this code is unknown, was used already or has expired", authenticated=False)
        try:
            secret = await self._client.require(kinds.SECRET, name, self._namespace)
            await self._client.delete(kinds.SECRET, name, self._namespace, uid=secret.metadata.uid)
        except (Absent, Conflict) as fault:
            raise refusal from fault
        try:
            payload, ends = read_payload(secret), ends_at(secret)
        except (ValueError, KeyError) as fault:
            raise refusal from fault
        if self._clock.now() >= ends:
            raise refusal
        return payload

    async def sweep(self, purpose: str) -> int:
        """Codes of this purpose that have ended are gone; returns how many."""
        swept = 0
        listing = await self._client.list(
            kinds.SECRET, self._namespace, label_selector=f"{PURPOSE_LABEL}={purpose}"
        )
        for secret in listing:
            if _ended(secret, self._clock.now()):
                swept += 1
                try:
                    await self._client.delete(
                        kinds.SECRET, secret.metadata.name, self._namespace, uid=secret.metadata.uid
                    )
                except (Absent, Conflict):
                    continue
        return swept


def _ended(secret: Secret, now: datetime) -> bool:
    try:
        return ends_at(secret) <= now
    except (ValueError, KeyError):
        return False  # not ours: left alone


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
