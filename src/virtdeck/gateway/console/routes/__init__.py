"""The pages by place; each module answers the paths of one place and offers them as ``routes(desk)``."""

from dataclasses import dataclass

from fastapi import APIRouter

from virtdeck.gateway.console.desk import Desk
from virtdeck.gateway.console.visit import Handler, behind_login


@dataclass(frozen=True)
class Route:
    """A path, the method, and who answers."""

    method: str
    path: str
    handler: Handler


def console_router(desk: Desk) -> APIRouter:
    """All pages of the console."""
    from virtdeck.gateway.console.routes import (
        activity,
        create,
        edit,
        gallery,
        images,
        live,
        machine,
        machines,
        overview,
        power,
        screens,
        settings,
    )

    pages: list[tuple[Route, ...]] = [
        overview.ROUTES,
        create.ROUTES,
        machines.ROUTES,
        power.ROUTES,
        edit.ROUTES,
        machine.ROUTES,
        screens.ROUTES,
        images.ROUTES,
        activity.ROUTES,
        settings.ROUTES,
        live.ROUTES,
    ]
    if desk.settings.gallery:
        pages.append(gallery.ROUTES)
    router = APIRouter(include_in_schema=False)
    for routes in pages:
        for route in routes:
            router.add_route(route.path, behind_login(desk, route.handler), methods=[route.method])
    return router
