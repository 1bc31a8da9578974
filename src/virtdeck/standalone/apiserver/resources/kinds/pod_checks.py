"""What Kubernetes refuses of a pod, field by field."""

from collections.abc import Iterator
from typing import Any

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.crds.names import invalid_value
from virtdeck.crds.quantity import parse_quantity
from virtdeck.standalone.apiserver.resources.checks import (
    PROTOCOLS,
    at_least,
    is_amount,
    is_label,
    is_port,
    one_of,
)
from virtdeck.standalone.apiserver.resources.rules import Obj, required

_RESTARTS = ("Always", "Never", "OnFailure")
_DNS = ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")
_PULLS = ("Always", "IfNotPresent", "Never")
_PARTS = ("initContainers", "containers")


def causes_of_pod(spec: Obj) -> list[Cause]:
    """Everything that is wrong with the spec, in Kubernetes' order."""
    causes = list(_volumes(spec))
    names: set[str] = set()
    mountable = {volume.get("name") for volume in spec.get("volumes") or ()}
    if not spec.get("containers"):
        causes.append(required("spec.containers"))
    for part in reversed(_PARTS):
        for index, container in enumerate(spec.get(part) or ()):
            causes += _container(container, f"spec.{part}[{index}]", names, mountable)
    causes += one_of("spec.restartPolicy", spec.get("restartPolicy"), _RESTARTS)
    causes += one_of("spec.dnsPolicy", spec.get("dnsPolicy"), _DNS)
    causes += at_least("spec.terminationGracePeriodSeconds", spec.get("terminationGracePeriodSeconds"))
    return causes + at_least("spec.activeDeadlineSeconds", spec.get("activeDeadlineSeconds"), 1)


def _volumes(spec: Obj) -> Iterator[Cause]:
    names: set[str] = set()
    for index, volume in enumerate(spec.get("volumes") or ()):
        path = f"spec.volumes[{index}]"
        name = volume.get("name") or ""
        sources = [source for source in volume if source != "name"]
        for extra in sources[1:]:
            text = "Forbidden: may not specify more than 1 volume type"
            yield Cause(f"{path}.{extra}", text, "FieldValueForbidden")
        if name in names:
            yield Cause(f"{path}.name", f'Duplicate value: "{name}"', "FieldValueDuplicate")
        yield from is_label(f"{path}.name", name) if name else [required(f"{path}.name")]
        if len(sources) == 1:
            names.add(name)


def _container(container: Obj, path: str, names: set[str], mountable: set[Any]) -> Iterator[Cause]:
    name = container.get("name") or ""
    yield from is_label(f"{path}.name", name) if name else [required(f"{path}.name")]
    if name in names:
        yield Cause(f"{path}.name", f'Duplicate value: "{name}"', "FieldValueDuplicate")
    names.add(name)
    if not container.get("image"):
        yield required(f"{path}.image")
    for place, port in enumerate(container.get("ports") or ()):
        yield from is_port(f"{path}.ports[{place}].containerPort", port.get("containerPort"))
        yield from one_of(f"{path}.ports[{place}].protocol", port.get("protocol"), PROTOCOLS)
    yield from _environment(container, path)
    yield from _mounts(container, path, mountable)
    yield from one_of(f"{path}.imagePullPolicy", container.get("imagePullPolicy"), _PULLS)
    yield from _resources(container.get("resources") or {}, f"{path}.resources")


def _environment(container: Obj, path: str) -> Iterator[Cause]:
    for place, variable in enumerate(container.get("env") or ()):
        if not variable.get("name"):
            yield required(f"{path}.env[{place}].name")
        if variable.get("value") and variable.get("valueFrom"):
            text = 'Invalid value: "": may not be specified when `value` is not empty'
            yield Cause(f"{path}.env[{place}].valueFrom", text)


def _mounts(container: Obj, path: str, mountable: set[Any]) -> Iterator[Cause]:
    paths: set[str] = set()
    for place, mount in enumerate(container.get("volumeMounts") or ()):
        here = f"{path}.volumeMounts[{place}]"
        where = mount.get("mountPath") or ""
        if mount.get("name") not in mountable:
            yield Cause(f"{here}.name", f'Not found: "{mount.get("name")}"', "FieldValueNotFound")
        if not where:
            yield required(f"{here}.mountPath")
        elif where in paths:
            yield invalid_value(f"{here}.mountPath", where, "must be unique")
        paths.add(where)


def _resources(resources: Obj, path: str) -> Iterator[Cause]:
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    for part, amounts in (("limits", limits), ("requests", requests)):
        for name, amount in amounts.items():
            yield from is_amount(f"{path}.{part}[{name}]", amount)
    for name, amount in requests.items():
        if name in limits and _more(amount, limits[name]):
            yield invalid_value(
                f"{path}.requests", str(amount), f"must be less than or equal to {name} limit"
            )


def _more(left: Any, right: Any) -> bool:
    try:
        return parse_quantity(left) > parse_quantity(right)
    except Invalid:
        return False
