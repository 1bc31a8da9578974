"""Quantities, selectors and patches: an answer or the error that is theirs, and within a second."""

import json
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from tests.fuzz.mutator import bounded, cases, damaged_bytes, damaged_json

from virtdeck.basis.errors import Invalid
from virtdeck.crds.quantity import format_bytes, parse_bytes, parse_milli, parse_quantity
from virtdeck.crds.selectors import format_selector, matches, parse_selector
from virtdeck.standalone.apiserver.objects.selectors import parse_field_selector, parse_label_selector
from virtdeck.standalone.apiserver.patching.json_patch import json_patch, merge_patch
from virtdeck.standalone.apiserver.patching.strategic import strategic_merge
from virtdeck.standalone.apiserver.problems import StatusError

_QUANTITIES = (
    "1Gi",
    "100m",
    "1.5e3",
    "-0.5",
    "128Mi",
    "+3",
    "1e-9",
    ".5k",
    "12E",
    "9223372036854775807",
    "1n",
)
_SELECTORS = (
    "a=b,c!=d,e in (f,g),!h",
    "app.kubernetes.io/name in (a, b ,c),tier notin (x)",
    "x==y,!z,w",
    "a in (),b=",
    "," * 2000,
    "a in (" + "b," * 1000 + "c)",
)
_FIELDS = ("metadata.name=a", "metadata.name!=a,spec.nodeName=b", r"metadata.name=a\,b", "=,!=,==")
_POD: dict[str, Any] = {
    "metadata": {"labels": {"a": "b"}, "finalizers": ["x"]},
    "spec": {"containers": [{"name": "a", "ports": [{"containerPort": 1}]}, {"name": "b"}], "volumes": []},
}
_PATCHES: tuple[list[dict[str, Any]], ...] = (
    [{"op": "add", "path": "/metadata/labels/c~1d", "value": "e"}, {"op": "remove", "path": "/spec/volumes"}],
    [{"op": "move", "from": "/spec/containers/0", "path": "/spec/volumes/-"}],
    [
        {"op": "copy", "from": "", "path": "/spec/whole"},
        {"op": "test", "path": "/metadata/labels/a", "value": "b"},
    ],
    [{"op": "replace", "path": "/spec/containers/1/name", "value": None}],
)
_STRATEGIC: dict[str, Any] = {
    "metadata": {"labels": {"a": None, "$patch": "replace"}, "$deleteFromPrimitiveList/finalizers": ["x"]},
    "spec": {
        "containers": [
            {"name": "a", "ports": [{"containerPort": 1, "$patch": "delete"}]},
            {"$patch": "replace"},
        ],
        "$setElementOrder/containers": [{"name": "b"}, {"name": "a"}],
    },
}


def _text(chance: Any, seeds: tuple[str, ...]) -> str:
    return damaged_bytes(chance, chance.choice(seeds).encode()).decode("utf-8", "replace")


@pytest.mark.timeout(3600)
def test_quantities() -> None:
    for chance in cases(6000):
        text = _text(chance, _QUANTITIES)
        bounded(text, partial(_quantity, text), Invalid)


def _quantity(text: str) -> None:
    assert isinstance(parse_quantity(text), Decimal)
    parse_milli(text)
    size = parse_bytes(text)
    assert parse_bytes(format_bytes(size)) == size


@pytest.mark.timeout(3600)
def test_label_selectors() -> None:
    for chance in cases(2000):
        text = _text(chance, _SELECTORS)
        bounded(text, partial(parse_label_selector, text), StatusError)
        bounded(text, partial(_selector, text), Invalid)


def _selector(text: str) -> None:
    found = parse_selector(text)
    printed = format_selector(found)
    for labels in ({"a": "b"}, {}, {"e": "f", "c": "x"}):
        assert matches(parse_selector(printed), labels) == matches(found, labels)


@pytest.mark.timeout(3600)
def test_field_selectors() -> None:
    allowed = frozenset({"metadata.name", "spec.nodeName"})
    for chance in cases(2000):
        text = _text(chance, _FIELDS)
        bounded(text, partial(_field_selector, text, allowed), StatusError)


def _field_selector(text: str, allowed: frozenset[str]) -> None:
    parse_field_selector(text, allowed).matches(lambda _: "a")


@pytest.mark.timeout(3600)
def test_json_patches() -> None:
    for chance in cases(1500):
        patch = damaged_json(chance, chance.choice(_PATCHES))
        before = json.dumps(_POD)
        bounded(repr(patch), partial(json_patch, _POD, patch), StatusError)
        assert json.dumps(_POD) == before, "the target is not changed"


@pytest.mark.timeout(3600)
def test_merge_patches() -> None:
    for chance in cases(1500):
        patch = damaged_json(chance, _STRATEGIC)
        bounded(repr(patch), partial(merge_patch, _POD, patch), StatusError)


@pytest.mark.timeout(3600)
def test_strategic_merge_patches() -> None:
    for chance in cases(1500):
        patch = damaged_json(chance, _STRATEGIC)
        if isinstance(patch, dict):
            bounded(repr(patch), partial(strategic_merge, _POD, patch, "core.v1.Pod"), StatusError)


def test_a_patch_that_copies_itself_is_stopped() -> None:
    doubled = [{"op": "copy", "from": "", "path": "/again"}] * 60
    bounded("copies of copies", lambda: json_patch(_POD, doubled), StatusError)
