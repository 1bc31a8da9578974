"""Who leads, and until when; also a node's heartbeat."""

from virtdeck.crds.core.meta_only import Plain
from virtdeck.crds.model import Model


class LeaseSpec(Model, frozen=True, kw_only=True):
    """Times carry microseconds: ``2026-01-31T12:00:00.000000Z``."""

    holder_identity: str | None = None
    lease_duration_seconds: int | None = None
    acquire_time: str | None = None
    renew_time: str | None = None
    lease_transitions: int | None = None


class Lease(Plain, frozen=True, kw_only=True):
    """A lock with a time limit."""

    spec: LeaseSpec | None = None
