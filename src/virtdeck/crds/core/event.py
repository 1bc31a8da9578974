"""What happened to an object, in a sentence."""

from virtdeck.crds.core.meta_only import Plain
from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Time


class ObjectReference(Model, frozen=True, kw_only=True):
    """An object of any kind."""

    api_version: str | None = None
    kind: str | None = None
    name: str | None = None
    namespace: str | None = None
    uid: str | None = None
    resource_version: str | None = None
    field_path: str | None = None


class EventSource(Model, frozen=True, kw_only=True):
    """Who saw it happen."""

    component: str | None = None
    host: str | None = None


class EventSeries(Model, frozen=True, kw_only=True):
    """How often it happened again."""

    count: int | None = None
    last_observed_time: Time | None = None


class Event(Plain, frozen=True, kw_only=True):
    """Something that happened to ``involved_object``. type: Normal or Warning."""

    involved_object: ObjectReference = ObjectReference()
    reason: str | None = None
    message: str | None = None
    type: str | None = None
    source: EventSource | None = None
    first_timestamp: Time | None = None
    last_timestamp: Time | None = None
    count: int | None = None
    event_time: Time | None = None
    series: EventSeries | None = None
    action: str | None = None
    related: ObjectReference | None = None
    reporting_component: str | None = None
    reporting_instance: str | None = None
