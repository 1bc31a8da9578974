"""AdmissionReview in and out."""

import base64
import json
from typing import Any

import pytest

from virtdeck.basis.errors import Bug, Cause, Invalid
from virtdeck.gateway.webhooks.app import answered as answer_of
from virtdeck.gateway.webhooks.app import ask
from virtdeck.gateway.webhooks.review import (
    MOST_OBJECT_BYTES,
    Outcome,
    Review,
    decode_review,
    encode_outcome,
)

REQUEST: dict[str, Any] = {
    "apiVersion": "admission.k8s.io/v1",
    "kind": "AdmissionReview",
    "request": {
        "uid": "r1",
        "operation": "CREATE",
        "kind": {"group": "kubevirt.io", "version": "v1", "kind": "VirtualMachine"},
        "userInfo": {"username": "ann", "groups": ["developers"], "extra": {"scopes": ["a"]}},
        "object": {"metadata": {"name": "a"}, "spec": {"new": True}},
        "oldObject": None,
        "name": "a",
        "namespace": "ns",
        "dryRun": True,
    },
}


def review() -> Review:
    return decode_review(json.dumps(REQUEST).encode())


def answered(outcome: Outcome, patch: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    found = json.loads(encode_outcome(review(), outcome, patch or []))
    assert (found["apiVersion"], found["kind"]) == ("admission.k8s.io/v1", "AdmissionReview")
    assert found["response"]["uid"] == "r1"
    response: dict[str, Any] = found["response"]
    return response


def test_the_write_and_its_author_are_read() -> None:
    found = review()
    assert (found.user.name, found.user.groups, found.user.extra) == (
        "ann",
        ("developers",),
        (("scopes", ("a",)),),
    )
    assert (found.obj, found.old, found.dry_run) == (REQUEST["request"]["object"], None, True)


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"[]", json.dumps(REQUEST | {"kind": "Pod"}).encode(), b"[" * 100_000]
)
def test_what_is_no_review_is_refused(body: bytes) -> None:
    with pytest.raises(Invalid):
        decode_review(body)


def test_a_change_is_a_patch() -> None:
    patch = [{"op": "add", "path": "/a", "value": 1}]
    response = answered(Outcome(warnings=("old field",)), patch)
    assert response["allowed"]
    assert json.loads(base64.b64decode(response["patch"])) == patch
    assert response["warnings"] == ["old field"]


def test_no_change_is_no_patch() -> None:
    assert "patch" not in answered(Outcome())


def test_every_cause_is_in_the_details_and_the_first_ten_in_the_message() -> None:
    response = answered(Outcome(tuple(Cause(f"spec.f{i}", "is wrong") for i in range(12))))
    status = response["status"]
    assert not response["allowed"]
    assert (status["code"], status["reason"]) == (422, "Invalid")
    assert len(status["details"]["causes"]) == 12
    assert status["message"].endswith("spec.f9: is wrong, and 2 more")


def test_who_may_not_is_forbidden() -> None:
    status = answered(Outcome((Cause("", "not yours"),), forbidden=True))["status"]
    assert (status["code"], status["reason"], status["message"]) == (403, "Forbidden", "not yours")


@pytest.mark.anyio
async def test_a_rule_that_breaks_lets_nothing_through() -> None:
    def broken(_: Review) -> Outcome:
        raise KeyError("x")

    async def broken_later(_: Review) -> Outcome:
        raise KeyError("x")

    for hook in (broken, broken_later):
        with pytest.raises(Bug):
            await ask(hook, review())


def _asked(obj: str) -> Review:
    body = json.dumps(REQUEST)
    whole = json.dumps(REQUEST["request"]["object"])
    assert body.count(whole) == 1
    return decode_review(body.replace(whole, obj).encode())


def _never(_: Review) -> Outcome:
    raise AssertionError("a hook was asked about what cannot be read")


@pytest.mark.anyio
async def test_what_is_too_large_is_refused_unasked() -> None:
    response = json.loads(await answer_of(_never, _asked(json.dumps({"a": "x" * MOST_OBJECT_BYTES}))))[
        "response"
    ]
    assert (response["allowed"], response["status"]["code"]) == (False, 422)
    assert f"at most {MOST_OBJECT_BYTES}" in response["status"]["message"]


def test_what_is_nested_too_deeply_is_not_even_a_review() -> None:
    with pytest.raises(Invalid, match="recursion"):
        _asked('{"a":' * 20_000 + "1" + "}" * 20_000)


@pytest.mark.anyio
async def test_the_largest_object_is_read() -> None:
    empty = len(json.dumps({"a": ""}))
    found = _asked(json.dumps({"a": "x" * (MOST_OBJECT_BYTES - empty)}))
    assert found.unfit == ""
    assert found.obj is not None


@pytest.mark.anyio
async def test_what_can_be_read_but_not_walked_is_refused() -> None:
    def walks(_: Review) -> Outcome:
        raise RecursionError

    response = json.loads(await answer_of(walks, review()))["response"]
    assert not response["allowed"]
