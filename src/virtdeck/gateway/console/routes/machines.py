"""The list of machines, and what is done to several at once."""

import csv
import io
from typing import Any

from starlette.responses import Response

from virtdeck.basis.errors import Invalid
from virtdeck.gateway.console.routes import Route
from virtdeck.gateway.console.routes.power import perform
from virtdeck.gateway.console.views.listing import Page, Query, counts, fits, order, select
from virtdeck.gateway.console.views.machine import Machine
from virtdeck.gateway.console.views.powers import ACTS
from virtdeck.gateway.console.visit import Visit
from virtdeck.kube.objects import Key
from virtdeck.web.words import mark

BULK_ACTS = ("start", "stop", "restart")
MOST_AT_ONCE = 100


async def seen(visit: Visit) -> list[Machine]:
    """Every machine that the person may list."""
    visible = await visit.projects()
    return [one for one in visit.desk.roster.all() if visible is None or one.namespace in visible]


async def list_model(visit: Visit, query: Query) -> dict[str, Any]:
    """What the list shows."""
    machines = await seen(visit)
    page: Page = select(machines, query)
    in_project = [one for one in machines if query.ns in ("", one.namespace)]
    return {
        "query": query,
        "page": page,
        "counts": counts(in_project),
        "powers": await visit.powers_of(page.machines),
        "any": bool(in_project),
        "can_see": (await visit.projects()) != frozenset(),
    }


async def machine_list(visit: Visit) -> Response:
    query = Query.parse(visit.request.query_params)
    model = await list_model(visit, query)
    if visit.htmx and visit.request.headers.get("hx-target", "").endswith("#list"):
        return visit.part("vms/list.html", "list", model)
    live = "page=vms&" + query.url(page=query.page).partition("?")[2]
    return await visit.page("vms/list.html", "vms", model, live=live)


async def machine_csv(visit: Visit) -> Response:
    """The whole filtered list for a spreadsheet."""
    query = Query.parse(visit.request.query_params)
    fitting = order(list(filter(fits(query), await seen(visit))), query.sort, 1 << 30)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(("namespace", "name", "status", "node", "addresses", "vcpus", "memory_bytes", "created"))
    for one in fitting:
        texts = map(_harmless, (one.namespace, one.name, one.state.key, one.node, " ".join(one.addresses)))
        created = one.created.isoformat() if one.created else ""
        writer.writerow((*texts, one.vcpus, one.memory, created))
    return Response(
        text.getvalue(), 200, {"Content-Disposition": 'attachment; filename="vms.csv"'}, "text/csv"
    )


def _harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t") else text


async def bulk(visit: Visit) -> Response:
    """The chosen machines are acted on, after what disturbs them was confirmed by name."""
    form = await visit.form()
    act = ACTS.get(str(form.get("act", "")))
    keys = [Key(*text.split("/", 1)) for text in form["lists"].get("item", []) if text.count("/") == 1]
    if act is None or act.key not in BULK_ACTS:
        raise Invalid(mark("Choose what to do."))
    if not keys:
        return visit.go("/vms?nothing=chosen")
    if len(keys) > MOST_AT_ONCE:
        raise Invalid(mark("Choose at most 100 machines at once."))
    machines = [one for one in await seen(visit) if Key(one.namespace, one.name) in set(keys)]
    powers = await visit.powers_of(machines)
    able = [one for one in machines if powers[one.dom_id][act.key].allowed]
    unable = [(one, powers[one.dom_id][act.key].why_not) for one in machines if one not in able]
    if act.risk != "none" and not form.get("sure"):
        model = {"act": act, "able": able, "unable": unable}
        return await visit.page("vms/bulk.html", "vms", model)
    for one in able:
        await perform(visit, act, one)
    return visit.go("/tasks")


ROUTES = (
    Route("GET", "/vms", machine_list),
    Route("GET", "/vms.csv", machine_csv),
    Route("POST", "/vms/bulk", bulk),
)
