"""Moments as people read them: how long ago, with the exact time at hand."""

from collections.abc import Callable
from datetime import UTC, datetime

from markupsafe import Markup

from virtdeck.web.words import Text, mark

Say = Callable[[object], str]
STEPS = (
    (60, 1, mark("%(count)s s")),
    (3600, 60, mark("%(count)s min")),
    (86400, 3600, mark("%(count)s h")),
    (float("inf"), 86400, mark("%(count)s d")),
)
"""Below so many seconds, count in these seconds, and say it so."""


def span(seconds: float) -> Text:
    """A length of time in its one largest unit: 1 h 59 min is 1 h."""
    length = max(0, int(seconds))
    _, unit, message = next(step for step in STEPS if length < step[0])
    return Text(message, {"count": length // unit})


def moment(when: datetime | None) -> str:
    """The exact time in UTC, as in logs."""
    return when.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC") if when else ""


def ago(when: datetime | None, now: datetime, say: Say) -> Markup:
    """A time element: relative in the text, exact on hover, for scripts in ``datetime``."""
    if when is None:
        return Markup("–")
    text = say(span((now - when).total_seconds()))
    exact = when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Markup('<time datetime="{}" title="{}">{}</time>').format(exact, moment(when), text)
