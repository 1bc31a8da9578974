"""Keeps the registry in step with stored CRDs and APIServices."""

from typing import Any

from virtdeck.standalone.apiserver.objects.ca_bundle import decode_bundle
from virtdeck.standalone.apiserver.resources.crd_names import is_established
from virtdeck.standalone.apiserver.resources.registry import Delegate, Registry
from virtdeck.standalone.apiserver.storage.shelf import Shelf
from virtdeck.standalone.apiserver.storage.store import Store
from virtdeck.standalone.apiserver.storage.timeline import Change, Event

Obj = dict[str, Any]

_DEFINITIONS = "apiextensions.k8s.io/customresourcedefinitions"
_SERVICES = "apiregistration.k8s.io/apiservices"


def track(store: Store, registry: Registry) -> None:
    """The registry serves what is stored now, and follows each change before its writer is answered."""
    for row in store.shelf(_DEFINITIONS).in_order(None):
        registry.set_definition(row.decode(), row.data)
    for row in store.shelf(_SERVICES).in_order(None):
        _set_service(registry, row.decode())

    def hear(shelf: Shelf, event: Event) -> None:
        if shelf.resource == _DEFINITIONS:
            _hear_definition(registry, event)
        elif shelf.resource == _SERVICES:
            _hear_service(registry, event)

    store.listen(hear)


def _hear_definition(registry: Registry, event: Event) -> None:
    if event.change is Change.DELETED:
        registry.drop_definition(event.row.name)
        return
    definition = event.row.decode()
    before = event.before.decode() if event.before is not None else {}
    if _served_part(definition) != _served_part(before):
        registry.set_definition(definition, event.row.data)


def _served_part(definition: Obj) -> tuple[Any, Any, bool]:
    """What of a CRD says what is served."""
    status = definition.get("status") or {}
    return definition.get("spec"), status.get("acceptedNames"), is_established(definition)


def _hear_service(registry: Registry, event: Event) -> None:
    if event.change is Change.DELETED:
        registry.drop_delegate(event.row.name)
    else:
        _set_service(registry, event.row.decode())


def _set_service(registry: Registry, obj: Obj) -> None:
    spec = obj.get("spec") or {}
    service = spec.get("service")
    name = obj["metadata"]["name"]
    if not service:  # a group that this server has itself
        registry.drop_delegate(name)
        return
    delegate = Delegate(
        name=name,
        group=spec.get("group", ""),
        version=spec.get("version", ""),
        service=f"{service.get('namespace')}/{service.get('name')}",
        port=service.get("port") or 443,
        ca=None if spec.get("insecureSkipTLSVerify") else decode_bundle(spec.get("caBundle") or ""),
        priority=(spec.get("groupPriorityMinimum") or 1000, spec.get("versionPriority") or 15),
    )
    if registry.delegate(delegate.group, delegate.version) != delegate:
        registry.set_delegate(delegate)
