"""Turns a template and what it is handed into HTML in the reader's language."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from virtdeck import __version__
from virtdeck.basis.clock import Clock
from virtdeck.web import times
from virtdeck.web.assets import Assets
from virtdeck.web.languages import LANGUAGES, translations
from virtdeck.web.words import Text

HERE = Path(__file__).parent
COMPONENTS = HERE / "components"


class Renderer:
    """Templates of all languages, compiled when first used.

    base: the path that the console is served below, without a slash at its end.
    """

    def __init__(self, assets: Assets, clock: Clock, base: str = "") -> None:
        self.assets = assets
        self.clock = clock
        self.base = base
        self._environments: dict[str, Environment] = {}

    def render(self, template: str, language: str, model: dict[str, Any]) -> str:
        """The page as HTML."""
        return self.template(template, language).render(model)

    def block(self, template: str, block: str, language: str, model: dict[str, Any]) -> str:
        """One block of the page as HTML: what a live update needs of it."""
        found = self.template(template, language)
        return "".join(found.blocks[block](found.new_context(model)))

    def template(self, name: str, language: str) -> Template:
        return self.environment(language).get_template(name)

    def say(self, language: str, text: object) -> str:
        """A marked text or Text in the language."""
        catalogue = translations(language)
        if isinstance(text, Text):
            values = {name: self.say(language, value) for name, value in text.values.items()}
            return catalogue.gettext(text.message) % values if values else catalogue.gettext(text.message)
        return catalogue.gettext(text) if isinstance(text, str) and text else str(text)

    def environment(self, language: str) -> Environment:
        if language not in self._environments:
            self._environments[language] = self._make(language)
        return self._environments[language]

    def _make(self, language: str) -> Environment:
        environment = Environment(
            loader=FileSystemLoader([HERE / "templates", HERE]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            extensions=["jinja2.ext.i18n"],
        )
        environment.install_gettext_translations(translations(language), newstyle=True)  # type: ignore[attr-defined]
        environment.filters["say"] = partial(self.say, language)
        environment.filters["ago"] = self._ago(language)
        environment.filters["moment"] = times.moment
        environment.globals.update(
            url=self.url,
            asset=lambda name: self.base + self.assets.path(name),
            language=language,
            languages=LANGUAGES,
            version=__version__,
        )
        environment.globals["ui"] = components(environment)
        return environment

    def url(self, path: str) -> str:
        """The path as a browser asks for it."""
        return self.base + path

    def _ago(self, language: str) -> Callable[[datetime | None], Markup]:
        def ago(moment: datetime | None) -> Markup:
            return times.ago(moment, self.clock.now(), partial(self.say, language))

        return ago


def components(environment: Environment) -> SimpleNamespace:
    """Every macro of components/ by its name: ``ui.button(…)``."""
    found: dict[str, Any] = {}
    for path in sorted(COMPONENTS.glob("*.html")):
        module = environment.get_template(f"components/{path.name}").module
        found |= {name: value for name, value in vars(module).items() if not name.startswith("_")}
    return SimpleNamespace(**found)
