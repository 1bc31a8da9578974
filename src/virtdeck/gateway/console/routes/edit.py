"""Changes an existing machine's YAML: checked, compared, then applied if nobody else was faster."""

from typing import Any

import orjson
from starlette.responses import Response

from virtdeck.basis.errors import Conflict, Invalid, VirtdeckError
from virtdeck.crds import kinds
from virtdeck.gateway.console.routes import Route
from virtdeck.gateway.console.routes.machine import machine_model, raw_yaml
from virtdeck.gateway.console.routes.power import find_machine
from virtdeck.gateway.console.views.create import lines_of, parse_manifest
from virtdeck.gateway.console.views.diff import editable, effect, field_changes, to_yaml, unified
from virtdeck.gateway.console.views.machine import Machine
from virtdeck.gateway.console.visit import Visit, quoted
from virtdeck.kube.errors import error_from_reply
from virtdeck.kube.objects import Key, raw
from virtdeck.web.words import mark


async def edit_page(visit: Visit, machine: Machine, text: str, code: int = 200, **model: Any) -> Response:
    whole = await machine_model(visit, machine) | {
        "tab": "yaml",
        "text": text,
        "fault": None,
        "causes": (),
        "changes": None,
        "lines": (),
        "effect": "",
        "newer": "",
    }
    return await visit.page("vms/edit.html", "vms", whole | model, code)


async def edit(visit: Visit) -> Response:
    machine = await find_machine(visit)
    return await edit_page(visit, machine, await raw_yaml(visit, machine))


async def put(visit: Visit, machine: Machine, obj: dict[str, Any], *, dry_run: bool) -> dict[str, Any]:
    """The object as the server has it afterwards. Raises: what the server answers."""
    kind = kinds.VM if machine.has_vm else kinds.VMI
    home = f"/apis/{kind.group}/{kind.version}/namespaces/{quoted(machine.namespace)}"
    path = f"{home}/{kind.plural}/{quoted(machine.name)}"
    query = {"fieldManager": "virtdeck-console", "fieldValidation": "Strict"} | (
        {"dryRun": "All"} if dry_run else {}
    )
    status, answer = await visit.client.request("PUT", path, query=query, body=obj)
    if status >= 400:
        raise error_from_reply(status, answer)
    found: dict[str, Any] = orjson.loads(answer)
    return found


def same_object(obj: dict[str, Any], machine: Machine) -> None:
    """The text still names the machine whose page this is. Raises: Invalid."""
    meta = obj.get("metadata")
    if not isinstance(meta, dict) or (meta.get("name"), meta.get("namespace")) != (
        machine.name,
        machine.namespace,
    ):
        raise Invalid(mark("Name and project cannot be changed; create a new machine instead."))


async def post_edit(visit: Visit) -> Response:
    posted = await visit.form()
    machine = await find_machine(visit)
    text = str(posted.get("yaml", "")).replace("\r\n", "\n")
    try:
        obj = parse_manifest(text)
        same_object(obj, machine)
        if posted.get("do") == "rebase":
            obj, text = await _laid_over(visit, machine, obj)
        if posted.get("do") == "apply":
            return await _apply(visit, machine, obj)
        after = await put(visit, machine, obj, dry_run=True)
    except Conflict as fault:
        return await _conflict(visit, machine, text, fault)
    except VirtdeckError as fault:
        causes = lines_of(text, getattr(fault, "causes", ()))
        return await edit_page(visit, machine, text, 422, fault=fault, causes=causes)
    return await _compare(visit, machine, text, after)


async def _apply(visit: Visit, machine: Machine, obj: dict[str, Any]) -> Response:
    key = Key(machine.namespace, machine.name)
    await put(visit, machine, obj, dry_run=True)
    task = await visit.desk.tasks.perform(
        visit.user.name, "edit", key, lambda: put(visit, machine, obj, dry_run=False)
    )
    if task.state == "failed":
        raise Invalid(task.cause)
    return visit.go(f"{machine.url}?task={task.id}")


async def _compare(visit: Visit, machine: Machine, text: str, after: dict[str, Any]) -> Response:
    """What the change would change, as the server sees it."""
    kind = raw(kinds.VM if machine.has_vm else kinds.VMI)
    before = await visit.client.require(kind, machine.name, machine.namespace)
    changes = field_changes(before, after)
    lines = unified(
        to_yaml(editable(before, keep_version=False)), to_yaml(editable(after, keep_version=False))
    )
    return await edit_page(visit, machine, text, changes=changes, lines=lines, effect=effect(changes))


async def _laid_over(visit: Visit, machine: Machine, obj: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The typed object as a change of the newest version, and its text."""
    kind = raw(kinds.VM if machine.has_vm else kinds.VMI)
    newest = await visit.client.require(kind, machine.name, machine.namespace)
    obj["metadata"]["resourceVersion"] = newest["metadata"]["resourceVersion"]
    return obj, to_yaml(obj)


async def _conflict(visit: Visit, machine: Machine, text: str, fault: Conflict) -> Response:
    """Somebody else was faster: what is typed stays, and what they changed is shown."""
    newer = await raw_yaml(visit, machine)
    return await edit_page(visit, machine, text, 409, fault=fault, newer=newer, lines=unified(newer, text))


ROUTES = (
    Route("GET", "/ns/{ns}/vms/{name}/edit", edit),
    Route("POST", "/ns/{ns}/vms/{name}/edit", post_edit),
)
