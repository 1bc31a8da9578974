"""The one mapping of errors to HTTP codes and Kubernetes Status objects."""

import math
from typing import Any, Final

import orjson

from virtdeck.basis.errors import (
    Absent,
    Bug,
    Conflict,
    HostFault,
    Invalid,
    Lost,
    Refused,
    Unready,
    VirtdeckError,
)

# Kubernetes' metav1.StatusReason and the code that belongs to each.
REASON_CODES: Final = {
    "BadRequest": 400,
    "Unauthorized": 401,
    "Forbidden": 403,
    "NotFound": 404,
    "MethodNotAllowed": 405,
    "NotAcceptable": 406,
    "RequestTimeout": 408,
    "Conflict": 409,
    "AlreadyExists": 409,
    "Gone": 410,
    "Expired": 410,
    "RequestEntityTooLarge": 413,
    "UnsupportedMediaType": 415,
    "Invalid": 422,
    "TooManyRequests": 429,
    "InternalError": 500,
    "NotImplemented": 501,
    "ServiceUnavailable": 503,
    "Timeout": 504,
    "StorageExhausted": 507,
}
_CLASS_CODES: Final = (
    (Absent, 404),
    (Conflict, 409),
    (Unready, 503),
    (Lost, 503),
    (HostFault, 500),
    (Bug, 500),
)
# For codes that no Kubernetes reason names.
_CODE_REASONS: Final = {414: "BadRequest", 431: "BadRequest"} | {
    code: reason for reason, code in REASON_CODES.items() if reason not in ("AlreadyExists", "Expired")
}


def code_of(error: VirtdeckError) -> int:
    """The HTTP status: by the reason if Kubernetes knows it, else by who must act."""
    named = REASON_CODES.get(error.reason)
    if named and error.reason != type(error).__name__:
        return named
    if isinstance(error, Invalid):
        return 422 if error.causes else 400
    if isinstance(error, Refused):
        return 403 if error.authenticated else 401
    return next(code for kind, code in _CLASS_CODES if isinstance(error, kind))


def status_of(error: VirtdeckError, details: dict[str, Any] | None = None) -> dict[str, Any]:
    """The Status object that tells a client what went wrong and, by its causes, where.

    details: what the caller knows of ``metav1.StatusDetails`` (name, group, kind, uid).
    """
    code = code_of(error)
    named = error.reason if error.reason != type(error).__name__ else ""
    message = error.message if not isinstance(error, Bug) else "an internal error occurred; the log has it"
    return status(code, message, reason=named, details=dict(details or {}) | _details(error))


def status(
    code: int, message: str, *, reason: str = "", details: dict[str, Any] | None = None
) -> dict[str, Any]:
    """A metav1.Status of failure, or of success below 400."""
    answer: dict[str, Any] = {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure" if code >= 400 else "Success",
        "message": message,
        "code": code,
    }
    if code >= 400:
        answer["reason"] = reason or _CODE_REASONS.get(code, "InternalError")
    if details:
        answer["details"] = details
    return answer


def encode_status(answer: dict[str, Any]) -> bytes:
    """The Status as JSON."""
    return orjson.dumps(answer)


def retry_after_header(answer: dict[str, Any]) -> list[tuple[bytes, bytes]]:
    """``Retry-After`` if the Status says when to come again, else nothing."""
    seconds = answer.get("details", {}).get("retryAfterSeconds")
    return [(b"retry-after", str(seconds).encode())] if seconds else []


def _details(error: VirtdeckError) -> dict[str, Any]:
    match error:
        case Invalid() if error.causes:
            causes = [{"reason": c.reason, "message": c.message, "field": c.field} for c in error.causes]
            return {"causes": causes}
        case Unready():
            return {"retryAfterSeconds": max(1, math.ceil(error.after_seconds))}
    return {}
