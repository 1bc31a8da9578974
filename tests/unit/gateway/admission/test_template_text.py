"""What stands for parameters, and what takes its place."""

import re

import pytest

from virtdeck.gateway.admission.kinds.template_text import filled, references, sample

_VALUES = {"N": "web", "C": "2", "S": '{"a": [1]}', "E": ""}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("${N}", "web"),
        ("${C}", "2"),
        ("a-${N}-${C}-${N}", "a-web-2-web"),
        ("${{C}}", 2),
        ("${{N}}", "web"),
        ("${{S}}", {"a": [1]}),
        ("${{E}}", ""),
        ("a-${{C}}", "a-${{C}}"),
        ("$N ${} $${N}", "$N ${} $web"),
    ],
)
def test_a_text_stands_for_values(text: str, value: object) -> None:
    assert filled(text, _VALUES) == value


def test_values_take_their_places_everywhere() -> None:
    found = filled({"${N}": [{"b": "${{C}}"}, 5, None, True]}, _VALUES)
    assert found == {"web": [{"b": 2}, 5, None, True]}


def test_places_are_found_by_their_paths() -> None:
    value = {"${K}": 1, "a": ["x", {"b": "${N}-${C}"}], "c": "${{S}}", "d": "a-${{E}}"}
    assert list(references(value)) == [
        ((), "K"),
        (("a", 1, "b"), "N"),
        (("a", 1, "b"), "C"),
        (("c",), "S"),
    ]


@pytest.mark.parametrize(
    ("pattern", "made"),
    [
        ("web", "web"),
        ("web-[a-z0-9]{8}", r"web-[a-z0-9]{8}"),
        (r"[\d]{2}", r"[1-9]\d"),
        (r"[\w]{1}[\A]{3}", r"\w[^\w]{3}|\w_{3}|\w~{3}"),
        ("[A-F0-9]{4}-[xyz]{1}", "[A-F0-9]{4}-[xyz]"),
    ],
)
def test_a_sample_is_what_could_be_made(pattern: str, made: str) -> None:
    assert re.fullmatch(made, sample(pattern))


@pytest.mark.parametrize(
    ("pattern", "why"),
    [("[a-z]{0}", "from 1 to 255"), ("[z-a]{2}", "z-a must go"), ("[--]{2}", "must have characters")],
)
def test_a_pattern_that_makes_nothing_says_why(pattern: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        sample(pattern)
