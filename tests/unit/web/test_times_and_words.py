"""Moments and sentences as readers see them."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.unit.web.moving_clock import MovingClock

from virtdeck.web import times
from virtdeck.web.assets import Assets
from virtdeck.web.rendering import Renderer
from virtdeck.web.words import Text

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (59, "59 s"),
        (60, "1 min"),
        (3599, "59 min"),
        (3600, "1 h"),
        (86399, "23 h"),
        (86400, "1 d"),
        (-5, "0 s"),
    ],
)
def test_a_span_is_said_in_its_largest_unit(seconds: float, text: str) -> None:
    assert str(times.span(seconds)) == text


def test_the_exact_time_is_at_hand() -> None:
    html = times.ago(NOW - timedelta(minutes=3), NOW, str)
    assert html == '<time datetime="2026-11-30T11:57:00Z" title="2026-11-30 11:57:00 UTC">3 min</time>'


def test_a_moment_that_is_not_known_is_a_dash() -> None:
    assert times.ago(None, NOW, str) == "–"
    assert times.moment(None) == ""


def test_a_sentence_is_translated_with_what_it_names() -> None:
    renderer = Renderer(Assets({}), MovingClock(NOW))
    text = Text("Type the name “%(name)s” to confirm.", {"name": "web"})
    assert renderer.say("en", text) == "Type the name “web” to confirm."
    assert renderer.say("zh-Hant", text) == "請輸入名稱「web」以確認。"


def test_links_are_made_for_the_path_that_the_console_is_served_below() -> None:
    renderer = Renderer(Assets(), MovingClock(NOW), base="/console")
    html = renderer.render("login.html", "en", {"theme": "dark", "next": "/", "problem": "", "link": ""})
    assert 'href="/console/static/' in html
    assert 'action="/console/login"' in html


def test_what_comes_from_outside_is_escaped() -> None:
    renderer = Renderer(Assets(), MovingClock(NOW))
    model = {"theme": "auto", "next": '"><script>', "problem": "<b>", "link": ""}
    html = renderer.render("login.html", "en", model)
    assert "<script>" not in html
    assert "<b>" not in html
