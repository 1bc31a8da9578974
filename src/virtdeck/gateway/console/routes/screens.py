"""The VNC and serial screens as windows of their own, and text typed into the guest."""

from typing import Any

import orjson
from starlette.responses import JSONResponse, Response

from virtdeck.basis.errors import Invalid, VirtdeckError
from virtdeck.gateway.console.routes import Route
from virtdeck.gateway.console.routes.power import find_machine
from virtdeck.gateway.console.views.keys import LAYOUTS, chord_of, rolled, typing
from virtdeck.gateway.console.views.machine import Machine
from virtdeck.gateway.console.visit import HEADERS, Visit, subresource_path
from virtdeck.kube.errors import error_from_reply
from virtdeck.serving.status import code_of
from virtdeck.web.words import mark

KINDS = ("vnc", "serial")
INSTANCES = "virtualmachineinstances"
MOST_TYPED = 1000  # characters a request; the page sends longer texts in pieces and shows how far it is
HOLD_MILLISECONDS = 1  # measured with an emulated guest on a busy host: 260 characters a second, none lost
SEND_SECONDS = 30.0


async def window(visit: Visit) -> Response:
    """A bare page with one screen; its title is the machine's name."""
    machine = await find_machine(visit)
    kind = visit.request.query_params.get("kind", "vnc")
    model = {
        "machine": machine,
        "kind": kind if kind in KINDS else "vnc",
        "view_only": visit.request.query_params.get("view") == "1",
        "powers": (await visit.powers_of([machine]))[machine.dom_id],
        "layouts": [(key, name) for key, (name, _) in LAYOUTS.items()],
    }
    return await visit.page("screens/window.html", "vms", model)


async def type_text(visit: Visit) -> Response:
    """Text or one chord is typed into the guest, whole or not at all; characters without a key are told."""
    form = await visit.form()
    try:
        machine = await find_machine(visit)
        if form.get("chord"):
            chord = chord_of(str(form["chord"])[:100])
            if chord is None:
                raise Invalid(mark("There is no such key."))
            chords: tuple[tuple[int, ...], ...] = (chord,)
        else:
            chords = _text_chords(str(form.get("text", "")), str(form.get("layout", "us")))
        await send_keys(visit, machine, chords)
    except VirtdeckError as fault:
        said = visit.desk.renderer.say(visit.language, fault.message)
        return JSONResponse({"problem": said}, code_of(fault), HEADERS)
    return JSONResponse({"sent": len(chords)}, 200, HEADERS)


def _text_chords(text: str, layout: str) -> tuple[tuple[int, ...], ...]:
    if len(text) > MOST_TYPED:
        raise Invalid(mark("Send at most 1000 characters at once."))
    found = typing(text, layout)
    if found.missing:
        raise Invalid(mark("This layout has no key for some of the characters."))
    return rolled(found.chords)


async def send_keys(visit: Visit, machine: Machine, chords: tuple[tuple[int, ...], ...]) -> None:
    """The chords were pressed one after another. Raises: what virt-api answers."""
    path = subresource_path(machine, INSTANCES, "sendkeys")
    body: dict[str, Any] = {"chords": chords, "holdMilliseconds": HOLD_MILLISECONDS}
    status, answer = await visit.client.request("PUT", path, body=body, deadline_seconds=SEND_SECONDS)
    if status >= 400:
        raise error_from_reply(status, answer)


async def check_text(visit: Visit) -> Response:
    """Which characters of a text cannot be typed on a layout."""
    form = await visit.form()
    found = typing(str(form.get("text", ""))[:100_000], str(form.get("layout", "us")))
    return JSONResponse({"missing": found.missing[:50], "keys": len(found.chords)}, 200, HEADERS)


async def sessions(visit: Visit) -> Response:
    """Who holds the machine's screens, as virt-handler says."""
    machine = await find_machine(visit)
    path = subresource_path(machine, INSTANCES, "sessions")
    status, answer = await visit.client.request("GET", path, deadline_seconds=5)
    try:
        items = orjson.loads(answer).get("items", []) if status == 200 else []
    except (ValueError, AttributeError):
        items = []
    return JSONResponse({"items": items, "me": visit.user.name}, 200, HEADERS)


ROUTES = (
    Route("GET", "/console/{ns}/{name}", window),
    Route("POST", "/console/{ns}/{name}/type", type_text),
    Route("POST", "/console/{ns}/{name}/check", check_text),
    Route("GET", "/console/{ns}/{name}/sessions", sessions),
)
