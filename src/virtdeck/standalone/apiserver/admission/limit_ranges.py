"""LimitRanges: what containers, pods and claims get if they do not say, and what they may ask for."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from virtdeck.standalone.apiserver.admission.quotas import shown
from virtdeck.standalone.apiserver.objects.pod_resources import (
    Amounts,
    amounts_of,
    container_amounts,
    pod_amounts,
)
from virtdeck.standalone.apiserver.problems import forbidden
from virtdeck.standalone.apiserver.storage.store import Store
from virtdeck.standalone.apiserver.verbs.attributes import Attributes

Obj = dict[str, Any]

_PODS, _CLAIMS = "/pods", "/persistentvolumeclaims"


class LimitRanges:
    """The limit ranges of each namespace."""

    def __init__(self, store: Store) -> None:
        self._shelf = store.shelf("/limitranges")

    def _items(self, attributes: Attributes) -> list[Obj]:
        """The items of all limit ranges that are about the write."""
        if attributes.subresource or not self._shelf.rows or not _is_limited(attributes):
            return []
        return [
            item
            for row in self._shelf.in_order(attributes.namespace)
            for item in (row.decode().get("spec") or {}).get("limits") or ()
        ]

    def complete(self, attributes: Attributes, obj: Obj) -> None:
        """A pod's containers have the defaults of the namespace for what they do not say."""
        if attributes.resource.shelf != _PODS or attributes.operation != "CREATE":
            return
        for item in self._items(attributes):
            if item.get("type") == "Container":
                spec = obj.get("spec") or {}
                for container in [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]:
                    _complete(container, item)

    def check(self, attributes: Attributes, obj: Obj | None) -> None:
        """Returns if the object keeps to all limits. Raises: StatusError 403 that names those it breaks."""
        if obj is None:
            return
        faults = [fault for item in self._items(attributes) for fault in _faults(item, obj)]
        if faults:
            why = faults[0] if len(faults) == 1 else f"[{', '.join(faults)}]"
            raise forbidden(attributes.plural, attributes.group, attributes.name, why)


def _is_limited(attributes: Attributes) -> bool:
    shelf = attributes.resource.shelf
    return (shelf == _PODS and attributes.operation == "CREATE") or (
        shelf == _CLAIMS and attributes.operation != "DELETE"
    )


def _complete(container: Obj, item: Obj) -> None:
    resources = container.setdefault("resources", {})
    for kind, defaults in (("limits", item.get("default")), ("requests", item.get("defaultRequest"))):
        given = resources.get(kind) or {}
        # A limit that the container has is a request too, before any default.
        implied = (resources.get("limits") or {}) if kind == "requests" else {}
        missing = {
            name: value
            for name, value in (defaults or {}).items()
            if name not in given and name not in implied
        }
        if missing:
            resources[kind] = {**given, **missing}


def _faults(item: Obj, obj: Obj) -> Iterator[str]:
    kind, spec = item.get("type") or "", obj.get("spec") or {}
    is_pod = obj.get("kind") == "Pod"
    if kind == "Container" and is_pod:
        for container in [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]:
            yield from _broken(
                item, container_amounts(container, "requests"), container_amounts(container, "limits")
            )
    elif kind == "Pod" and is_pod:
        yield from _broken(item, pod_amounts(spec, "requests"), pod_amounts(spec, "limits"))
    elif kind == "PersistentVolumeClaim" and obj.get("kind") == "PersistentVolumeClaim":
        asked = amounts_of((spec.get("resources") or {}).get("requests"))
        yield from _broken(item, asked, {}, requests_alone=True)


def _broken(item: Obj, requests: Amounts, limits: Amounts, *, requests_alone: bool = False) -> Iterator[str]:
    for name, least in amounts_of(item.get("min")).items():
        yield from _below(f"minimum {name} usage per {item['type']} is", name, least, (requests, limits))
    for name, most in amounts_of(item.get("max")).items():
        both = (requests, {}) if requests_alone else (requests, limits)
        yield from _above(f"maximum {name} usage per {item['type']} is", name, most, both, requests_alone)
    for name, ratio in amounts_of(item.get("maxLimitRequestRatio")).items():
        yield from _ratio(name, item["type"], ratio, requests.get(name), limits.get(name))


def _below(text: str, name: str, least: Decimal, amounts: tuple[Amounts, Amounts]) -> Iterator[str]:
    request, limit = (found.get(name) for found in amounts)
    if request is None:
        yield f"{text} {shown(name, least)}.  No request is specified"
    elif request < least:
        yield f"{text} {shown(name, least)}, but request is {shown(name, request)}"
    if limit is not None and limit < least:
        yield f"{text} {shown(name, least)}, but limit is {shown(name, limit)}"


def _above(
    text: str, name: str, most: Decimal, amounts: tuple[Amounts, Amounts], requests_alone: bool
) -> Iterator[str]:
    request, limit = (found.get(name) for found in amounts)
    if not requests_alone and limit is None:
        yield f"{text} {shown(name, most)}.  No limit is specified"
    elif requests_alone and request is None:
        yield f"{text} {shown(name, most)}.  No request is specified"
    elif limit is not None and limit > most:
        yield f"{text} {shown(name, most)}, but limit is {shown(name, limit)}"
    elif request is not None and request > most:
        yield f"{text} {shown(name, most)}, but request is {shown(name, request)}"


def _ratio(
    name: str, kind: str, most: Decimal, request: Decimal | None, limit: Decimal | None
) -> Iterator[str]:
    text = f"{name} max limit to request ratio per {kind} is {most.normalize():f}"
    if not request or not limit:
        said = "limit" if request else "request"
        yield f"{text}, but no {said} is specified or {said} is 0"
    elif limit / request > most:
        yield f"{text}, but provided ratio is {limit / request:.6f}"
