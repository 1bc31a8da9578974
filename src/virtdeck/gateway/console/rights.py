"""What a person may see and do, asked of the API server and cut to what pages need."""

from collections.abc import Iterable

import anyio

from virtdeck.gateway.auth.reviews import Attempt
from virtdeck.gateway.auth.user import User
from virtdeck.gateway.console.desk import Desk, Reviews

EVERYTHING = Attempt(verb="*", group="*", resource="*")
MOST_AT_ONCE = 8


def attempt(verb: str, resource: str, subresource: str = "", namespace: str = "") -> Attempt:
    """An attempt on ``plural.group``; the core group is the empty one after no dot."""
    plural, _, group = resource.partition(".")
    return Attempt(verb=verb, group=group, resource=plural, subresource=subresource, namespace=namespace)


async def may(reviews: Reviews, user: User, wanted: Attempt) -> bool:
    """The API server would allow it; who may do everything is asked about once."""
    if (await reviews.verdict(user, EVERYTHING)).allowed:
        return True
    return (await reviews.verdict(user, wanted)).allowed


async def may_each(reviews: Reviews, user: User, wanted: Iterable[Attempt]) -> dict[Attempt, bool]:
    """The answer for each, asked side by side."""
    attempts = tuple(dict.fromkeys(wanted))
    if (await reviews.verdict(user, EVERYTHING)).allowed:
        return dict.fromkeys(attempts, True)
    answers: dict[Attempt, bool] = {}
    limit = anyio.CapacityLimiter(MOST_AT_ONCE)

    async def ask(one: Attempt) -> None:
        async with limit:
            answers[one] = (await reviews.verdict(user, one)).allowed

    async with anyio.create_task_group() as group:
        for one in attempts:
            group.start_soon(ask, one)
    return answers


async def visible_projects(
    desk: Desk, user: User, resource: str = "virtualmachines.kubevirt.io"
) -> frozenset[str] | None:
    """The namespaces in which the person may list the resource; None stands for all of them."""
    if await may(desk.reviews, user, attempt("list", resource)):
        return None
    names = [one.metadata.name or "" for one in desk.caches.namespaces.all()]
    answers = await may_each(
        desk.reviews, user, (attempt("list", resource, namespace=name) for name in names)
    )
    return frozenset(one.namespace for one, allowed in answers.items() if allowed)
