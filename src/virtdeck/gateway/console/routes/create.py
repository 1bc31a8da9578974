"""Makes a machine by form or by YAML; the server judges it before it is made."""

from typing import Any

from starlette.responses import Response

from virtdeck.basis.errors import Invalid, VirtdeckError
from virtdeck.crds import kinds
from virtdeck.gateway.console.rights import visible_projects
from virtdeck.gateway.console.routes import Route
from virtdeck.gateway.console.views.commands import create_commands
from virtdeck.gateway.console.views.create import (
    CreateForm,
    check,
    form_of,
    lines_of,
    manifest,
    parse_manifest,
    place_causes,
)
from virtdeck.gateway.console.views.diff import to_yaml
from virtdeck.gateway.console.views.images import image_list
from virtdeck.gateway.console.views.offers import instancetype_options, preference_options
from virtdeck.gateway.console.visit import Visit, quoted
from virtdeck.kube.errors import error_from_reply
from virtdeck.kube.objects import Key
from virtdeck.web.words import mark

KINDS: dict[str, kinds.Kind[Any]] = {"VirtualMachine": kinds.VM, "VirtualMachineInstance": kinds.VMI}


async def ask_server(visit: Visit, obj: dict[str, Any], *, dry_run: bool) -> None:
    """The object is created, or would be. Raises: what the server answers, with field causes."""
    kind = KINDS[str(obj.get("kind"))]
    namespace = obj["metadata"]["namespace"]
    path = f"/apis/{kind.group}/{kind.version}/namespaces/{quoted(namespace)}/{kind.plural}"
    query = {"fieldManager": "virtdeck-console", "fieldValidation": "Strict"} | (
        {"dryRun": "All"} if dry_run else {}
    )
    status, answer = await visit.client.request("POST", path, query=query, body=obj)
    if status >= 400:
        raise error_from_reply(status, answer)


async def create_now(visit: Visit, obj: dict[str, Any]) -> Response:
    """The object is created as a task; its page tells how it goes on. Raises: what the server answers."""
    meta = obj["metadata"]
    key = Key(str(meta["namespace"]), str(meta["name"]))
    task = await visit.desk.tasks.perform(
        visit.user.name, "create", key, lambda: ask_server(visit, obj, dry_run=False)
    )
    if task.state == "failed":
        raise Invalid(task.cause)
    return visit.go(f"/tasks/{task.id}")


async def form_page(
    visit: Visit, form: CreateForm, wrong: dict[str, Any] | None = None, rest: Any = (), code: int = 200
) -> Response:
    visible = await visit.projects()
    names = (one.metadata.name or "" for one in visit.desk.caches.namespaces.all())
    known = sorted({form.namespace, *(name for name in names if visible is None or name in visible)})
    sizes = await _offered(visit, kinds.INSTANCETYPE, kinds.CLUSTER_INSTANCETYPE)
    tastes = await _offered(visit, kinds.PREFERENCE, kinds.CLUSTER_PREFERENCE)
    model = {
        "form": form,
        "wrong": wrong or {},
        "sizes": instancetype_options(sizes, form.instancetype),
        "tastes": preference_options(tastes, form.preference),
        "rest": rest,
        "images": image_list(visit.desk.settings.images_dir),
        "namespaces": [(name, name) for name in known],
        "commands": create_commands(form.namespace, to_yaml(manifest(form)), visit.desk.settings.public_url)
        if form.name and not wrong
        else [],
    }
    return await visit.page("vms/new.html", "vms", model, code)


async def _offered(visit: Visit, own: kinds.Kind[Any], cluster: kinds.Kind[Any]) -> list[Any]:
    """What of these kinds the person may see: the cluster's, and those of their projects."""
    caches = visit.desk.caches.instancetypes
    if own not in caches:
        return []
    found = []
    if await visit.may("list", f"{cluster.plural}.{cluster.group}"):
        found += caches[cluster].all()
    if caches[own].all():
        visible = await visible_projects(visit.desk, visit.user, f"{own.plural}.{own.group}")
        found += [one for one in caches[own].all() if visible is None or one.metadata.namespace in visible]
    return found


async def new_form(visit: Visit) -> Response:
    """An empty form; what the URL says is filled in already."""
    asked = visit.request.query_params
    form = CreateForm(
        name=asked.get("name", "")[:253],
        namespace=visit.project or "default",
        image=asked.get("image", "")[:500],
    )
    return await form_page(visit, form)


async def post_form(visit: Visit) -> Response:
    posted = await visit.form()
    form = CreateForm.parse(posted)
    try:
        if posted.get("do") == "yaml":
            return await yaml_page(visit, to_yaml(manifest(form)))
        wrong = check(form)
        if wrong:
            return await form_page(visit, form, wrong, code=422)
        vm = manifest(form)
        await ask_server(visit, vm, dry_run=True)
        return await create_now(visit, vm)
    except VirtdeckError as fault:
        placed, rest = place_causes(getattr(fault, "causes", ()))
        if fault.reason == "AlreadyExists":
            placed = {"name": mark("A machine of this name exists already in this project.")}
        return await form_page(visit, form, placed, rest or (() if placed else (fault,)), 422)


async def yaml_page(
    visit: Visit, text: str, fault: VirtdeckError | None = None, *, fine: bool = False
) -> Response:
    causes = lines_of(text, getattr(fault, "causes", ()))
    model = {"text": text, "fault": fault, "causes": causes, "fine": fine, "old": None}
    return await visit.page("vms/new_yaml.html", "vms", model, 422 if fault else 200)


async def new_yaml(visit: Visit) -> Response:
    """The YAML of a small machine to begin with."""
    form = CreateForm(name="my-vm", namespace=visit.project or "default", image="virtdeck/demo:latest")
    return await yaml_page(visit, to_yaml(manifest(form)))


def read_object(text: str, project: str) -> dict[str, Any]:
    """A machine or an instance with name and project. Raises: Invalid."""
    obj = parse_manifest(text)
    if obj.get("kind") not in KINDS or not str(obj.get("apiVersion", "")).startswith("kubevirt.io/"):
        raise Invalid(mark("The kind must be VirtualMachine or VirtualMachineInstance of kubevirt.io/v1."))
    meta = obj.get("metadata")
    if not isinstance(meta, dict) or not (meta.get("name") or meta.get("generateName")):
        raise Invalid(mark("metadata.name is needed."))
    return obj | {
        "metadata": meta
        | {"name": str(meta.get("name", "")), "namespace": str(meta.get("namespace") or project or "default")}
    }


async def post_yaml(visit: Visit) -> Response:
    posted = await visit.form()
    text = str(posted.get("yaml", "")).replace("\r\n", "\n")
    try:
        if posted.get("do") == "form":
            return await form_page(visit, form_of(parse_manifest(text), text))
        obj = read_object(text, visit.project)
        await ask_server(visit, obj, dry_run=True)
        if posted.get("do") == "check":
            return await yaml_page(visit, text, fine=True)
        return await create_now(visit, obj)
    except VirtdeckError as fault:
        return await yaml_page(visit, text, fault)


ROUTES = (
    Route("GET", "/vms/new", new_form),
    Route("POST", "/vms/new", post_form),
    Route("GET", "/vms/new/yaml", new_yaml),
    Route("POST", "/vms/new/yaml", post_yaml),
)
