"""What an object uses of a quota, by the names that quotas have for it. Pure."""

from decimal import Decimal
from typing import Any

from virtdeck.standalone.apiserver.objects.pod_resources import (
    TERMINAL,
    Amounts,
    amounts_of,
    container_amounts,
    pod_amounts,
)
from virtdeck.standalone.apiserver.resources.kinds.workload import qos_class

Obj = dict[str, Any]

PODS, CLAIMS, SERVICES = "/pods", "/persistentvolumeclaims", "/services"
# Shelves whose objects must be looked at; of all others it only counts how many there are.
LOOKED_AT = (PODS, CLAIMS, SERVICES)
_OLD_NAMES = frozenset({"/configmaps", "/secrets", "/replicationcontrollers", "/resourcequotas"})
_PLAIN = ("cpu", "memory", "ephemeral-storage")
# What every container must say, if a quota bounds it.
_REQUIRED = frozenset(
    {*("cpu", "memory"), *(f"{kind}.{name}" for kind in ("requests", "limits") for name in ("cpu", "memory"))}
)
_ONE = Decimal(1)


def usage_of(shelf: str, obj: Obj | None) -> Amounts:
    """What one object on a shelf (``group/plural``) uses. obj: None where it need not be looked at."""
    group, _, plural = shelf.partition("/")
    counted = {f"count/{plural}.{group}" if group else f"count/{plural}": _ONE}
    if shelf in _OLD_NAMES:
        counted[plural] = _ONE
    if obj is None:
        return counted
    match shelf:
        case "/pods":
            return {**counted, **_of_pod(obj)}
        case "/persistentvolumeclaims":
            return {**counted, **_of_claim(obj)}
        case "/services":
            return {**counted, **_of_service(obj)}
    return counted


def _of_pod(pod: Obj) -> Amounts:
    if (pod.get("status") or {}).get("phase") in TERMINAL:
        return {}
    spec = pod.get("spec") or {}
    found = {"pods": _ONE}
    for name, amount in pod_amounts(spec, "requests").items():
        found[f"requests.{name}"] = amount
        if name in _PLAIN or name.startswith("hugepages-"):
            found[name] = amount
    for name, amount in pod_amounts(spec, "limits").items():
        found[f"limits.{name}"] = amount
    return found


def _of_claim(claim: Obj) -> Amounts:
    spec = claim.get("spec") or {}
    storage = amounts_of((spec.get("resources") or {}).get("requests")).get("storage", Decimal())
    found = {"persistentvolumeclaims": _ONE, "requests.storage": storage}
    if name := spec.get("storageClassName"):
        place = f"{name}.storageclass.storage.k8s.io"
        found |= {f"{place}/persistentvolumeclaims": _ONE, f"{place}/requests.storage": storage}
    return found


def _of_service(service: Obj) -> Amounts:
    spec = service.get("spec") or {}
    ports = Decimal(len(spec.get("ports") or ()))
    found = {"services": _ONE}
    if spec.get("type") in ("NodePort", "LoadBalancer"):
        found["services.nodeports"] = ports
    if spec.get("type") == "LoadBalancer":
        found["services.loadbalancers"] = _ONE
    return found


Scope = tuple[str, str, tuple[str, ...]]  # name, operator, values


def scopes_of(spec: Obj) -> tuple[Scope, ...]:
    """What a quota's objects must be like."""
    plain = tuple((name, "Exists", ()) for name in spec.get("scopes") or ())
    selected = (spec.get("scopeSelector") or {}).get("matchExpressions") or ()
    return plain + tuple(
        (one.get("scopeName", ""), one.get("operator", ""), tuple(one.get("values") or ()))
        for one in selected
    )


def in_scope(scopes: tuple[Scope, ...], shelf: str, obj: Obj | None) -> bool:
    """Whether a quota is about an object; scopes are about pods alone."""
    if not scopes:
        return True
    if shelf != PODS or obj is None:
        return False
    spec = obj.get("spec") or {}
    return all(_scope_holds(one, spec) for one in scopes)


def _scope_holds(scope: Scope, spec: Obj) -> bool:  # noqa: PLR0911 - one for each scope
    name, operator, values = scope
    match name:
        case "Terminating":
            return spec.get("activeDeadlineSeconds") is not None
        case "NotTerminating":
            return spec.get("activeDeadlineSeconds") is None
        case "BestEffort":
            return qos_class(spec) == "BestEffort"
        case "NotBestEffort":
            return qos_class(spec) != "BestEffort"
        case "CrossNamespacePodAffinity":
            return _reaches_out(spec.get("affinity") or {})
    found = spec.get("priorityClassName") or ""
    match operator:
        case "In":
            return found in values
        case "NotIn":
            return found not in values
        case "DoesNotExist":
            return not found
    return bool(found)


def _reaches_out(affinity: Obj) -> bool:
    terms: list[Obj] = []
    for kind in ("podAffinity", "podAntiAffinity"):
        part = affinity.get(kind) or {}
        terms += part.get("requiredDuringSchedulingIgnoredDuringExecution") or []
        preferred = part.get("preferredDuringSchedulingIgnoredDuringExecution") or ()
        terms += [one.get("podAffinityTerm") or {} for one in preferred]
    return any(term.get("namespaces") or term.get("namespaceSelector") is not None for term in terms)


def unsaid(pod: Obj, bounded: set[str]) -> dict[str, list[str]]:
    """What containers must say, because a quota bounds it, and do not: resource to names of containers."""
    spec = pod.get("spec") or {}
    containers = [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]
    found: dict[str, list[str]] = {}
    for name in sorted(bounded & _REQUIRED):
        kind, _, resource = name.rpartition(".")
        for container in containers:
            if resource not in container_amounts(container, kind or "requests"):
                found.setdefault(name, []).append(str(container.get("name")))
    return found
