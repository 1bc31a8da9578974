"""The one mapping of errors to HTTP."""

import inspect

import pytest

from virtdeck.basis import errors
from virtdeck.basis.errors import (
    Absent,
    Bug,
    Cause,
    Conflict,
    HostFault,
    Invalid,
    Lost,
    Refused,
    Unready,
    VirtdeckError,
)
from virtdeck.serving.status import code_of, status, status_of

KINDS = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, VirtdeckError) and kind is not VirtdeckError
]


@pytest.mark.parametrize("kind", KINDS)
def test_no_error_is_unmapped(kind: type[VirtdeckError]) -> None:
    assert 400 <= code_of(kind("words")) < 600


@pytest.mark.parametrize(
    ("error", "code", "reason"),
    [
        (Invalid("x"), 400, "BadRequest"),
        (Invalid("x", causes=(Cause("spec", "is wrong"),)), 422, "Invalid"),
        (Refused("x"), 403, "Forbidden"),
        (Refused("x", authenticated=False), 401, "Unauthorized"),
        (Absent("x"), 404, "NotFound"),
        (Conflict("x"), 409, "Conflict"),
        (Conflict("x", reason="AlreadyExists"), 409, "AlreadyExists"),
        (Conflict("x", reason="Expired"), 410, "Expired"),
        (Conflict("x", reason="TooManyWatchers"), 409, "TooManyWatchers"),
        (Unready("x"), 503, "ServiceUnavailable"),
        (Unready("x", reason="Timeout"), 504, "Timeout"),
        (HostFault("x"), 500, "InternalError"),
        (Lost("x"), 503, "ServiceUnavailable"),
        (Bug("x"), 500, "InternalError"),
        (VirtdeckError("x", reason="RequestEntityTooLarge"), 413, "RequestEntityTooLarge"),
        (VirtdeckError("x", reason="NotImplemented"), 501, "NotImplemented"),
        (Invalid("x", reason="UnsupportedMediaType"), 415, "UnsupportedMediaType"),
    ],
)
def test_each_error_has_its_code_and_kubernetes_reason(error: VirtdeckError, code: int, reason: str) -> None:
    answer = status_of(error)
    assert (answer["code"], answer["reason"], answer["status"]) == (code, reason, "Failure")


def test_all_causes_are_named_with_their_fields() -> None:
    causes = (Cause("spec.a", "is missing", "FieldValueRequired"), Cause("spec.b", "is wrong"))
    details = status_of(Invalid("two faults", causes=causes), {"name": "vm"})["details"]
    assert details["name"] == "vm"
    assert details["causes"] == [
        {"reason": "FieldValueRequired", "message": "is missing", "field": "spec.a"},
        {"reason": "FieldValueInvalid", "message": "is wrong", "field": "spec.b"},
    ]


def test_who_should_come_later_is_told_when_in_whole_seconds() -> None:
    assert status_of(Unready("x", after_seconds=1.2))["details"]["retryAfterSeconds"] == 2


def test_what_broke_inside_is_not_told_to_a_client() -> None:
    assert "secret path" not in status_of(Bug("secret path"))["message"]


def test_success_has_no_reason() -> None:
    assert "reason" not in status(200, "fine")
