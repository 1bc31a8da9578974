"""Brings the translations up to date: extracts texts, merges them into each .po, compiles the .mo.

Run ``python -m virtdeck.web.translations_update`` after a text changed, translate what is new in the .po,
and run it again; both files are committed.
"""

import io
import sys
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from virtdeck.web.languages import FOLDER, LANGUAGES

SOURCES = Path(__file__).parents[1]
METHODS = [
    ("web/**.py", "python"),
    ("gateway/**.py", "python"),
    ("web/templates/**.html", "jinja2"),
    ("web/components/**.html", "jinja2"),
]
OPTIONS = {name: {"trimmed": "true", "silent": "false"} for name, method in METHODS if method == "jinja2"}
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "mark": None, "Text": None}
DOMAIN = "console"
SAME = datetime(2026, 1, 1, tzinfo=UTC)  # so that the same texts make the same files


def extract() -> Catalog:
    """Every text that a reader may see, with where it stands."""
    catalog = Catalog(project="virtdeck", version="1", charset="utf-8", fuzzy=False)
    found = extract_from_dir(SOURCES, METHODS, OPTIONS, keywords=KEYWORDS, comment_tags=("L10N:",))
    for name, _, message, comments, context in found:
        if "gallery" not in name:
            catalog.add(message, locations=[(name, 0)], auto_comments=comments, context=context)
    return catalog


def path(language: str, suffix: str) -> Path:
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.{suffix}"


def read(language: str) -> Catalog:
    """The language's catalogue as committed; an empty one if there is none."""
    source = path(language, "po")
    locale = language.replace("-", "_")
    if not source.exists():
        return Catalog(locale=locale, domain=DOMAIN, fuzzy=False)
    with source.open("rb") as file:
        return read_po(file, locale=locale, domain=DOMAIN)


def merged(language: str, template: Catalog) -> Catalog:
    """The language's catalogue with exactly the texts there are."""
    catalog = read(language)
    catalog.update(template, no_fuzzy_matching=True)
    catalog.obsolete.clear()
    catalog.project, catalog.version = "virtdeck", "console"
    catalog.last_translator = catalog.language_team = "virtdeck"
    catalog.msgid_bugs_address = ""
    catalog.creation_date = catalog.revision_date = SAME
    catalog.header_comment = "# The texts of virtdeck's console."
    return catalog


def po(catalog: Catalog) -> bytes:
    """The catalogue as a .po file, the same for the same texts."""
    file = io.BytesIO()
    write_po(file, catalog, width=110, sort_output=True, omit_header=False, include_lineno=False)
    lines = file.getvalue().splitlines(keepends=True)
    dated = (b'"POT-Creation-Date', b'"PO-Revision-Date', b'"Generated-By')
    return b"".join(line for line in lines if not line.startswith(dated))


def mo(catalog: Catalog) -> bytes:
    """The catalogue compiled."""
    file = io.BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def main() -> int:
    template = extract()
    missing = 0
    for language in LANGUAGES:
        if language == "en":
            continue
        catalog = merged(language, template)
        path(language, "po").parent.mkdir(parents=True, exist_ok=True)
        path(language, "po").write_bytes(po(catalog))
        path(language, "mo").write_bytes(mo(catalog))
        untranslated = [message.id for message in catalog if message.id and not all_strings(message.string)]
        missing += len(untranslated)
        for text in untranslated:
            sys.stdout.write(f"{language}: not translated: {text}\n")
    return 1 if missing else 0


def all_strings(string: object) -> bool:
    """Every plural form has a text."""
    return all(string) if isinstance(string, (list, tuple)) else bool(string)


if __name__ == "__main__":
    sys.exit(main())
