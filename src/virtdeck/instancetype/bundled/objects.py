"""The API's objects for the bundled sizes and guest systems."""

from collections.abc import Iterator
from typing import Any

from virtdeck.crds.kinds import CLUSTER_INSTANCETYPE, CLUSTER_PREFERENCE, Kind
from virtdeck.crds.plain import Plain
from virtdeck.instancetype.bundled.guests import Guest, guests
from virtdeck.instancetype.bundled.sizes import Size, sizes

_GROUP = "instancetype.kubevirt.io"
VENDOR_LABEL = f"{_GROUP}/vendor"
VENDOR = "virtdeck.io"
_DISPLAY_NAME = f"{_GROUP}/displayName"
_DESCRIPTION = f"{_GROUP}/description"


def bundled_objects() -> Iterator[tuple[Kind[Any], Plain]]:
    """Every object with its kind; all carry our vendor label."""
    for size in sizes():
        yield CLUSTER_INSTANCETYPE, _instancetype(size)
    for guest in guests():
        yield CLUSTER_PREFERENCE, _preference(guest)


def _instancetype(size: Size) -> Plain:
    name = f"{size.series.name}.{size.name}"
    labels = {
        f"{_GROUP}/class": size.series.title.lower().replace(" ", "."),
        f"{_GROUP}/cpu": str(size.processors),
        f"{_GROUP}/memory": size.amount,
        f"{_GROUP}/size": size.name,
        f"{_GROUP}/version": "1",
        **{f"{_GROUP}/{word}": value for word, value in _notable(size.spec)},
    }
    amounts = f"{size.processors} CPU{'s' if size.processors > 1 else ''}, {size.amount} of memory"
    annotations = {
        f"{_GROUP}/class": size.series.title,
        _DISPLAY_NAME: f"{size.series.title}: {name}",
        _DESCRIPTION: f"{amounts}; {size.series.about}.",
    }
    return _object(CLUSTER_INSTANCETYPE, name, labels, annotations, size.spec)


def _notable(spec: Plain) -> Iterator[tuple[str, str]]:
    """What one selects sizes by, beside their amounts."""
    for word in ("dedicatedCPUPlacement", "isolateEmulatorThread", "numa", "realtime"):
        if word in spec["cpu"]:
            yield word, "true"
    if pages := spec["memory"].get("hugepages"):
        yield "hugepages", pages["pageSize"]


def _preference(guest: Guest) -> Plain:
    annotations = {
        _DISPLAY_NAME: guest.title,
        _DESCRIPTION: f"Devices and settings that {guest.title} works well with.",
        "iconClass": f"icon-{guest.icon}",
    }
    return _object(
        CLUSTER_PREFERENCE, guest.name, {f"{_GROUP}/os-type": guest.os_type}, annotations, guest.spec
    )


def _object(
    kind: Kind[Any], name: str, labels: dict[str, str], annotations: dict[str, str], spec: Plain
) -> Plain:
    return {
        "apiVersion": kind.api_version,
        "kind": kind.kind,
        "metadata": {
            "name": name,
            "labels": {VENDOR_LABEL: VENDOR, **labels},
            "annotations": annotations,
        },
        "spec": spec,
    }
