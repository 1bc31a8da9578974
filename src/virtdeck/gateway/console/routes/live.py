"""The stream of one tab: what of its page has changed."""

from starlette.responses import Response, StreamingResponse

from virtdeck.gateway.auth.origin import require_no_foreign_page
from virtdeck.gateway.console.live_pages import live_page
from virtdeck.gateway.console.routes import Route
from virtdeck.gateway.console.visit import Visit
from virtdeck.gateway.live.stream import HEADERS, stream

MOST_STREAMS = 500


async def events(visit: Visit) -> Response:
    """Messages for as long as the tab is open; asks a browser with too many to come again."""
    # A page of another port is of the same site, and the session's cookie comes with what it asks.
    require_no_foreign_page(visit.request.headers, visit.desk.gate.origin(visit.request))
    if len(visit.desk.hub) >= MOST_STREAMS:
        return Response("too many open pages\n", 503, {"Retry-After": "30"}, "text/plain")
    asked = visit.request.headers.get("last-event-id") or visit.request.query_params.get("since", "")
    since = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 16 else None
    messages = stream(visit.desk.hub, live_page(visit), since)
    return StreamingResponse(messages, 200, HEADERS, "text/event-stream")


ROUTES = (Route("GET", "/events", events),)
