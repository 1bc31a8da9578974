"""/metrics: requests, objects, the store's size and the process, for Prometheus."""

import os
import resource
import time
from collections.abc import Iterator
from pathlib import Path

from virtdeck import __version__
from virtdeck.standalone.apiserver.requests.call import Reply
from virtdeck.standalone.apiserver.service import Service
from virtdeck.standalone.apiserver.telemetry.counters import head, sample
from virtdeck.standalone.apiserver.telemetry.health import version
from virtdeck.standalone.apiserver.telemetry.requests import RequestMetrics

_STARTED = time.time()


def metrics(service: Service, requests: RequestMetrics) -> Reply:
    """All families in Prometheus' text form."""
    lines = [*_build(), *requests.lines(), *_store(service), *_process(), ""]
    return Reply("\n".join(lines).encode(), content_type="text/plain; version=0.0.4; charset=utf-8")


def _build() -> Iterator[str]:
    yield from head("kubernetes_build_info", "gauge", "Which API is served, and by what.")
    told = version()
    labels = {"git_version": told["gitVersion"], "major": told["major"], "minor": told["minor"]}
    yield sample("kubernetes_build_info", {**labels, "virtdeck_version": __version__}, 1)


def _store(service: Service) -> Iterator[str]:
    yield from head("apiserver_storage_objects", "gauge", "Stored objects by resource.")
    for shelf in sorted(service.store.shelves(), key=lambda one: one.resource):
        group, _, plural = shelf.resource.partition("/")
        named = f"{plural}.{group}" if group else plural
        yield sample("apiserver_storage_objects", {"resource": named}, len(shelf.rows))
    yield from head("apiserver_storage_size_bytes", "gauge", "The store's files.")
    size = sum(_size(f"{service.settings.store}{end}") for end in ("", "-wal"))
    yield sample("apiserver_storage_size_bytes", {"storage_cluster_id": "sqlite"}, size)
    yield from head("virtdeck_store_revision", "counter", "The newest revision.")
    yield f"virtdeck_store_revision {service.store.revision}"


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def _process() -> Iterator[str]:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    pages = Path("/proc/self/statm").read_text().split()
    page = os.sysconf("SC_PAGE_SIZE")
    limit, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for name, kind, about, value in (
        ("process_cpu_seconds_total", "counter", "Time on processors.", usage.ru_utime + usage.ru_stime),
        ("process_open_fds", "gauge", "Open files.", len(list(Path("/proc/self/fd").iterdir()))),
        ("process_max_fds", "gauge", "How many files may be open.", limit),
        ("process_resident_memory_bytes", "gauge", "Memory in use.", int(pages[1]) * page),
        ("process_virtual_memory_bytes", "gauge", "Address space.", int(pages[0]) * page),
        ("process_start_time_seconds", "gauge", "When it started, since 1970.", _STARTED),
    ):
        yield from head(name, kind, about)
        yield f"{name} {value:.3f}" if isinstance(value, float) else f"{name} {value}"
