"""Asks the API server what a user may do, and whose a token is."""

import hashlib
from dataclasses import dataclass

from virtdeck.basis.clock import Clock
from virtdeck.basis.errors import Refused
from virtdeck.crds import kinds
from virtdeck.crds.codec import to_dict
from virtdeck.crds.core.access import (
    ResourceAttributes,
    SubjectAccessReview,
    SubjectAccessReviewSpec,
    TokenReview,
    TokenReviewSpec,
)
from virtdeck.gateway.auth.remembering import Remembered
from virtdeck.gateway.auth.user import User, make_user
from virtdeck.kube.client import Client

_REFUSED_SECONDS = 1.0


@dataclass(frozen=True)
class Attempt:
    """One access to a resource. subresource: whole, ``vnc/screenshot``. namespace: empty for all."""

    verb: str
    group: str
    resource: str
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    version: str = "*"

    def __str__(self) -> str:
        target = f"{self.resource}/{self.subresource}" if self.subresource else self.resource
        group = f".{self.group}" if self.group else ""
        where = f" in namespace {self.namespace}" if self.namespace else ""
        return f"{self.verb} {target}{group}{where}"


@dataclass(frozen=True)
class Verdict:
    """The API server's answer."""

    allowed: bool
    reason: str = ""


class AccessReviews:
    """Answers of SubjectAccessReviews, kept for seconds."""

    def __init__(self, client: Client, clock: Clock, seconds: float) -> None:
        self._client = client
        self._kept: Remembered[tuple[User, Attempt], Verdict] = Remembered(clock, seconds)

    async def verdict(self, user: User, attempt: Attempt) -> Verdict:
        """Whether this user may do that now. Raises: Unready when the API server does not answer."""
        known = self._kept.get((user, attempt))
        if known is not None:
            return known
        answer = await self._client.create(kinds.SUBJECT_ACCESS_REVIEW, to_dict(_review(user, attempt)))
        status = answer.status
        allowed = status is not None and status.allowed and not status.denied
        verdict = Verdict(allowed, (status and status.reason) or "")
        # Who was just given a right tries again at once.
        return self._kept.put((user, attempt), verdict, None if allowed else _REFUSED_SECONDS)

    async def require(self, user: User, attempt: Attempt) -> None:
        """The user may do that. Raises: Refused, naming what is missing."""
        verdict = await self.verdict(user, attempt)
        if not verdict.allowed:
            because = f": {verdict.reason}" if verdict.reason else ""
            raise Refused(f"{user.name} may not {attempt}{because}")


class TokenReviews:
    """Whose bearer tokens are, kept for seconds by their hash."""

    def __init__(self, client: Client, clock: Clock, seconds: float) -> None:
        self._client = client
        self._kept: Remembered[bytes, User] = Remembered(clock, seconds, most=1000)

    async def user_of(self, token: str) -> User:
        """The token's user. Raises: Refused when it is nobody's."""
        key = hashlib.sha256(token.encode()).digest()
        known = self._kept.get(key)
        if known is not None:
            return known
        review = TokenReview(spec=TokenReviewSpec(token=token))
        status = (await self._client.create(kinds.TOKEN_REVIEW, to_dict(review))).status
        if status is None or not status.authenticated or status.user is None or not status.user.username:
            raise Refused("the token is not known to the API server, or has expired", authenticated=False)
        user = status.user
        name = user.username or ""
        return self._kept.put(key, make_user(name, user.groups or (), user.uid or "", user.extra))


def _review(user: User, attempt: Attempt) -> SubjectAccessReview:
    return SubjectAccessReview(
        api_version="authorization.k8s.io/v1",
        kind="SubjectAccessReview",
        spec=SubjectAccessReviewSpec(
            user=user.name,
            groups=user.groups,
            uid=user.uid or None,
            extra=dict(user.extra) or None,
            resource_attributes=ResourceAttributes(
                verb=attempt.verb,
                group=attempt.group,
                version=attempt.version,
                resource=attempt.resource,
                subresource=attempt.subresource or None,
                namespace=attempt.namespace or None,
                name=attempt.name or None,
            ),
        ),
    )
