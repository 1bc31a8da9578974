"""Composes the public app: the console's desk, and all that is served beside its pages."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from virtdeck.basis.errors import VirtdeckError
from virtdeck.gateway.app import make_api, public_app
from virtdeck.gateway.auth.routes import auth_router
from virtdeck.gateway.console.desk import Caches, ConsoleSettings, Desk, open_desk
from virtdeck.gateway.console.routes import console_router
from virtdeck.gateway.console.visit import Visit, error_page, language_of, theme_of
from virtdeck.gateway.consoles import OpenConsoles, console_app
from virtdeck.gateway.context import Context
from virtdeck.gateway.facade.docs import docs_router
from virtdeck.gateway.facade.routes import facade_router
from virtdeck.gateway.facade.streams import stream_app
from virtdeck.serving.asgi import App, Receive, Scope, Send
from virtdeck.web.assets import Assets


@asynccontextmanager
async def open_public(context: Context, consoles: OpenConsoles) -> AsyncIterator[App]:
    """The app, whose console is current for as long as the block."""
    settings, caches = context.settings, context.caches
    assets = Assets()
    async with open_desk(
        caches=Caches(
            caches.vms,
            caches.vmis,
            caches.nodes,
            caches.events,
            caches.namespaces,
            caches.instancetypes,
        ),
        client=context.client,
        gate=context.gatekeeper,
        reviews=context.reviews,
        clock=context.clock,
        data_dir=Path(settings.data_dir),
        settings=ConsoleSettings(
            public_url=settings.origin,
            base=urlsplit(settings.origin).path,
            images_dir=Path(settings.images_dir) if settings.images_dir else None,
        ),
        assets=assets,
    ) as desk:
        api = make_api(context, lambda request, fault: _error_page(desk, request, fault))
        api.mount("/static", assets)
        for router in (
            auth_router(context, lambda request, model: _login_page(desk, request, model)),
            facade_router(context),
            docs_router(context, lambda name: desk.renderer.base + assets.path(name), api.openapi),
            console_router(desk),
        ):
            api.include_router(router)
        yield public_app(context, api, _websockets(console_app(context, consoles), stream_app(context)))


def _websockets(consoles: App, streams: App) -> App:
    """Consoles of pages, and the façade's."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        chosen = streams if scope["path"].startswith("/apis/") else consoles
        await chosen(scope, receive, send)

    return app


async def _error_page(desk: Desk, request: Request, fault: VirtdeckError) -> Response | None:
    session = desk.gate.session_of(request)
    return await error_page(Visit(request, desk, session), fault) if session is not None else None


def _login_page(desk: Desk, request: Request, model: dict[str, Any]) -> str:
    values = {"shell": None, "theme": theme_of(request), **model}
    return desk.renderer.render("login.html", language_of(request), values)
