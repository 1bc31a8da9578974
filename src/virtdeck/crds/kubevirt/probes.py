"""Liveness and readiness of a guest."""

from virtdeck.crds.core.handlers import ExecAction, HTTPGetAction, TCPSocketAction
from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Int32


class GuestAgentPing(Model, frozen=True, kw_only=True):
    """TBD"""


class Probe(Model, frozen=True, kw_only=True):
    """TBD"""

    exec: ExecAction | None = None
    failure_threshold: Int32 | None = None
    guest_agent_ping: GuestAgentPing | None = None
    http_get: HTTPGetAction | None = None
    initial_delay_seconds: Int32 | None = None
    period_seconds: Int32 | None = None
    success_threshold: Int32 | None = None
    tcp_socket: TCPSocketAction | None = None
    timeout_seconds: Int32 | None = None
