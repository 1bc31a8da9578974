"""What a person may do, for pages that disable what would be refused."""

from collections.abc import Callable, Iterable

import anyio

from virtdeck.gateway.auth.reviews import AccessReviews, Attempt
from virtdeck.gateway.auth.user import User

_AT_ONCE = 16  # questions to the API server


def attempt_of(verb: str, plural: str, namespace: str | None = None, subresource: str = "") -> Attempt:
    """The access that ``virtualmachines.kubevirt.io`` or ``pods`` and a verb name."""
    resource, _, group = plural.partition(".")
    return Attempt(verb, group, resource, subresource, namespace or "")


class Rights:
    """Answers for one user at a time; all of them come from access reviews."""

    def __init__(self, reviews: AccessReviews, namespaces: Callable[[], Iterable[str]]) -> None:
        self._reviews = reviews
        self._namespaces = namespaces

    async def can(
        self, user: User, verb: str, plural: str, namespace: str | None = None, subresource: str = ""
    ) -> bool:
        """The API server would let the user do that."""
        verdict = await self._reviews.verdict(user, attempt_of(verb, plural, namespace, subresource))
        return verdict.allowed

    async def visible_namespaces(
        self, user: User, plural: str = "virtualmachines.kubevirt.io"
    ) -> frozenset[str]:
        """The namespaces whose objects of this kind the user may list."""
        everywhere = frozenset(self._namespaces())
        if await self.can(user, "list", plural):
            return everywhere
        allowed: set[str] = set()
        limiter = anyio.CapacityLimiter(_AT_ONCE)

        async def ask(namespace: str) -> None:
            async with limiter:
                if await self.can(user, "list", plural, namespace):
                    allowed.add(namespace)

        async with anyio.create_task_group() as group:
            for namespace in everywhere:
                group.start_soon(ask, namespace)
        return frozenset(allowed)
