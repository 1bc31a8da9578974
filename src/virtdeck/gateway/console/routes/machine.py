"""One machine: a page with tabs, each a URL of its own."""

from typing import Any

from starlette.responses import Response

from virtdeck.basis.errors import Absent
from virtdeck.crds import kinds
from virtdeck.gateway.console.routes import Route
from virtdeck.gateway.console.routes.power import find_machine
from virtdeck.gateway.console.views.commands import console_commands
from virtdeck.gateway.console.views.detail import conditions_of, disks_of, nics_of
from virtdeck.gateway.console.views.diff import editable, to_yaml
from virtdeck.gateway.console.views.events import about_machine, events_of
from virtdeck.gateway.console.views.machine import Machine
from virtdeck.gateway.console.visit import Visit
from virtdeck.kube.objects import Key, raw
from virtdeck.web.words import mark

TABS = ("overview", "console", "serial", "config", "events", "yaml", "tasks")


async def machine_model(visit: Visit, machine: Machine) -> dict[str, Any]:
    """What the frame of a machine's page and its overview show."""
    key = Key(machine.namespace, machine.name)
    caches = visit.desk.caches
    vm, vmi = caches.vms.get(*key), caches.vmis.get(*key)
    return {
        "machine": machine,
        "powers": (await visit.powers_of([machine]))[machine.dom_id],
        "vm": vm,
        "vmi": vmi,
        "guest": vmi.status.guest_os_info if vmi and vmi.status else None,
        "disks": disks_of(vm, vmi),
        "nics": nics_of(vm, vmi),
        "conditions": conditions_of(
            vm.status.conditions if vm and vm.status else None,
            vmi.status.conditions if vmi and vmi.status else None,
        ),
        "events": await machine_events(visit, machine),
        "tasks": visit.desk.tasks.store.of(machine.namespace, machine.name),
        "screenshot": await visit.may(
            "get", "virtualmachineinstances.subresources.kubevirt.io", "vnc/screenshot", machine.namespace
        ),
        "console_commands": console_commands(machine),
    }


async def machine_events(visit: Visit, machine: Machine) -> Any:
    """The machine's events; None when the person may not read events there."""
    if not await visit.may("list", "events", namespace=machine.namespace):
        return None
    keys = about_machine(machine.namespace, machine.name)
    return events_of(one for key in keys for one in visit.desk.caches.events.find("by_object", key))


async def raw_yaml(visit: Visit, machine: Machine, *, whole: bool = False) -> str:
    """The object as the API server has it now, as YAML. whole: with status."""
    kind = raw(kinds.VM if machine.has_vm else kinds.VMI)
    found = await visit.client.require(kind, machine.name, machine.namespace)
    if whole:
        meta = {name: value for name, value in found["metadata"].items() if name != "managedFields"}
        return to_yaml({**found, "metadata": meta})
    return to_yaml(editable(found))


async def machine_page(visit: Visit) -> Response:
    tab = visit.request.path_params.get("tab", "overview")
    if tab not in TABS:
        raise Absent(mark("There is no such page."))
    machine = await find_machine(visit)
    model = await machine_model(visit, machine) | {"tab": tab}
    if tab == "yaml":
        model["yaml"] = await raw_yaml(visit, machine, whole=True)
    live = f"page=vm&target={machine.namespace}/{machine.name}&tab={tab}"
    return await visit.page(f"vms/{tab}.html", "vms", model, live=live)


ROUTES = (
    Route("GET", "/ns/{ns}/vms/{name}", machine_page),
    Route("GET", "/ns/{ns}/vms/{name}/{tab}", machine_page),
)
