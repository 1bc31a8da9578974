"""Liveness and readiness of a guest."""

from typing import Annotated

from virtdeck.crds.core.handlers import ExecAction, HTTPGetAction, TCPSocketAction
from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Int32


class GuestAgentPing(Model, frozen=True, kw_only=True):
    """The guest agent answers."""


class Probe(Model, frozen=True, kw_only=True):
    """How virtdeck asks whether the guest is well: exactly one way."""

    exec: Annotated[ExecAction | None, doc("A command in the guest, by its agent.")] = None
    failure_threshold: Annotated[
        Int32 | None, doc("Failures in a row that count as unwell; 3 when absent.")
    ] = None
    guest_agent_ping: Annotated[GuestAgentPing | None, doc("The guest agent answers.")] = None
    http_get: Annotated[HTTPGetAction | None, doc("A request to the guest.")] = None
    initial_delay_seconds: Annotated[Int32 | None, doc("Time after the start before it is first asked.")] = (
        None
    )
    period_seconds: Annotated[Int32 | None, doc("Time between questions; 10 when absent.")] = None
    success_threshold: Annotated[
        Int32 | None, doc("Successes in a row that count as well; 1 when absent.")
    ] = None
    tcp_socket: Annotated[TCPSocketAction | None, doc("A connection to the guest.")] = None
    timeout_seconds: Annotated[Int32 | None, doc("How long an answer may take; 1 when absent.")] = None
