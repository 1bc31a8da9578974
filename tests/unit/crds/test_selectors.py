"""Label selectors as text and as objects."""

import pytest

from virtdeck.basis.errors import Invalid
from virtdeck.crds.selectors import (
    LabelSelector,
    LabelSelectorRequirement,
    format_selector,
    matches,
    parse_selector,
    requirements,
)

LABELS = {"app": "web", "kubevirt.io/size": "big", "empty": ""}


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("", True),
        ("app=web", True),
        ("app==web", True),
        ("app=db", False),
        ("app!=db", True),
        ("absent!=db", True),
        ("app", True),
        ("!app", False),
        ("! absent", True),
        ("app in (db, web)", True),
        ("app in (db),empty", False),
        ("app notin (db,x), kubevirt.io/size=big", True),
        ("absent in (a)", False),
        ("absent notin (a)", True),
        ("empty=", True),
    ],
)
def test_a_selector_picks_by_labels(text: str, passes: bool) -> None:
    assert matches(parse_selector(text), LABELS) is passes
    assert matches(parse_selector(format_selector(parse_selector(text))), LABELS) is passes


@pytest.mark.parametrize("text", ["a b", "!a=b", "a in b", "a in (b", "=x", "a>1", "a=b=c"])
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        parse_selector(text)


def test_objects_mean_the_same_as_text() -> None:
    selector = LabelSelector(
        match_labels={"app": "web"},
        match_expressions=(LabelSelectorRequirement(key="gone", operator="DoesNotExist"),),
    )
    assert matches(requirements(selector), LABELS)
    assert requirements(None) == ()
    assert format_selector(requirements(selector)) == "app=web,!gone"
