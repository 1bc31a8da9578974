"""Whatever the API server lets through comes back as it went in."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.crds.from_schema import from_schema

from virtdeck.basis.errors import Invalid
from virtdeck.crds import codec, kinds
from virtdeck.crds.kinds import CUSTOM, Kind
from virtdeck.crds.manifests import openapi_schema
from virtdeck.crds.quantity import format_bytes, parse_bytes, parse_quantity
from virtdeck.crds.selectors import format_selector, matches, parse_selector

_TRIES = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("kind", CUSTOM, ids=lambda kind: kind.kind)
def test_an_object_survives(kind: Kind[Any]) -> None:
    schema = openapi_schema(kind)
    schema["properties"].pop("metadata")

    @_TRIES
    @given(from_schema(schema))
    def survives(obj: dict[str, Any]) -> None:
        assert codec.to_dict(codec.decode(obj, kind.type)) == obj
        assert json.loads(codec.encode(codec.decode(json.dumps(obj), kind.type))) == obj

    survives()


@_TRIES
@given(st.binary(max_size=40) | st.text(max_size=40))
def test_bytes_are_an_object_or_refused(source: bytes | str) -> None:
    with suppress(Invalid):
        codec.decode(source, kinds.VMI.type)


@given(st.integers(0, 2**62))
def test_bytes_are_printed_so_that_they_can_be_read_again(amount: int) -> None:
    assert parse_bytes(format_bytes(amount)) == amount


@given(st.text(max_size=12) | st.floats() | st.integers())
def test_an_amount_is_read_or_refused(text: str | float) -> None:
    with suppress(Invalid):
        assert parse_quantity(text).is_finite()


_WORD = st.from_regex(r"[a-z]([a-z.-]{0,4}[a-z])?", fullmatch=True)
_TEST = st.one_of(
    _WORD,
    _WORD.map("!{}".format),
    st.tuples(_WORD, st.sampled_from(["=", "==", "!="]), _WORD).map("".join),
    st.tuples(_WORD, st.sampled_from(["in", "notin"]), st.lists(_WORD, min_size=1, max_size=3)).map(
        lambda found: f"{found[0]} {found[1]} ({','.join(found[2])})"
    ),
)


@given(st.lists(_TEST, max_size=3), st.dictionaries(_WORD, _WORD, max_size=3))
def test_a_selector_means_the_same_after_printing(tests: list[str], labels: dict[str, str]) -> None:
    selector = parse_selector(",".join(tests))
    assert matches(parse_selector(format_selector(selector)), labels) == matches(selector, labels)
