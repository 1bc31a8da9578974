"""Events for people, the newest first."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from virtdeck.crds.core.event import Event
from virtdeck.gateway.console.views.machine import when


@dataclass(frozen=True)
class EventView:
    """An event, newest mention last."""

    key: str
    warning: bool
    reason: str
    message: str
    object: str
    url: str
    count: int
    last: datetime | None
    component: str


def last_seen(event: Event) -> datetime | None:
    """When the event was last seen, whichever field says it."""
    series = event.series.last_observed_time if event.series else None
    return when(
        series
        or event.last_timestamp
        or event.event_time
        or event.first_timestamp
        or event.metadata.creation_timestamp
    )


def event_view(event: Event) -> EventView:
    """The event for a list."""
    about = event.involved_object
    kind, name, namespace = about.kind or "", about.name or "", about.namespace or ""
    is_machine = kind in ("VirtualMachine", "VirtualMachineInstance") and namespace
    return EventView(
        key=f"{event.metadata.namespace}/{event.metadata.name}",
        warning=event.type == "Warning",
        reason=event.reason or "",
        message=event.message or "",
        object=f"{kind} {namespace + '/' if namespace else ''}{name}",
        url=f"/ns/{namespace}/vms/{name}" if is_machine else "",
        count=(event.series and event.series.count) or event.count or 1,
        last=last_seen(event),
        component=event.reporting_component or (event.source.component if event.source else "") or "",
    )


def events_of(events: Iterable[Event], limit: int = 200) -> tuple[EventView, ...]:
    """The newest events first."""
    views = [event_view(event) for event in events]
    views.sort(key=lambda view: view.last.timestamp() if view.last else 0, reverse=True)
    return tuple(views[:limit])


def about_machine(namespace: str, name: str) -> tuple[str, ...]:
    """The index keys under which a machine's events are found: of the machine, its instance and its pods."""
    return (
        f"{namespace}/VirtualMachine/{name}",
        f"{namespace}/VirtualMachineInstance/{name}",
    )
