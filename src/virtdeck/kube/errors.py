"""Turns a Kubernetes Status into the error that says who must act."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from virtdeck.basis.errors import Absent, Cause, Conflict, Invalid, Refused, Unready, VirtdeckError


@dataclass(eq=False)
class Expired(Conflict):
    """The resource version asked for is no longer kept (410): list again."""


_PASSING = frozenset({"ApiServerUnreachable", "ApiServerSlow", "TooManyRequests"})


def is_passing(error: VirtdeckError) -> bool:
    """True when only the API server is away or busy: nothing is wrong with what was asked of it."""
    return isinstance(error, Unready) and error.reason in _PASSING


class _StatusCause(msgspec.Struct):
    field: str = ""
    message: str = ""
    reason: str = ""


class _StatusDetails(msgspec.Struct, rename="camel"):
    causes: list[_StatusCause] | None = None
    retry_after_seconds: float | None = None


class Status(msgspec.Struct, rename="camel"):
    """metav1.Status as far as a client needs it."""

    message: str = ""
    reason: str = ""
    code: int = 0
    details: _StatusDetails | None = None


_REASON_OF_CODE = {
    400: "BadRequest",
    401: "Unauthorized",
    403: "Forbidden",
    404: "NotFound",
    405: "MethodNotAllowed",
    406: "NotAcceptable",
    409: "Conflict",
    410: "Gone",
    413: "RequestEntityTooLarge",
    415: "UnsupportedMediaType",
    422: "Invalid",
    429: "TooManyRequests",
    500: "InternalError",
    503: "ServiceUnavailable",
    504: "Timeout",
}


def error_from_reply(code: int, body: bytes) -> VirtdeckError:
    """The error that an answer with a code of 400 or more stands for."""
    try:
        status = msgspec.json.decode(body, type=Status)
    except (msgspec.DecodeError, UnicodeDecodeError):
        status = Status(message=body[:500].decode("utf-8", "replace").strip())
    status.code = code
    return error_from_status(status)


def error_from_status(status: Status) -> VirtdeckError:
    """The error that a Status stands for; ``reason`` stays Kubernetes' own."""
    reason = status.reason or _REASON_OF_CODE.get(status.code, "")
    message = status.message or reason or f"the API server answered {status.code}"
    build = _BUILDERS.get(reason) or _BUILDERS[_REASON_OF_CODE.get(status.code, _class_of(status.code))]
    return build(message, reason, status.details or _StatusDetails())


def _class_of(code: int) -> str:
    return "BadRequest" if 400 <= code < 500 else "InternalError"


_Builder = Callable[[str, str, Any], VirtdeckError]


def _invalid(message: str, reason: str, details: _StatusDetails) -> VirtdeckError:
    causes = tuple(Cause(c.field, c.message, c.reason or "FieldValueInvalid") for c in details.causes or ())
    return Invalid(message, reason, causes=causes)


def _unready(message: str, reason: str, details: _StatusDetails) -> VirtdeckError:
    return Unready(message, reason, after_seconds=details.retry_after_seconds or 1.0)


def _refused(message: str, reason: str, _: _StatusDetails) -> VirtdeckError:
    return Refused(message, reason, authenticated=reason != "Unauthorized")


def _plain(kind: type[VirtdeckError]) -> _Builder:
    return lambda message, reason, _: kind(message, reason)


_BUILDERS: dict[str, _Builder] = {
    **dict.fromkeys(
        (
            "BadRequest",
            "Invalid",
            "MethodNotAllowed",
            "NotAcceptable",
            "UnsupportedMediaType",
            "RequestEntityTooLarge",
        ),
        _invalid,
    ),
    **dict.fromkeys(
        ("TooManyRequests", "ServiceUnavailable", "Timeout", "ServerTimeout", "InternalError"), _unready
    ),
    **dict.fromkeys(("Unauthorized", "Forbidden"), _refused),
    **dict.fromkeys(("Conflict", "AlreadyExists"), _plain(Conflict)),
    **dict.fromkeys(("Gone", "Expired"), _plain(Expired)),
    "NotFound": _plain(Absent),
}
