"""The options of a write: what they may be, and what a body that gives a field twice is told."""

import pytest
from tests.contract.apiserver.running import JSON, Api
from tests.contract.apiserver.test_apply import APPLY


@pytest.mark.parametrize(
    ("query", "field", "text"),
    [
        ("dryRun=Some", "dryRun", 'Unsupported value: []string{"Some"}: supported values: "All"'),
        (
            "fieldValidation=Odd",
            "fieldValidation",
            'Unsupported value: "Odd": supported values: "", "Ignore", "Strict", "Warn"',
        ),
        ("fieldManager=" + "x" * 129, "fieldManager", "Too long: may not be more than 128 bytes"),
        ("fieldManager=a%07", "fieldManager", "invalid character U+0007 (at position 1)"),
    ],
)
def test_option_that_cannot_be_is_refused_by_name(
    api: Api, configmaps: str, query: str, field: str, text: str
) -> None:
    answer = api.post(f"{configmaps}?{query}", {"metadata": {"name": "m"}})
    assert (answer.code, answer.body["reason"]) == (422, "Invalid")
    assert (answer.body["details"]["kind"], answer.body["details"]["group"]) == (
        "CreateOptions",
        "meta.k8s.io",
    )
    assert answer.body["details"]["causes"][0]["field"] == field
    assert text in answer.body["message"]


def test_force_is_for_apply_alone(api: Api, configmaps: str) -> None:
    api.made(configmaps, {"metadata": {"name": "m"}})
    answer = api.patch(f"{configmaps}/m?force=true", {"data": {"k": "1"}})
    assert answer.code == 422
    assert "force: Forbidden: may not be specified for non-apply patch" in answer.body["message"]
    unnamed = api.patch(f"{configmaps}/m", {"apiVersion": "v1", "kind": "ConfigMap"}, APPLY)
    assert (unnamed.code, unnamed.body["details"]["kind"]) == (422, "PatchOptions")


def test_field_given_twice_is_told_or_refused(api: Api, configmaps: str) -> None:
    body = b'{"metadata": {"name": "m"}, "data": {"a": "1", "b": "x\\": y", "a": "2"}}'
    warned = api.call("POST", configmaps, body)
    assert (warned.code, warned.body["data"]["a"]) == (201, "2")
    assert warned.warnings == ['299 - "duplicate field \\"data.a\\""']
    strict = api.call("PUT", f"{configmaps}/m?fieldValidation=Strict", body)
    assert strict.code == 400
    assert 'strict decoding error: duplicate field "data.a"' in strict.body["message"]
    assert api.call("PUT", f"{configmaps}/m?fieldValidation=Ignore", body).warnings == []


def test_texts_that_look_like_keys_are_no_duplicates(api: Api, configmaps: str) -> None:
    body = {"metadata": {"name": "m"}, "data": {"a": '{"b": 1, "b": 2}', "c": "\\"}}
    answer = api.call("POST", configmaps, body, {"Content-Type": JSON})
    assert (answer.code, answer.warnings) == (201, [])


def test_request_has_the_time_that_it_asks_for(api: Api, configmaps: str) -> None:
    assert api.get(f"{configmaps}?timeout=5s").code == 200
    assert api.get(f"{configmaps}?timeout=0").code == 200
    odd = api.get(f"{configmaps}?timeout=soon")
    assert (odd.code, odd.body["message"]) == (
        400,
        'invalid timeout specified in the request URL - time: invalid duration "soon"',
    )
    late = api.post(f"{configmaps}?timeout=1ns", {"metadata": {"name": "late"}})
    assert (late.code, late.body["reason"]) == (504, "Timeout")
