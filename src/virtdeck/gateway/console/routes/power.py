"""Acts on one machine: what disturbs it is asked first, everything becomes a task."""

from typing import Any

import anyio
import orjson
from starlette.responses import Response

from virtdeck.basis.errors import Absent, Conflict, VirtdeckError
from virtdeck.gateway.console.routes import Route
from virtdeck.gateway.console.views.commands import commands
from virtdeck.gateway.console.views.detail import disks_of
from virtdeck.gateway.console.views.machine import Machine
from virtdeck.gateway.console.views.powers import ACTS, Act, plural_of
from virtdeck.gateway.console.visit import Visit, quoted, subresource_path
from virtdeck.gateway.tasks.task import Task
from virtdeck.kube.errors import error_from_reply
from virtdeck.kube.objects import Key
from virtdeck.web.words import Text, mark

ASK_GUEST_SECONDS = 0.8
SETTLE_SECONDS = 0.3
DELETE_OPTIONS: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "DeleteOptions",
    "propagationPolicy": "Background",
}


async def find_machine(visit: Visit) -> Machine:
    """The machine in the URL, if the person may see it. Raises: Absent, for both alike."""
    namespace, name = visit.request.path_params["ns"], visit.request.path_params["name"]
    visible = await visit.projects()
    machine = visit.desk.roster.get(Key(namespace, name))
    if machine is None or (visible is not None and namespace not in visible):
        raise Absent(mark("There is no virtual machine of this name in this project that you may see."))
    return machine


def find_act(visit: Visit) -> Act:
    act = ACTS.get(visit.request.path_params["act"])
    if act is None:
        raise Absent(mark("There is no such page."))
    return act


async def perform(visit: Visit, act: Act, machine: Machine) -> Task:
    """The act is asked of the API as this person; the task says what became of it."""
    key = Key(machine.namespace, machine.name)
    return await visit.desk.tasks.perform(visit.user.name, act.key, key, lambda: _call(visit, act, machine))


async def _call(visit: Visit, act: Act, machine: Machine) -> None:
    plural = plural_of(act, machine)
    if act.key == "delete":
        path = f"/apis/kubevirt.io/v1/namespaces/{quoted(machine.namespace)}/{plural}/{quoted(machine.name)}"
        status, answer = await visit.client.request("DELETE", path, body=DELETE_OPTIONS | _only(machine))
    else:
        path = subresource_path(machine, plural, act.subresource)
        status, answer = await visit.client.request("PUT", path, body=dict(act.body))
    if status >= 400:
        raise error_from_reply(status, answer)


def _only(machine: Machine) -> dict[str, Any]:
    """The precondition that it is this machine, not one of the same name made meanwhile."""
    return {"preconditions": {"uid": machine.uid}}


async def guest_users(visit: Visit, machine: Machine) -> tuple[str, ...]:
    """Who is logged in inside the guest, if the agent says so soon enough."""
    if not (machine.agent and machine.alive):
        return ()
    path = subresource_path(machine, "virtualmachineinstances", "userlist")
    try:
        with anyio.fail_after(ASK_GUEST_SECONDS):
            status, answer = await visit.client.request("GET", path)
        items = orjson.loads(answer).get("items") or [] if status == 200 else []
        return tuple(dict.fromkeys(str(one.get("userName", ""))[:64] for one in items[:20]))
    except (VirtdeckError, TimeoutError, ValueError, AttributeError):
        return ()


async def confirm_model(visit: Visit, act: Act, machine: Machine) -> dict[str, Any]:
    """What the question says: the machine, who is disturbed, what is lost."""
    key = Key(machine.namespace, machine.name)
    vm, vmi = visit.desk.caches.vms.get(*key), visit.desk.caches.vmis.get(*key)
    return {
        "act": act,
        "machine": machine,
        "users": await guest_users(visit, machine),
        "disks": disks_of(vm, vmi),
        "power": (await visit.powers_of([machine]))[machine.dom_id][act.key],
        "commands": commands(act, machine, visit.desk.settings.public_url),
        "problem": "",
        "typed": "",
    }


async def confirm(visit: Visit) -> Response:
    machine, act = await find_machine(visit), find_act(visit)
    model = await confirm_model(visit, act, machine)
    if visit.htmx:
        return visit.part("vms/confirm.html", "question", model)
    return await visit.page("vms/confirm.html", "vms", model)


async def act_on(visit: Visit) -> Response:
    """The act is performed; the answer is the machine's page, or for htmx a notice."""
    form = await visit.form()
    machine, act = await find_machine(visit), find_act(visit)
    if act.risk != "none" and not form.get("sure"):
        return visit.go(f"{machine.url}/do/{act.key}")
    if act.risk == "destroy" and str(form.get("typed", "")).strip() != machine.name:
        model = await confirm_model(visit, act, machine) | {
            "problem": Text(mark("Type the name “%(name)s” to confirm."), {"name": machine.name}),
            "typed": str(form.get("typed", "")),
        }
        if visit.htmx:
            return visit.part("vms/confirm.html", "question", model)
        return await visit.page("vms/confirm.html", "vms", model, 422)
    if form.get("uid") and form["uid"] != machine.uid:
        raise Conflict(mark("The machine was deleted and made anew since this page was shown."))
    return await report(visit, await perform(visit, act, machine), act)


async def report(visit: Visit, task: Task, act: Act) -> Response:
    """Tells what became of the request, with its end if that comes at once."""
    task = await visit.desk.tasks.settle(task, SETTLE_SECONDS)
    if act.key == "delete" and task.state != "failed":
        return visit.go(f"/vms?task={task.id}")
    if visit.htmx:
        return visit.part("tasks/result.html", "result", {"task": task})
    return visit.go(f"/ns/{task.namespace}/vms/{task.name}?task={task.id}")


ROUTES = (
    Route("GET", "/ns/{ns}/vms/{name}/do/{act}", confirm),
    Route("POST", "/ns/{ns}/vms/{name}/do/{act}", act_on),
)
