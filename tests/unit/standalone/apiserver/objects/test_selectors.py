"""Label and field selectors."""

import pytest

from virtdeck.standalone.apiserver.objects.selectors import (
    parse_field_selector,
    parse_label_selector,
    read_field,
    selector_from_object,
)
from virtdeck.standalone.apiserver.problems import StatusError

LABELS = {"app": "web", "tier": "1"}


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("", True),
        ("app=web", True),
        ("app==db", False),
        ("app!=db", True),
        ("none!=x", True),
        ("app in (web,db)", True),
        ("app notin (web)", False),
        ("none notin (x)", True),
        ("app", True),
        ("!app", False),
        ("tier>0", True),
        ("tier<1", False),
        ("app=web,tier=2", False),
        (" app = web , tier ", True),
        ("example.com/x", False),
    ],
)
def test_text_selector(text: str, matches: bool) -> None:
    assert parse_label_selector(text).matches(LABELS) is matches


@pytest.mark.parametrize("text", ["=x", "a b", "a in", "a in (x", "a=x=y", "()", "a=b!c"])
def test_bad_text_is_a_bad_request(text: str) -> None:
    with pytest.raises(StatusError) as caught:
        parse_label_selector(text)
    assert caught.value.code == 400


def test_object_selector_needs_all_of_it() -> None:
    expressions = [
        {"key": "tier", "operator": "NotIn", "values": ["2"]},
        {"key": "x", "operator": "DoesNotExist"},
    ]
    selector = selector_from_object({"matchLabels": {"app": "web"}, "matchExpressions": expressions})
    assert selector.matches(LABELS)
    assert not selector.matches({**LABELS, "x": "1"})
    assert selector_from_object(None).matches({})


def test_field_selector_compares_and_unescapes() -> None:
    allowed = frozenset({"a.b", "c"})
    selector = parse_field_selector(r"a.b=x\,y,c!=true", allowed)
    obj = {"a": {"b": "x,y"}, "c": False}
    assert selector.matches(lambda path: read_field(obj, path))
    assert not selector.matches(lambda path: read_field({**obj, "c": True}, path))
    with pytest.raises(StatusError, match="field label not supported: d"):
        parse_field_selector("d=1", allowed)
