"""One line of the audit log: an audit.k8s.io/v1 Event, as kube-apiserver writes it."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import orjson

from virtdeck.standalone.apiserver.requests.answers import encode
from virtdeck.standalone.apiserver.requests.call import Call

Obj = dict[str, Any]

METADATA, REQUEST, RESPONSE = "Metadata", "Request", "RequestResponse"
LEVELS = ("None", METADATA, REQUEST, RESPONSE)
# What these say is secret: whatever the level is, their bodies are never written.
_SECRET = frozenset(
    {("", "secrets"), ("", "serviceaccounts/token"), ("authentication.k8s.io", "tokenreviews")}
)
_LONGEST_BODY_BYTES = 64 * 1024
_LONGEST_AGENT = 256


@dataclass
class Ending:
    """What is known of a request when it has ended. body: of the answer, if it was an object."""

    code: int
    received: datetime
    reason: str = ""
    message: str = ""
    decision: str = ""
    why: str = ""
    body: Any = None
    ended: datetime = field(default_factory=lambda: datetime.now(UTC))


def entry(call: Call, audit_id: str, ending: Ending, level: str) -> Obj:
    """The Event at this level, or a lower one where bodies are secret."""
    if _named(call) in _SECRET:
        level = METADATA
    made: Obj = {
        "kind": "Event",
        "apiVersion": "audit.k8s.io/v1",
        "level": level,
        "auditID": audit_id,
        "stage": "ResponseComplete",
        "requestURI": _uri(call),
        "verb": call.target.verb,
        "user": _user(call),
        "sourceIPs": [client[0]] if (client := call.scope.get("client")) else [],
        "userAgent": call.headers.get("user-agent", "")[:_LONGEST_AGENT],
        "responseStatus": _status(ending),
        "requestReceivedTimestamp": _time(ending.received),
        "stageTimestamp": _time(ending.ended),
        "annotations": _annotations(call, ending),
    }
    if call.caller is not None:
        made["impersonatedUser"] = call.user.to_dict()
    if call.target.is_resource:
        made["objectRef"] = _reference(call)
    if level in (REQUEST, RESPONSE) and call.body is not None:
        made["requestObject"] = _bounded(call.body)
    if level == RESPONSE and ending.body is not None:
        made["responseObject"] = _bounded(ending.body)
    return made


def _named(call: Call) -> tuple[str, str]:
    target = call.target
    return target.group, f"{target.plural}/{target.subresource}" if target.subresource else target.plural


def _user(call: Call) -> Obj:
    return (call.caller or call.user).to_dict()


def _uri(call: Call) -> str:
    query = call.scope.get("query_string", b"").decode("latin-1")
    return f"{call.target.path}?{query}" if query else call.target.path


def _reference(call: Call) -> Obj:
    target = call.target
    found = {
        "resource": target.plural,
        "namespace": target.namespace,
        "name": target.name,
        "apiGroup": target.group,
        "apiVersion": target.version,
        "subresource": target.subresource,
    }
    return {name: value for name, value in found.items() if value}


def _status(ending: Ending) -> Obj:
    found: Obj = {"metadata": {}, "code": ending.code}
    if ending.code >= 400:
        found |= {"status": "Failure", "message": ending.message, "reason": ending.reason}
    return found


def _annotations(call: Call, ending: Ending) -> Obj:
    """What the authorizer decided and why, and what admission noted."""
    decided = {"authorization.k8s.io/decision": ending.decision, "authorization.k8s.io/reason": ending.why}
    return {**call.annotations, **(decided if ending.decision else {})}


def _time(when: datetime) -> str:
    return when.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _bounded(value: Any) -> Any:
    """The body as JSON data; one that is too large is named by its size alone."""
    data = encode(value)
    if len(data) > _LONGEST_BODY_BYTES:
        return {"omitted": f"{len(data)} bytes"}
    return orjson.Fragment(data)
