"""Every Status that a server sends becomes the error that says who must act."""

import msgspec
import pytest

from virtdeck.basis.errors import Absent, Cause, Conflict, Invalid, Refused, Unready, VirtdeckError
from virtdeck.kube.errors import Expired, error_from_reply


@pytest.mark.parametrize(
    ("code", "reason", "kind"),
    [
        (400, "BadRequest", Invalid),
        (401, "Unauthorized", Refused),
        (403, "Forbidden", Refused),
        (404, "NotFound", Absent),
        (405, "MethodNotAllowed", Invalid),
        (409, "AlreadyExists", Conflict),
        (409, "Conflict", Conflict),
        (410, "Expired", Expired),
        (410, "Gone", Expired),
        (413, "RequestEntityTooLarge", Invalid),
        (415, "UnsupportedMediaType", Invalid),
        (422, "Invalid", Invalid),
        (429, "TooManyRequests", Unready),
        (500, "InternalError", Unready),
        (503, "ServiceUnavailable", Unready),
        (504, "Timeout", Unready),
    ],
)
def test_each_reason_becomes_the_error_of_whoever_must_act(
    code: int, reason: str, kind: type[VirtdeckError]
) -> None:
    error = error_from_reply(code, msgspec.json.encode({"reason": reason, "message": "no", "code": code}))
    assert type(error) is kind
    assert error.reason == reason
    assert str(error) == "no"


def test_causes_keep_their_field_paths() -> None:
    body = {
        "reason": "Invalid",
        "message": "bad",
        "details": {"causes": [{"field": "spec.a", "message": "must be 1", "reason": "FieldValueRequired"}]},
    }
    error = error_from_reply(422, msgspec.json.encode(body))
    assert isinstance(error, Invalid)
    assert error.causes == (Cause("spec.a", "must be 1", "FieldValueRequired"),)


def test_retry_after_is_carried() -> None:
    body = {"reason": "TooManyRequests", "details": {"retryAfterSeconds": 7}}
    error = error_from_reply(429, msgspec.json.encode(body))
    assert isinstance(error, Unready)
    assert error.after_seconds == 7


@pytest.mark.parametrize(("code", "kind"), [(404, Absent), (502, Unready), (418, Invalid), (410, Expired)])
def test_an_answer_without_a_status_is_judged_by_its_code(code: int, kind: type[VirtdeckError]) -> None:
    error = error_from_reply(code, b"<html>proxy error</html>")
    assert type(error) is kind
    assert "proxy error" in str(error)


def test_an_unauthorized_caller_is_told_from_a_forbidden_one() -> None:
    assert not error_from_reply(401, b"{}").authenticated  # type: ignore[attr-defined]
    assert error_from_reply(403, b"{}").authenticated  # type: ignore[attr-defined]
