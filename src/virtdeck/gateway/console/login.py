"""The page that logs in, for ``auth.routes``."""

from typing import Any

from starlette.requests import Request

from virtdeck.gateway.console.visit import language_of, theme_of
from virtdeck.web.rendering import Renderer


class LoginPage:
    """Renders the login page in the visitor's language."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    def __call__(self, request: Request, model: dict[str, Any]) -> str:
        """The page for ``{next, problem, link}``: link is a one-time code that the button will use up."""
        language = language_of(request)
        return self._renderer.render("login.html", language, {"theme": theme_of(request), **model})
