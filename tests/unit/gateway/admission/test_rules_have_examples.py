"""Every rule is broken by one example and kept by another, and no rule of KubeVirt is forgotten."""

import re
from collections import Counter
from copy import deepcopy
from typing import Any

import pytest
from tests.unit.gateway.admission.examples import DEFAULT_EXAMPLES, EXAMPLES
from tests.unit.gateway.admission.examples.awaited import AWAITED

from virtdeck.gateway.admission.absent import ABSENT
from virtdeck.gateway.admission.default import Default
from virtdeck.gateway.admission.rule import Rule, Rules
from virtdeck.gateway.admission.table import FILE, render
from virtdeck.gateway.admission.tables import DEFAULTS, RULES

_KNOWN = {f"D{number}" for number in range(1, 43)} | {f"V{number}" for number in range(1, 443)}
_RULES = [(name, rule, area) for area in RULES for rule in area for name in rule.ids]
_DEFAULTS = [(name, default) for area in DEFAULTS for default in area for name in default.ids]
# A rule of KubeVirt with several checks is several rules here: V258a, V258b.
_NAMES = [name for name, *_ in _RULES] + [name for name, _ in _DEFAULTS]
_LISTED = {re.sub(r"(?<=\d)[a-z]$", "", name) for name in _NAMES}


@pytest.mark.parametrize(("name", "rule", "area"), _RULES, ids=[name for name, *_ in _RULES])
def test_a_rule_is_broken_by_its_example_alone(name: str, rule: Rule[Any], area: Rules[Any]) -> None:
    example = EXAMPLES[name]
    for subject in example.all_breaks():
        broken = {other.ids for other in area if any(other.find(subject))}
        assert broken - {ids for ids in broken if set(ids) & set(example.beside)} == {rule.ids}
        causes = [rule.cause(place) for place in rule.find(subject)]
        assert all(cause.message and "{" not in cause.field for cause in causes)
    first = rule.cause(next(iter(rule.find(example.all_breaks()[0]))))
    assert example.field in (None, first.field)


@pytest.mark.parametrize(("name", "rule", "area"), _RULES, ids=[name for name, *_ in _RULES])
def test_a_rule_is_kept_by_its_other_example(name: str, rule: Rule[Any], area: Rules[Any]) -> None:
    assert not any(any(rule.find(subject)) for subject in EXAMPLES[name].all_keeps())


@pytest.mark.parametrize(("name", "default"), _DEFAULTS, ids=[name for name, _ in _DEFAULTS])
def test_a_default_fills_in_what_is_missing(name: str, default: Default[Any]) -> None:
    example = DEFAULT_EXAMPLES[name]
    draft = deepcopy(example.fills)
    default.fill(draft)
    assert example.found(draft) == example.value
    once = deepcopy(draft)
    default.fill(draft)
    assert draft == once


@pytest.mark.parametrize(("name", "default"), _DEFAULTS, ids=[name for name, _ in _DEFAULTS])
def test_a_default_leaves_what_is_there(name: str, default: Default[Any]) -> None:
    for untouched in DEFAULT_EXAMPLES[name].leaves:
        draft = deepcopy(untouched)
        default.fill(draft)
        assert draft == untouched


def test_every_id_is_listed_once_or_absent_for_a_reason() -> None:
    assert sorted(_KNOWN - _LISTED - set(ABSENT) - AWAITED) == []
    assert sorted((_LISTED & set(ABSENT)) | (_LISTED & AWAITED)) == [], "take it out of awaited.py"


def test_a_name_means_one_rule() -> None:
    assert [name for name, times in Counter(_NAMES).items() if times > 1] == []


def test_no_example_is_of_nothing() -> None:
    assert sorted((set(EXAMPLES) | set(DEFAULT_EXAMPLES)) - set(_NAMES)) == []


def test_every_rule_says_when() -> None:
    assert [rule.ids for _, rule, _ in _RULES if not rule.when] == []
    assert [default.ids for _, default in _DEFAULTS if not default.when] == []


def test_the_table_is_written_from_what_runs() -> None:
    assert FILE.read_text() == render(), "python -m virtdeck.gateway.admission.table"
