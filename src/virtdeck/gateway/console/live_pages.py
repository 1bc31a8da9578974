"""What each page shows that can change, and how a change is said to it in partials."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

from virtdeck.gateway.console.routes.activity import visible_events, visible_tasks
from virtdeck.gateway.console.routes.machine import machine_model
from virtdeck.gateway.console.routes.machines import list_model, seen
from virtdeck.gateway.console.routes.overview import overview_model
from virtdeck.gateway.console.views.events import about_machine
from virtdeck.gateway.console.views.listing import Query, fits
from virtdeck.gateway.console.views.machine import Machine, dom_id
from virtdeck.gateway.console.views.nodes import node_views
from virtdeck.gateway.console.visit import Visit
from virtdeck.gateway.live.hub import Batch
from virtdeck.kube.objects import Key


def partial(target: str, html: str, swap: str = "outerMorph") -> str:
    """HTML that replaces, by morph, the element with that id; ``swap`` may say otherwise."""
    return f'<hx-partial hx-target="[id=\'{target}\']" hx-swap="{swap}">{html}</hx-partial>'


class Frame:
    """What every page shows: the count of running tasks, and how one's own tasks ended."""

    pace_seconds = 0.25
    """Between two messages; slower where all is shown anew each time."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit

    async def allowed(self) -> bool:
        return self.visit.desk.gate.session_of(self.visit.request) is not None

    async def begin(self) -> None:
        """The tab shows what is so now."""

    async def resync(self) -> str:
        return self._count() + await self.whole()

    async def update(self, batch: Batch) -> str:
        html = await self.changed(batch)
        if any(self.visit.see(task) for task in batch.tasks.values()):
            html += self._count() + self._ended(batch)
        return html

    def _count(self) -> str:
        running = sum(1 for task in self.visit.desk.tasks.running if self.visit.see(task))
        return partial("task-count", self.block("layout.html", "task_count", {"running": running}))

    def _ended(self, batch: Batch) -> str:
        """One's own tasks that ended are told on each open page, in place of what was told before."""
        ended = [task for task in batch.tasks.values() if self.visit.see(task) and task.ended]
        notices = "".join(self.block("tasks/result.html", "result_notice", {"task": task}) for task in ended)
        return partial("results", notices, "beforeend") if notices else ""

    def block(self, template: str, name: str, model: dict[str, Any]) -> str:
        shell = self.visit.bare_shell() | {"running": model.get("running", 0)}
        return self.visit.desk.renderer.block(template, name, self.visit.language, {"shell": shell, **model})

    async def whole(self) -> str:
        """All that the page shows that can change."""
        return ""

    async def changed(self, batch: Batch) -> str:
        """What the batch alters of it."""
        return ""


class MachinesPage(Frame):
    """The list: rows are changed in place; what came or went is said, rows never jump by themselves."""

    def __init__(self, visit: Visit, query: Query) -> None:
        super().__init__(visit)
        self.query = query
        self._shown: list[str] | None = None

    async def whole(self) -> str:
        return self._all(await list_model(self.visit, self.query))

    async def begin(self) -> None:
        model = await list_model(self.visit, self.query)
        self._shown = [machine.dom_id for machine in model["page"].machines]

    def _all(self, model: dict[str, Any]) -> str:
        self._shown = [machine.dom_id for machine in model["page"].machines]
        html = partial("list", self.block("vms/list.html", "list", model))
        return html + partial("list-count", self.block("vms/list.html", "count", model))

    async def changed(self, batch: Batch) -> str:
        if not self._concerns(batch.machines):
            return ""
        model = await list_model(self.visit, self.query)
        machines: list[Machine] = list(model["page"].machines)
        now = [machine.dom_id for machine in machines]
        before, self._shown = self._shown, now
        if not before or not now:
            return self._all(model)
        html = "".join(partial(gone, "", "delete") for gone in before if gone not in now)
        html += self._rows(machines, before, batch, model)
        html += partial("list-count", self.block("vms/list.html", "count", model))
        html += partial("list-filters", self.block("vms/list.html", "filters", model))
        if [one for one in before if one in now] != [one for one in now if one in before]:
            html += partial("list-order", self.block("vms/list.html", "order", model | {"moved": True}))
            self._shown = [one for one in before if one in now] + [one for one in now if one not in before]
        return html

    def _concerns(self, keys: set[Key]) -> bool:
        """One of them is shown, or fits and may have to be."""
        fitting, shown = fits(self.query), self._shown or []
        for key in keys:
            machine = self.visit.desk.roster.get(key)
            if dom_id(key.namespace, key.name) in shown or (machine is not None and fitting(machine)):
                return True
        return False

    def _rows(self, machines: list[Machine], before: list[str], batch: Batch, model: dict[str, Any]) -> str:
        html, previous = "", ""
        for machine in machines:
            if machine.dom_id not in before:
                row = self.row(machine, model)
                html += (
                    partial(previous, row, "afterend")
                    if previous
                    else partial("list-rows", row, "afterbegin")
                )
            elif Key(machine.namespace, machine.name) in batch.machines:
                html += partial(machine.dom_id, self.row(machine, model))
            previous = machine.dom_id
        return html

    def row(self, machine: Machine, model: dict[str, Any]) -> str:
        return self.block("vms/row.html", "row", model | {"machine": machine, "fresh": True})


class MachinePage(Frame):
    """One machine: its head on every tab, and what the tab itself shows."""

    def __init__(self, visit: Visit, key: Key, tab: str) -> None:
        super().__init__(visit)
        self.key = key
        self.tab = tab

    async def whole(self) -> str:
        machine = self.visit.desk.roster.get(self.key)
        visible = await self.visit.projects()
        if machine is None or (visible is not None and machine.namespace not in visible):
            return partial("vm-head", self.block("vms/gone.html", "gone", {"key": self.key}))
        model = await machine_model(self.visit, machine) | {"tab": self.tab}
        html = partial("vm-head", self.block("vms/frame.html", "head", model))
        if self.tab in ("overview", "config", "events", "tasks"):
            html += partial("vm-live", self.block(f"vms/{self.tab}.html", "live", model))
        if self.tab in ("console", "serial"):
            html += partial("screen-state", self.block("screens/state.html", "state", model))
        return html

    async def changed(self, batch: Batch) -> str:
        about = set(about_machine(*self.key))
        ours = (
            task.namespace == self.key.namespace and task.name == self.key.name
            for task in batch.tasks.values()
        )
        return await self.whole() if self.key in batch.machines or about & batch.events or any(ours) else ""


class OverviewPage(Frame):
    """Counts, nodes, what happened last."""

    pace_seconds = 1.0

    def __init__(self, visit: Visit, project: str) -> None:
        super().__init__(visit)
        self.project = project

    async def whole(self) -> str:
        model = await overview_model(self.visit, self.project)
        return partial("overview-live", self.block("overview.html", "live", model))

    async def changed(self, batch: Batch) -> str:
        return await self.whole()


class TasksPage(Frame):
    """The list of tasks."""

    async def whole(self) -> str:
        return partial(
            "tasks-live", self.block("tasks/list.html", "live", {"tasks": await visible_tasks(self.visit)})
        )

    async def changed(self, batch: Batch) -> str:
        return await self.whole() if batch.tasks else ""


class TaskPage(Frame):
    """One task."""

    def __init__(self, visit: Visit, task_id: str) -> None:
        super().__init__(visit)
        self.task_id = task_id

    async def whole(self) -> str:
        one = self.visit.desk.tasks.store.get(self.task_id)
        visible = await self.visit.projects()
        if one is None or not (self.visit.see(one) or visible is None or one.namespace in visible):
            return ""
        return partial("task-live", self.block("tasks/task.html", "live", {"one": one}))

    async def changed(self, batch: Batch) -> str:
        return await self.whole() if self.task_id in batch.tasks else ""


class ActivityPage(Frame):
    """Tasks and events."""

    pace_seconds = 1.0

    async def whole(self) -> str:
        model = {
            "tasks": await visible_tasks(self.visit, 20),
            "events": await visible_events(self.visit),
            "project": self.visit.project,
        }
        return partial("activity-live", self.block("activity.html", "live", model))

    async def changed(self, batch: Batch) -> str:
        return await self.whole() if batch.tasks or batch.events else ""


class NodesPage(Frame):
    """Nodes and what runs on them."""

    pace_seconds = 1.0

    async def whole(self) -> str:
        if not await self.visit.may("list", "nodes"):
            return ""
        views = node_views(self.visit.desk.caches.nodes.all(), await seen(self.visit))
        return partial("nodes-live", self.block("nodes.html", "live", {"nodes": views}))

    async def changed(self, batch: Batch) -> str:
        return await self.whole() if batch.nodes or batch.machines else ""


def live_page(visit: Visit) -> Frame:
    """The page that a stream's URL names; one that changes nothing but its frame otherwise."""
    asked = {name: values[-1] for name, values in parse_qs(visit.request.url.query).items()}
    target, project = asked.get("target", ""), asked.get("ns", "")
    pages: dict[str, Callable[[], Frame]] = {
        "vms": lambda: MachinesPage(visit, Query.parse(asked)),
        "overview": lambda: OverviewPage(visit, project),
        "tasks": lambda: TasksPage(visit),
        "task": lambda: TaskPage(visit, target[:32]),
        "activity": lambda: ActivityPage(visit),
        "nodes": lambda: NodesPage(visit),
    }
    if target.count("/") == 1:
        pages["vm"] = lambda: MachinePage(visit, Key(*target.split("/")), asked.get("tab", "overview"))
    return pages.get(asked.get("page", ""), lambda: Frame(visit))()
