"""Languages: who gets which, and that nothing is left untranslated."""

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

import virtdeck.web
from virtdeck.web import translations_update as update
from virtdeck.web.languages import LANGUAGES, choose, translations, weighted

TEMPLATES = Path(virtdeck.web.__file__).parent / "templates"


@pytest.mark.parametrize(
    ("wanted", "header", "language"),
    [
        (None, "", "en"),
        (None, "zh-TW,zh;q=0.9,en;q=0.8", "zh-Hant"),
        (None, "zh-Hant-HK", "zh-Hant"),
        (None, "zh-CN,zh-Hans;q=0.9", "en"),
        (None, "fr, en;q=0.4, zh-TW;q=0.8", "zh-Hant"),
        ("en", "zh-TW", "en"),
        ("klingon", "zh-TW", "zh-Hant"),
        (None, "zh-TW;q=high, en", "en"),
    ],
)
def test_the_reader_gets_their_choice_else_the_browsers_else_english(
    wanted: str | None, header: str, language: str
) -> None:
    assert choose(wanted, header) == language


def test_a_hostile_header_is_read_in_part_only() -> None:
    assert len(weighted(",".join(["xx"] * 10_000))) == 20


@pytest.fixture(scope="module")
def template() -> Catalog:
    return update.extract()


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_every_text_is_translated_and_the_files_are_up_to_date(language: str, template: Catalog) -> None:
    catalog = update.merged(language, template)
    assert not [message.id for message in catalog if message.id and not update.all_strings(message.string)]
    assert update.path(language, "po").read_bytes() == update.po(catalog)
    assert update.path(language, "mo").read_bytes() == update.mo(catalog)


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_a_translation_keeps_every_parameter(language: str, template: Catalog) -> None:
    parameters = re.compile(r"%\(\w+\)s|\{\w+\}")
    for message in update.merged(language, template):
        if message.id and isinstance(message.id, str):
            assert sorted(parameters.findall(message.id)) == sorted(parameters.findall(str(message.string)))


def test_a_language_without_a_catalogue_speaks_english() -> None:
    assert translations("en").gettext("Stopped") == "Stopped"
    assert translations("zh-Hant").gettext("Stopped") == "已停止"


def test_no_template_has_inline_script_or_style() -> None:
    for path in TEMPLATES.rglob("*.html"):
        text = path.read_text()
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=\"|<script(?![^>]*src=)|hx-on|javascript:", text), (
            path
        )
