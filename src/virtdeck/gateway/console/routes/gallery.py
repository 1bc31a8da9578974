"""Every component in every state, for whoever works on them; served only when a setting says so."""

from starlette.responses import Response

from virtdeck.gateway.console.routes import Route
from virtdeck.gateway.console.views.state import STATES
from virtdeck.gateway.console.visit import Visit

PAGES = (
    "buttons",
    "status",
    "cards",
    "notices",
    "fields",
    "tables",
    "tabs",
    "menus",
    "code",
    "progress",
    "dialogs",
    "empty",
)


async def gallery(visit: Visit) -> Response:
    page = visit.request.path_params.get("page", PAGES[0])
    model = {"pages": PAGES, "current": page if page in PAGES else PAGES[0], "states": tuple(STATES.values())}
    return await visit.page("gallery.html", "", model)


ROUTES = (
    Route("GET", "/gallery", gallery),
    Route("GET", "/gallery/{page}", gallery),
)
