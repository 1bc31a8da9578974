"""The person's own choices: language, theme; and what this installation is."""

from starlette.responses import Response

from virtdeck.gateway.auth.origin import safe_next
from virtdeck.gateway.console.routes import Route
from virtdeck.gateway.console.visit import LANGUAGE_COOKIE, THEME_COOKIE, THEMES, Visit
from virtdeck.web.languages import LANGUAGES

KEEP_SECONDS = 365 * 24 * 3600


async def settings(visit: Visit) -> Response:
    model = {"public_url": visit.desk.settings.public_url, "groups": visit.user.groups}
    return await visit.page("settings.html", "settings", model)


async def save(visit: Visit) -> Response:
    """The choices are kept in this browser for a year."""
    form = await visit.form()
    answer = visit.go(safe_next(str(form.get("back", "")) or None, "/settings"))
    for cookie, value, known in (
        (LANGUAGE_COOKIE, form.get("language"), LANGUAGES),
        (THEME_COOKIE, form.get("theme"), THEMES),
    ):
        if value in known:
            answer.set_cookie(cookie, str(value), max_age=KEEP_SECONDS, samesite="lax", httponly=True)
    return answer


ROUTES = (
    Route("GET", "/settings", settings),
    Route("POST", "/settings", save),
)
