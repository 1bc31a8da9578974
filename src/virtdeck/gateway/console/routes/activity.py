"""Tasks and events: what was done, by whom, and what came of it."""

from typing import Any

from starlette.responses import Response

from virtdeck.basis.errors import Absent
from virtdeck.gateway.console.routes import Route
from virtdeck.gateway.console.views.events import events_of
from virtdeck.gateway.console.visit import Visit
from virtdeck.gateway.tasks.task import Task
from virtdeck.web.words import mark


async def visible_tasks(visit: Visit, limit: int = 100) -> list[Task]:
    """One's own tasks, and others' on machines that one may see."""
    visible = await visit.projects()
    return [
        task
        for task in visit.desk.tasks.store.newest(limit)
        if visit.see(task) or visible is None or task.namespace in visible
    ]


async def visible_events(visit: Visit, limit: int = 100) -> Any:
    """The newest events where the person may read them; None if that is nowhere."""
    visible = None
    if not await visit.may("list", "events"):
        from virtdeck.gateway.console.rights import visible_projects

        visible = await visible_projects(visit.desk, visit.user, "events")
        if not visible:
            return None
    project = visit.project
    found = (
        event
        for event in visit.desk.caches.events.all()
        if (visible is None or event.metadata.namespace in visible)
        and project in ("", event.metadata.namespace)
    )
    return events_of(found, limit)


async def activity(visit: Visit) -> Response:
    model = {
        "tasks": await visible_tasks(visit, 20),
        "events": await visible_events(visit),
        "project": visit.project,
    }
    return await visit.page("activity.html", "activity", model, live=f"page=activity&ns={visit.project}")


async def tasks(visit: Visit) -> Response:
    model = {"tasks": await visible_tasks(visit)}
    return await visit.page("tasks/list.html", "activity", model, live="page=tasks")


async def task(visit: Visit) -> Response:
    """One task, its steps, and its cause if it failed."""
    wanted = visit.request.path_params["id"][:32]
    found = visit.desk.tasks.store.get(wanted)
    visible = await visit.projects()
    if found is None or not (visit.see(found) or visible is None or found.namespace in visible):
        raise Absent(mark("There is no such task, or it is too old to be kept."))
    return await visit.page(
        "tasks/task.html", "activity", {"one": found}, live=f"page=task&target={found.id}"
    )


ROUTES = (
    Route("GET", "/activity", activity),
    Route("GET", "/tasks", tasks),
    Route("GET", "/tasks/{id}", task),
)
