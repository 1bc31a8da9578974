"""Every request is observed from its head to its end: counted, timed, marked with an id, written down."""

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from virtdeck.serving.asgi import Message, Send
from virtdeck.standalone.apiserver.requests.call import Call
from virtdeck.standalone.apiserver.telemetry.audit import Audit
from virtdeck.standalone.apiserver.telemetry.audit_entries import Ending
from virtdeck.standalone.apiserver.telemetry.requests import RequestMetrics

_STARTS = {
    "http.response.start": "status",
    "websocket.http.response.start": "status",
}
_LONGEST_ID = 64


def _nobody() -> None:
    """Who waits for nothing."""


@dataclass
class Observation:
    """One request under way. ``send`` stands before the connection's own."""

    call: Call
    lasting: bool
    onward: Send
    audit_id: str
    began: float = field(default_factory=time.monotonic)
    received: datetime = field(default_factory=lambda: datetime.now(UTC))
    code: int = 0
    reason: str = ""
    message: str = ""
    when_answered: Callable[[], None] = _nobody

    async def send(self, message: Message) -> None:
        """The message goes on, an answer's head with the request's id."""
        if name := _STARTS.get(message["type"]):
            self.code = message[name]
            self.when_answered()
            headers = [*message.get("headers", ()), (b"audit-id", self.audit_id.encode("latin-1"))]
            message = {**message, "headers": headers}
        elif message["type"] == "websocket.accept":
            self.code = 101
        await self.onward(message)


class Observer:
    """Begins and ends observations."""

    def __init__(self, audit: Audit) -> None:
        self.requests = RequestMetrics()
        self._audit = audit

    def begin(self, call: Call, *, lasting: bool) -> Observation:
        """What is sent from now on is seen."""
        given = call.headers.get("audit-id", "")
        audit_id = given[:_LONGEST_ID] if given.isascii() and given.isprintable() else ""
        seen = Observation(call, lasting, call.send, audit_id or str(uuid.uuid4()))
        call.send = seen.send
        self.requests.begin(call, lasting=lasting)
        return seen

    def end(self, seen: Observation) -> None:
        """The request has been answered, or nobody waits for an answer any more (499)."""
        code = seen.code or 499
        self.requests.end(seen.call, code, time.monotonic() - seen.began, lasting=seen.lasting)
        ending = Ending(code, seen.received, seen.reason, seen.message, seen.call.decision, seen.call.why)
        ending.body = seen.call.answer
        self._audit.record(seen.call, seen.audit_id, ending)
