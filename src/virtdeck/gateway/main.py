"""Composes virt-api: the only place that constructs its parts."""

import argparse
import ssl
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path

import anyio
import structlog

from virtdeck.basis.clock import Clock, SystemClock
from virtdeck.basis.errors import Invalid, VirtdeckError
from virtdeck.basis.logging import configure_logging
from virtdeck.basis.notify import notify_ready
from virtdeck.basis.settings import load_settings
from virtdeck.crds.core.config import ConfigMap
from virtdeck.gateway.auth.front_proxy import FrontProxies
from virtdeck.gateway.auth.links import LINK, TICKET
from virtdeck.gateway.auth.reviews import AccessReviews, TokenReviews
from virtdeck.gateway.auth.session import Gatekeeper
from virtdeck.gateway.auth.sessions import Lifetime, Sessions
from virtdeck.gateway.auth.vault import Vault
from virtdeck.gateway.caches import make_caches
from virtdeck.gateway.consoles import OpenConsoles
from virtdeck.gateway.context import Context
from virtdeck.gateway.handlers import open_handlers
from virtdeck.gateway.instancetypes import Instancetypes
from virtdeck.gateway.internal import Trust, internal_app
from virtdeck.gateway.public import open_public
from virtdeck.gateway.settings import GatewaySettings
from virtdeck.gateway.webhooks.app import webhook_app
from virtdeck.gateway.webhooks.hooks import make_hooks
from virtdeck.gateway.webhooks.review import MOST_REVIEW_BYTES
from virtdeck.kube.client import Client, open_client
from virtdeck.kube.kubeconfig import load_access
from virtdeck.serving.asgi import App, Scope
from virtdeck.serving.limits import Limits
from virtdeck.serving.process import run
from virtdeck.serving.server import Server
from virtdeck.serving.tls import Name, Tls, authority_names, client_context

log = structlog.get_logger()

_SWEEP_SECONDS = 600.0  # codes and sessions that ended are swept; until then they only take room


def main() -> None:
    """The process."""
    parser = argparse.ArgumentParser(prog="virtdeck.gateway")
    parser.add_argument("--config", required=True, type=Path)
    settings = load_settings(GatewaySettings, parser.parse_args().config)
    configure_logging("virt-api", settings.verbosity)
    # FastAPI asks of each type whether it is one of pydantic's first generation, and loads all of that to
    # know: 1.5 MB. None is; where that cannot be loaded, FastAPI takes it so.
    sys.modules["pydantic.v1"] = None  # type: ignore[assignment]
    run(lambda: serve(settings))


async def serve(settings: GatewaySettings) -> None:
    """Serves until cancelled. Raises: Invalid, HostFault when the settings cannot be used."""
    clock = SystemClock()
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(open_client(load_access(settings.kubeconfig), "virt-api"))
        group = await stack.enter_async_context(anyio.create_task_group())
        stack.callback(group.cancel_scope.cancel)
        context = await stack.enter_async_context(open_context(settings, clock, client))
        context.caches.start(group, client)
        group.start_soon(context.sessions.cache.run, client)
        group.start_soon(_sweep, context)
        consoles = OpenConsoles()
        stack.enter_context(context.sessions.cache.listening(consoles.session_changed))
        internal = await stack.enter_async_context(_internal_server(context))
        public_app = await stack.enter_async_context(open_public(context, consoles))
        public = await stack.enter_async_context(_public_server(settings, public_app))
        log.info("listening", internal=internal.url, public=public.url)
        await context.caches.wait_synced()
        await context.sessions.cache.wait_synced()
        notify_ready()
        await anyio.sleep_forever()


@asynccontextmanager
async def open_context(settings: GatewaySettings, clock: Clock, client: Client) -> AsyncIterator[Context]:
    """All that endpoints are handed, for as long as the block."""
    caches = make_caches()
    lifetime = Lifetime(
        idle=timedelta(seconds=settings.session_idle_seconds),
        absolute=timedelta(seconds=settings.session_seconds),
    )
    sessions = Sessions(client, settings.namespace, clock, lifetime)
    tokens = TokenReviews(client, clock, settings.review_seconds)
    tls = client_context(settings.component_ca, settings.handler_cert, settings.handler_key)
    async with open_handlers(lambda name: caches.nodes.get(None, name), tls) as handlers:
        yield Context(
            settings=settings,
            clock=clock,
            client=client,
            caches=caches,
            reviews=AccessReviews(client, clock, settings.review_seconds),
            tokens=tokens,
            sessions=sessions,
            vault=Vault(client, settings.namespace, clock),
            gatekeeper=Gatekeeper(settings, sessions, tokens),
            handlers=handlers,
            instancetypes=Instancetypes(client, caches.instancetypes),
        )


@asynccontextmanager
async def _internal_server(context: Context) -> AsyncIterator[Server]:
    settings = context.settings
    cluster_ca = _read(settings.cluster_ca) if settings.cluster_ca else ""
    components = _authorities(settings.component_ca, _read(settings.component_ca))
    administrators = _authorities(settings.cluster_ca or "", cluster_ca) if cluster_ca else frozenset()
    if components & administrators:
        raise Invalid("component_ca and cluster_ca have the same name; certificates could not be told apart")
    proxies = FrontProxies(administrators | components)
    webhooks = webhook_app(make_hooks(context), components if settings.webhook_certificates else None)
    app = internal_app(context, Trust(administrators, components, proxies.require), webhooks)
    tls = Tls(settings.tls_cert, settings.tls_key, settings.component_ca)
    async with Server(app, settings.bind, tls, limits=Limits(body=MOST_REVIEW_BYTES)) as server:
        if cluster_ca:
            server.trust(cluster_ca)
        published = context.caches.front_proxy
        with published.listening(lambda change: _learn(proxies, server, change.new)):
            for found in published.all():  # what was listed before anybody listened
                _learn(proxies, server, found)
            yield server


def _learn(proxies: FrontProxies, server: Server, published: ConfigMap | None) -> None:
    """The front proxy's certificates are trusted as soon as they are published."""
    proxies.learn(published)
    if proxies.current is not None:
        server.trust(proxies.current.ca)


def _public_server(settings: GatewaySettings, app: App) -> Server:
    tls = None
    if settings.listen_tls_cert and settings.listen_tls_key:
        tls = Tls(settings.listen_tls_cert, settings.listen_tls_key)
    return Server(app, settings.listen, tls, untimed=is_stream, plain_anywhere=settings.behind_proxy)


def is_stream(scope: Scope) -> bool:
    """An event stream or a watch: it ends when it ends."""
    return scope["path"] == "/events" or b"watch=" in scope.get("query_string", b"")


async def _sweep(context: Context) -> None:
    """Codes and sessions that have ended are removed now and then."""
    while True:
        await anyio.sleep(_SWEEP_SECONDS)
        try:
            await context.vault.sweep(LINK)
            await context.vault.sweep(TICKET)
            await context.sessions.sweep()
        except VirtdeckError as fault:
            log.warning("sweep_interrupted", reason=fault.reason, problem=fault.message)


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError as fault:
        raise Invalid(f"{path} cannot be read: {fault.strerror}") from fault


def _authorities(path: str, pem: str) -> frozenset[Name]:
    try:
        return authority_names(pem)
    except ssl.SSLError as fault:
        raise Invalid(f"{path} holds no certificates: {fault}") from fault
