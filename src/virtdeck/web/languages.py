"""The languages that the console speaks, and which of them a reader gets."""

import gettext
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "translations"
LANGUAGES = {"en": "English", "zh-Hant": "繁體中文"}
"""Tag as HTML's lang attribute has it → its own name."""


def match(tag: str) -> str | None:
    """The language of ours that serves a reader of ``tag`` (BCP 47), if any."""
    plain = tag.strip().lower()
    if plain.startswith("zh") and not plain.startswith(("zh-hans", "zh-cn", "zh-sg")):
        return "zh-Hant"
    return "en" if plain.split("-")[0] == "en" else None


def weighted(header: str) -> list[str]:
    """The tags of an Accept-Language header, the most wanted first; what is malformed counts nothing."""
    found: list[tuple[float, int, str]] = []
    for place, part in enumerate(header.split(",")[:20]):
        tag, _, weight = part.partition(";q=")
        try:
            found.append((-float(weight or 1), place, tag))
        except ValueError:
            continue
    return [tag for _, _, tag in sorted(found)]


def choose(wanted: str | None, accept_language: str) -> str:
    """The reader's own choice if we have it, else the browser's, else English."""
    if wanted in LANGUAGES:
        return wanted
    for tag in weighted(accept_language):
        found = match(tag)
        if found:
            return found
    return "en"


@cache
def translations(language: str) -> gettext.NullTranslations:
    """The catalogue of the language; English is the source and needs none."""
    path = FOLDER / language / "LC_MESSAGES" / "console.mo"
    if language == "en" or not path.exists():
        return gettext.NullTranslations()
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)
