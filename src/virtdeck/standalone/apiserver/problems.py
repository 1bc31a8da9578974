"""Errors as this server's clients must see them: each is a Kubernetes Status with its reason and code."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from virtdeck.basis.errors import Cause, VirtdeckError


@dataclass(eq=False)
class StatusError(VirtdeckError):
    """An answer other than success. ``details`` as in metav1.StatusDetails; None where there are none."""

    code: int = 500
    details: dict[str, Any] | None = None
    headers: tuple[tuple[str, str], ...] = ()


def status_of(fault: StatusError) -> dict[str, Any]:
    """The metav1.Status object of an error."""
    status: dict[str, Any] = {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": fault.message,
    }
    if fault.reason != type(fault).__name__:  # what an error without one has
        status["reason"] = fault.reason
    if fault.details is not None:
        status["details"] = fault.details
    status["code"] = fault.code
    return status


def qualified(plural: str, group: str) -> str:
    """A resource as messages name it: ``pods``, ``virtualmachines.kubevirt.io``."""
    return f"{plural}.{group}" if group else plural


def _details(name: str, group: str, kind: str) -> dict[str, Any]:
    given = {"name": name, "group": group, "kind": kind}
    return {key: value for key, value in given.items() if value}


def not_found(plural: str, group: str, name: str) -> StatusError:
    message = f'{qualified(plural, group)} "{name}" not found'
    return StatusError(message, "NotFound", 404, _details(name, group, plural))


def no_such_path() -> StatusError:
    return StatusError("the server could not find the requested resource", "NotFound", 404, {})


def already_exists(plural: str, group: str, name: str) -> StatusError:
    message = f'{qualified(plural, group)} "{name}" already exists'
    return StatusError(message, "AlreadyExists", 409, _details(name, group, plural))


MODIFIED = "the object has been modified; please apply your changes to the latest version and try again"


def conflict(plural: str, group: str, name: str, why: str = MODIFIED) -> StatusError:
    message = f'Operation cannot be fulfilled on {qualified(plural, group)} "{name}": {why}'
    return StatusError(message, "Conflict", 409, _details(name, group, plural))


def invalid(kind: str, group: str, name: str, causes: Sequence[Cause]) -> StatusError:
    """422 that names every field; the message lists them all as Kubernetes does."""
    texts = [f"{cause.field}: {cause.message}" for cause in causes]
    shown = texts[0] if len(texts) == 1 else "[" + ", ".join(texts) + "]"
    details = _details(name, group, kind)
    details["causes"] = [
        {"reason": cause.reason, "message": cause.message, "field": cause.field} for cause in causes
    ]
    message = f'{qualified(kind, group)} "{name}" is invalid: {shown}'
    return StatusError(message, "Invalid", 422, details)


def bad_request(message: str) -> StatusError:
    return StatusError(message, "BadRequest", 400)


def forbidden(
    plural: str, group: str, name: str, why: str, causes: Sequence[dict[str, str]] = ()
) -> StatusError:
    """403. causes: as in metav1.StatusDetails."""
    named = f' "{name}"' if name else ""
    message = f"{qualified(plural, group)}{named} is forbidden: {why}"
    return StatusError(message, "Forbidden", 403, _details(name, group, plural) | _caused(causes))


def _caused(causes: Sequence[dict[str, str]]) -> dict[str, Any]:
    return {"causes": list(causes)} if causes else {}


def unauthorized() -> StatusError:
    return StatusError("Unauthorized", "Unauthorized", 401)


def method_not_allowed() -> StatusError:
    text = "the server does not allow this method on the requested resource"
    return StatusError(text, "MethodNotAllowed", 405, {})


def expired(message: str) -> StatusError:
    return StatusError(message, "Expired", 410)


def too_old(asked: int, oldest: int) -> StatusError:
    return expired(f"too old resource version: {asked} ({oldest})")


def too_large_body(limit: int) -> StatusError:
    return StatusError(f"Request entity too large: limit is {limit}", "RequestEntityTooLarge", 413)


def unsupported_media_type(accepted: Sequence[str]) -> StatusError:
    named = ", ".join(accepted)
    return StatusError(
        f"the body of the request was in an unknown format - accepted media types include: {named}",
        "UnsupportedMediaType",
        415,
    )


def not_acceptable(accepted: Sequence[str]) -> StatusError:
    named = ", ".join(accepted)
    return StatusError(
        f"only the following media types are accepted: {named}",
        "NotAcceptable",
        406,
    )


def internal(message: str) -> StatusError:
    text = f"Internal error occurred: {message}"
    return StatusError(text, "InternalError", 500, {"causes": [{"message": message}]})


def unavailable(message: str, after_seconds: int = 1) -> StatusError:
    return StatusError(
        message,
        "ServiceUnavailable",
        503,
        {"retryAfterSeconds": after_seconds},
        (("Retry-After", str(after_seconds)),),
    )


def too_many_requests(
    message: str, after_seconds: int = 1, causes: Sequence[dict[str, str]] = ()
) -> StatusError:
    return StatusError(
        message,
        "TooManyRequests",
        429,
        {"retryAfterSeconds": after_seconds} | _caused(causes),
        (("Retry-After", str(after_seconds)),),
    )


def timed_out(message: str) -> StatusError:
    return StatusError(message, "Timeout", 504)
