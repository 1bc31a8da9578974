"""What is counted of every request, under the names that kube-apiserver's metrics have."""

from collections.abc import Iterator
from contextlib import contextmanager

from virtdeck.standalone.apiserver.requests.call import Call
from virtdeck.standalone.apiserver.telemetry.counters import Counter, Histogram
from virtdeck.standalone.apiserver.telemetry.labels import is_mutating, metric_scope, metric_verb

_PARTS = (0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8)
_SECONDS = (*_PARTS, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60)
_WHAT = ("verb", "group", "version", "resource", "subresource", "scope", "component")
_OTHER = "other"


class RequestMetrics:
    """Counts by verb and resource; what is not served counts as one, so that no client can add more."""

    def __init__(self) -> None:
        self._total = Counter(
            "apiserver_request_total", "Requests that were answered.", (*_WHAT, "dry_run", "code")
        )
        self._seconds = Histogram(
            "apiserver_request_duration_seconds", "Time to a whole answer.", (*_WHAT, "dry_run"), _SECONDS
        )
        self._inflight = Counter(
            "apiserver_current_inflight_requests", "Requests under way.", ("request_kind",), "gauge"
        )
        self._lasting = Counter("apiserver_longrunning_requests", "Streams that stand.", _WHAT, "gauge")
        self._watchers = Counter(
            "apiserver_registered_watchers", "Watches that stand.", ("group", "version", "kind"), "gauge"
        )
        self._rejected = Counter(
            "apiserver_flowcontrol_rejected_requests_total",
            "Requests that were sent away because their senders had too many.",
            ("priority_level", "flow_schema", "reason"),
        )

    def begin(self, call: Call, *, lasting: bool) -> None:
        """The request is under way."""
        if lasting:
            self._lasting.add(_what(call))
        else:
            self._inflight.add((_kind(call),))

    def end(self, call: Call, code: int, seconds: float, *, lasting: bool) -> None:
        """It has been answered with this code, or has ended."""
        what = _what(call, known=code not in (401, 403, 404))
        dry_run = "All" if call.dry_run else ""
        self._total.add((*what, dry_run, str(code)))
        if lasting:
            self._lasting.add(_what(call), -1)
        else:
            self._inflight.add((_kind(call),), -1)
            self._seconds.observe((*what, dry_run), seconds)

    @contextmanager
    def watching(self, group: str, version: str, kind: str) -> Iterator[None]:
        """One more watch stands."""
        self._watchers.add((group, version, kind))
        try:
            yield
        finally:
            self._watchers.add((group, version, kind), -1)

    def rejected(self, level: str, reason: str) -> None:
        """A request was sent away."""
        self._rejected.add((level, level, reason))

    def lines(self) -> Iterator[str]:
        for family in (
            self._total,
            self._seconds,
            self._inflight,
            self._lasting,
            self._watchers,
            self._rejected,
        ):
            yield from family.lines()


def _what(call: Call, *, known: bool = True) -> tuple[str, ...]:
    target = call.target
    if not target.is_resource:
        path = target.parts[0] if target.parts and known else ""
        return (metric_verb(call), "", "", "", path, "", "apiserver")
    if not known:
        return (metric_verb(call), "", "", _OTHER, "", metric_scope(call), "apiserver")
    return (
        metric_verb(call),
        target.group,
        target.version,
        target.plural,
        target.subresource,
        metric_scope(call),
        "apiserver",
    )


def _kind(call: Call) -> str:
    return "mutating" if is_mutating(call) else "readOnly"
