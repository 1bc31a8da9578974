"""YAML that somebody typed."""

import time

import pytest

from virtdeck.basis.errors import Invalid
from virtdeck.safety.yaml_text import read_documents

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)
)


def test_documents_are_read_and_empty_ones_left_out() -> None:
    assert read_documents("a: 1\n---\n---\n- b\n") == [{"a": 1}, ["b"]]


def test_values_are_those_that_json_has() -> None:
    found = read_documents("on: 2026-13-45\n2: [1.5, null, yes]\nwhen: 2026-11-30T01:02:03Z\n")
    assert found == [{"true": "2026-13-45", "2": [1.5, None, True], "when": "2026-11-30T01:02:03Z"}]


def test_alias_is_refused_at_its_line_before_it_multiplies() -> None:
    with pytest.raises(Invalid, match="line 2: aliases are not taken"):
        read_documents(BOMB)


@pytest.mark.parametrize("text", ["[" * 100_000, "a: " + "{a: " * 5000, "- " * 50_000 + "x"])
def test_depth_is_refused_and_costs_little(text: str) -> None:
    begin = time.process_time()
    with pytest.raises(Invalid, match=r"nested deeper|not YAML|line"):
        read_documents(text)
    assert time.process_time() - begin < 1


@pytest.mark.parametrize(
    "text",
    [
        "a: !!binary aGVsbG8=",
        "a: !!set {x}",
        "a: !!python/object/apply:os.system [id]",
        "a: 99999999999999999999999",
        "a: [",
        "a: \x00",
    ],
)
def test_what_no_object_can_hold_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        read_documents(text)


def test_what_is_missing_at_the_end_is_named_by_the_last_line() -> None:
    with pytest.raises(Invalid) as refused:
        read_documents("kind: VirtualMachine\nspec: [")
    assert [cause.field for cause in refused.value.causes] == ["line 2"]
