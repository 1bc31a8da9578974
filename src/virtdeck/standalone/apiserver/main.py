"""Puts the API server together; the only place that constructs things."""

import argparse
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
import structlog

from virtdeck.basis.clock import SystemClock
from virtdeck.basis.errors import Invalid, VirtdeckError
from virtdeck.basis.logging import configure_logging
from virtdeck.basis.notify import notify_ready
from virtdeck.basis.settings import load_settings
from virtdeck.serving.limits import Limits
from virtdeck.serving.process import run
from virtdeck.serving.server import Server
from virtdeck.serving.tls import Tls
from virtdeck.standalone.apiserver.access.rbac import Authorizer
from virtdeck.standalone.apiserver.access.tokens import Tokens
from virtdeck.standalone.apiserver.admission.chain import AdmissionChain
from virtdeck.standalone.apiserver.admission.ledger import Ledger
from virtdeck.standalone.apiserver.admission.limit_ranges import LimitRanges
from virtdeck.standalone.apiserver.admission.matching import Matcher
from virtdeck.standalone.apiserver.admission.policies import Policies
from virtdeck.standalone.apiserver.admission.quotas import Quotas
from virtdeck.standalone.apiserver.admission.webhooks import Webhooks
from virtdeck.standalone.apiserver.aggregation.upstream import Upstreams
from virtdeck.standalone.apiserver.app import App, is_stream
from virtdeck.standalone.apiserver.background.runner import run_background
from virtdeck.standalone.apiserver.bootstrap import ensure_defaults
from virtdeck.standalone.apiserver.conversion.conversions import Conversions
from virtdeck.standalone.apiserver.requests.bodies import MAX_BODY_BYTES
from virtdeck.standalone.apiserver.resources.registry import Registry
from virtdeck.standalone.apiserver.resources.tracking import track
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.settings import Settings
from virtdeck.standalone.apiserver.storage.store import Store, Window
from virtdeck.standalone.apiserver.telemetry.audit import Audit, AuditPolicy
from virtdeck.standalone.apiserver.telemetry.audit_entries import LEVELS
from virtdeck.standalone.apiserver.verbs.deletion import Deleter
from virtdeck.standalone.apiserver.verbs.pipeline import Pipeline

log = structlog.get_logger()

_WATCHES_AND_REQUESTS = 4096  # connections; each watch holds one


@dataclass(frozen=True)
class Parts:
    """A server that is put together and not listening yet."""

    service: Service
    app: App


def compose(settings: Settings, store: Store, audit: Audit) -> Parts:
    """The server's parts around an open store."""
    clock = SystemClock()
    registry = Registry()
    track(store, registry)
    upstreams = Upstreams(settings)
    authorizer = Authorizer(store)
    matcher, ledger = Matcher(store, registry), Ledger(store)
    conversions = Conversions(upstreams)
    admission = AdmissionChain(
        store=store,
        authorizer=authorizer,
        limit_ranges=LimitRanges(store),
        policies=Policies(store, registry, matcher, authorizer, conversions),
        webhooks=Webhooks(store, upstreams, matcher, authorizer, conversions),
        quotas=Quotas(store, ledger),
    )
    pipeline = Pipeline(store, admission, clock, conversions)
    service = Service(
        settings=settings,
        clock=clock,
        store=store,
        registry=registry,
        pipeline=pipeline,
        deleter=Deleter(store, pipeline, admission, clock),
        authorizer=authorizer,
        tokens=Tokens(settings.service_account_key, store),
        ledger=ledger,
        conversions=conversions,
        upstreams=upstreams,
    )
    return Parts(service, App(service, audit))


def audit_policy(settings: Settings) -> AuditPolicy:
    """What is written down. Raises: Invalid for a level that there is not."""
    if settings.audit_level not in LEVELS:
        raise Invalid(f"audit_level is {settings.audit_level!r}; there are {', '.join(LEVELS)}")
    return AuditPolicy(
        settings.audit_level, settings.audit_reads, settings.audit_file_bytes, settings.audit_backups
    )


@asynccontextmanager
async def open_server(settings: Settings) -> AsyncIterator[Server]:
    """The server listens and its background work goes on, until the context ends."""
    store = Store(settings.store, Window(settings.watch_window_events, settings.watch_window_bytes))
    audit = Audit(settings.audit_log, audit_policy(settings))
    try:
        parts = compose(settings, store, audit)
        await ensure_defaults(parts.service.pipeline, parts.service.registry, settings)
        tls = Tls(settings.tls_cert, settings.tls_key, settings.client_ca)
        limits = Limits(body=MAX_BODY_BYTES, connections=_WATCHES_AND_REQUESTS)
        async with anyio.create_task_group() as group:
            group.start_soon(run_background, parts.service)
            async with Server(parts.app, settings.bind, tls, limits=limits, untimed=is_stream) as server:
                yield server
            group.cancel_scope.cancel()
        parts.service.upstreams.client.close()
    finally:
        audit.close()
        store.close()


def main() -> None:
    """The process: until SIGTERM."""
    parser = argparse.ArgumentParser(prog="virtdeck.standalone.apiserver")
    parser.add_argument("--config", required=True)
    settings = load_settings(Settings, parser.parse_args().config)
    configure_logging("apiserver", settings.verbosity)

    async def serve() -> None:
        async with open_server(settings) as server:
            log.info("serving_started", url=server.url)
            notify_ready()
            await anyio.sleep_forever()

    failed = False
    try:
        run(serve)
    except* VirtdeckError as faults:
        failed = True
        log.error("serving_failed", message="; ".join(_sentences(faults)))
    if failed:
        sys.exit(1)


def _sentences(faults: BaseExceptionGroup[VirtdeckError]) -> Iterator[str]:
    for fault in faults.exceptions:
        if isinstance(fault, BaseExceptionGroup):
            yield from _sentences(fault)
        else:
            yield str(fault)
