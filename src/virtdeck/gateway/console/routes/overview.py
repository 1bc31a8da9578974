"""The first page: how many machines do what, how the node is, what happened last, what to do first."""

from typing import Any

from starlette.responses import Response

from virtdeck.gateway.console.routes import Route
from virtdeck.gateway.console.views.events import events_of
from virtdeck.gateway.console.views.images import image_list
from virtdeck.gateway.console.views.listing import counts
from virtdeck.gateway.console.views.nodes import node_views
from virtdeck.gateway.console.visit import Visit

RECENT = 8


async def overview_model(visit: Visit, project: str) -> dict[str, Any]:
    """What the overview shows of the project, or of all that the person may see."""
    visible = await visit.projects()
    machines = [
        machine
        for machine in visit.desk.roster.all()
        if (visible is None or machine.namespace in visible) and project in ("", machine.namespace)
    ]
    return {
        "project": project,
        "counts": counts(machines),
        "failing": [machine for machine in machines if machine.state.kind == "bad"][:RECENT],
        "waiting": [machine for machine in machines if machine.restart_required][:RECENT],
        "nodes": node_views(visit.desk.caches.nodes.all(), machines)
        if await visit.may("list", "nodes")
        else None,
        "images": image_list(visit.desk.settings.images_dir),
        "tasks": [task for task in visit.desk.tasks.store.newest(50) if visit.see(task)][:RECENT],
        "events": await _recent_events(visit, visible, project),
        "can_create": await visit.may("create", "virtualmachines.kubevirt.io", namespace=project),
    }


async def _recent_events(visit: Visit, visible: frozenset[str] | None, project: str) -> Any:
    """Events about machines; None when the person may not read events."""
    if not await visit.may("list", "events", namespace=project):
        return None
    about = ("VirtualMachine", "VirtualMachineInstance")
    found = (
        event
        for event in visit.desk.caches.events.all()
        if event.involved_object.kind in about
        and (visible is None or event.involved_object.namespace in visible)
        and project in ("", event.involved_object.namespace)
    )
    return events_of(found, RECENT)


async def overview(visit: Visit) -> Response:
    model = await overview_model(visit, visit.project)
    return await visit.page("overview.html", "overview", model, live=f"page=overview&ns={visit.project}")


async def search(visit: Visit) -> Response:
    """Finding is the list's business."""
    from virtdeck.gateway.console.views.listing import Query

    query = Query.parse(visit.request.query_params)
    return visit.go(query.url())


async def switch_project(visit: Visit) -> Response:
    """The project is worked in from now on."""
    from virtdeck.gateway.auth.origin import safe_next
    from virtdeck.gateway.console.visit import PROJECT_COOKIE

    answer = visit.go(safe_next(visit.request.query_params.get("back")))
    answer.set_cookie(
        PROJECT_COOKIE, visit.request.query_params.get("ns", "")[:63], samesite="strict", httponly=True
    )
    return answer


ROUTES = (
    Route("GET", "/", overview),
    Route("GET", "/search", search),
    Route("GET", "/project", switch_project),
)
