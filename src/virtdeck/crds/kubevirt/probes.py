"""Liveness and readiness of a guest."""

from typing import Annotated

from virtdeck.crds.core.handlers import ExecAction, HTTPGetAction, TCPSocketAction
from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Int32


class GuestAgentPing(Model, frozen=True, kw_only=True):
    """The guest agent answers."""


class Probe(Model, frozen=True, kw_only=True):
    """How virtdeck asks whether the guest is well: exactly one way."""

    exec: Annotated[
        ExecAction | None,
        doc(
            "A command in the guest, run by its agent; well when it exits with 0. Excludes the three others."
        ),
    ] = None
    failure_threshold: Annotated[
        Int32 | None, doc("Failures in a row that count as unwell; 3 when absent.")
    ] = None
    guest_agent_ping: Annotated[
        GuestAgentPing | None, doc("Well when the guest agent answers. Excludes the three others.")
    ] = None
    http_get: Annotated[
        HTTPGetAction | None,
        doc("A request to the guest; well with a code from 200 to 399. Excludes the three others."),
    ] = None
    initial_delay_seconds: Annotated[
        Int32 | None, doc("Seconds after the start before it is first asked; 0 when absent.")
    ] = None
    period_seconds: Annotated[Int32 | None, doc("Seconds between two questions; 10 when absent.")] = None
    success_threshold: Annotated[
        Int32 | None, doc("Successes in a row that count as well; 1 when absent, and 1 for a livenessProbe.")
    ] = None
    tcp_socket: Annotated[
        TCPSocketAction | None,
        doc("A connection to the guest; well when it is made. Excludes the three others."),
    ] = None
    timeout_seconds: Annotated[Int32 | None, doc("Seconds that an answer may take; 1 when absent.")] = None
