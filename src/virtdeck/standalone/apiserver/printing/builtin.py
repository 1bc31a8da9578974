"""The columns of built-in kinds, in Kubernetes' order and words."""

from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Any

from virtdeck.standalone.apiserver.printing.columns import (
    AGE,
    NAME,
    Cells,
    Obj,
    Printer,
    TableColumn,
    age,
    or_none,
    read,
)
from virtdeck.standalone.apiserver.printing.pods import NODES, PODS
from virtdeck.standalone.apiserver.resources.resource import Resource

Cell = Callable[[Obj, datetime], Any]
Field = tuple[str, Cell]


def _at(path: str, default: Any = "<none>") -> Cell:
    return lambda obj, _now: read(obj, path, default)


def _plain(*fields: Field, wide: tuple[Field, ...] = ()) -> Printer:
    """Name, the fields, age, and what only ``-o wide`` shows."""

    def cells(obj: Obj, now: datetime) -> Cells:
        shown = [cell(obj, now) for _name, cell in fields]
        more = [cell(obj, now) for _name, cell in wide]
        created = age(obj["metadata"].get("creationTimestamp"), now)
        return [obj["metadata"].get("name", ""), *shown, created, *more]

    columns = [TableColumn(name) for name, _cell in fields]
    extra = [TableColumn(name, priority=1) for name, _cell in wide]
    return Printer((NAME, *columns, AGE, *extra), cells)


def _created_at() -> Printer:
    column = TableColumn("Created At")
    return Printer(
        (NAME, column),
        lambda obj, _now: [obj["metadata"].get("name", ""), obj["metadata"].get("creationTimestamp", "")],
    )


def _count(path: str) -> Cell:
    return lambda obj, _now: len(read(obj, path, ()))


def _audiences(obj: Obj, _now: datetime) -> str:
    requests = read(obj, "spec.tokenRequests", ())
    return ",".join(one.get("audience", "") for one in requests) or "<unset>"


def _param_kind(obj: Obj, _now: datetime) -> str:
    kind = read(obj, "spec.paramKind", {})
    return f"{kind.get('apiVersion')}/{kind.get('kind')}" if kind else "<unset>"


def _param_ref(obj: Obj, _now: datetime) -> str:
    """A parameter's name with its namespace, or any that a selector chooses."""
    ref = read(obj, "spec.paramRef", {})
    if not ref:
        return "<unset>"
    name = ref.get("name") or "*"
    return f"{ref['namespace']}/{name}" if ref.get("namespace") else str(name)


def _data_count(obj: Obj, _now: datetime) -> int:
    return len(obj.get("data") or ()) + len(obj.get("binaryData") or ())


def _pairs(selector: Any) -> str:
    labels = (selector or {}).get("matchLabels") if isinstance(selector, dict) else None
    found = labels if isinstance(labels, dict) else selector
    text = ",".join(
        f"{key}={value}" for key, value in sorted((found or {}).items()) if isinstance(value, str)
    )
    return text or "<none>"


def _ports(obj: Obj, _now: datetime) -> str:
    shown = []
    for port in read(obj, "spec.ports", ()):
        node = f":{port['nodePort']}" if port.get("nodePort") else ""
        shown.append(f"{port.get('port')}{node}/{port.get('protocol', 'TCP')}")
    return ",".join(shown) or "<none>"


def _external(obj: Obj, _now: datetime) -> str:
    if read(obj, "spec.type") == "ExternalName":
        return str(read(obj, "spec.externalName", "<none>"))
    return ",".join(read(obj, "spec.externalIPs", ())) or "<none>"


def _endpoints(obj: Obj, _now: datetime) -> str:
    found = [
        f"{address.get('ip')}:{port.get('port')}"
        for subset in obj.get("subsets") or ()
        for port in subset.get("ports") or ()
        for address in subset.get("addresses") or ()
    ]
    shown = ",".join(found[:3])
    return f"{shown} + {len(found) - 3} more..." if len(found) > 3 else or_none(shown)


_MODES = {
    "ReadWriteOnce": "RWO",
    "ReadOnlyMany": "ROX",
    "ReadWriteMany": "RWX",
    "ReadWriteOncePod": "RWOP",
}


def _modes(path: str) -> Cell:
    return lambda obj, _now: ",".join(_MODES.get(mode, mode) for mode in read(obj, path, ()))


def _claim(obj: Obj, _now: datetime) -> str:
    ref = read(obj, "spec.claimRef")
    return f"{ref.get('namespace')}/{ref.get('name')}" if ref else ""


def _claim_phase(obj: Obj, _now: datetime) -> str:
    return "Terminating" if "deletionTimestamp" in obj["metadata"] else str(read(obj, "status.phase", ""))


def _role(obj: Obj, _now: datetime) -> str:
    return f"{read(obj, 'roleRef.kind', '')}/{read(obj, 'roleRef.name', '')}"


def _subjects(kind: str) -> Cell:
    def cell(obj: Obj, _now: datetime) -> str:
        found = [one for one in obj.get("subjects") or () if one.get("kind") == kind]
        names = (
            f"{one['namespace']}/{one['name']}" if one.get("namespace") else one["name"] for one in found
        )
        return ", ".join(names)

    return cell


def _controller(obj: Obj, _now: datetime) -> str:
    owners = obj["metadata"].get("ownerReferences") or ()
    return next(
        (f"{one['kind'].lower()}.{one['apiVersion'].partition('/')[0]}/{one['name']}" for one in owners
         if one.get("controller")),
        "<none>",
    )  # fmt: skip


def _service(obj: Obj, _now: datetime) -> str:
    service = read(obj, "spec.service")
    return f"{service.get('namespace')}/{service.get('name')}" if service else "Local"


def _available(obj: Obj, _now: datetime) -> str:
    found = next((one for one in read(obj, "status.conditions", ()) if one.get("type") == "Available"), None)
    if found is None:
        return "Unknown"
    return "True" if found.get("status") == "True" else f"{found.get('status')} ({found.get('reason')})"


def _quota(part: str) -> Cell:
    def cell(obj: Obj, _now: datetime) -> str:
        hard, used = read(obj, "status.hard", {}) or read(obj, "spec.hard", {}), read(obj, "status.used", {})
        names = sorted(name for name in hard if name.startswith("limits") == (part == "limits"))
        return ", ".join(f"{name}: {used.get(name, '0')}/{hard[name]}" for name in names)

    return cell


def _slice_addresses(obj: Obj, _now: datetime) -> str:
    found = [address for one in obj.get("endpoints") or () for address in one.get("addresses") or ()]
    return ",".join(found[:3]) or "<unset>"


_BINDING = (
    ("Users", _subjects("User")),
    ("Groups", _subjects("Group")),
    ("ServiceAccounts", _subjects("ServiceAccount")),
)


def _event_source(event: Obj) -> str:
    source = event.get("source") or event.get("deprecatedSource") or {}
    parts = [source.get("component") or event.get("reportingComponent") or event.get("reportingController")]
    return ", ".join(filter(None, [*parts, source.get("host")]))


def _event_cells(event: Obj, now: datetime) -> Cells:
    about = event.get("involvedObject") or event.get("regarding") or {}
    first = event.get("firstTimestamp") or event.get("deprecatedFirstTimestamp") or event.get("eventTime")
    series = event.get("series") or {}
    last = (
        series.get("lastObservedTime") or event.get("lastTimestamp") or event.get("deprecatedLastTimestamp")
    )
    count = series.get("count") or event.get("count") or event.get("deprecatedCount") or 1
    return [
        age(last or first, now),
        event.get("type", ""),
        event.get("reason", ""),
        f"{about.get('kind', '').lower()}/{about.get('name', '')}",
        about.get("fieldPath", ""),
        _event_source(event),
        str(event.get("message") or event.get("note") or "").strip(),
        age(first, now),
        count,
        event["metadata"].get("name", ""),
    ]


_EVENTS = Printer(
    (
        TableColumn("Last Seen"),
        TableColumn("Type"),
        TableColumn("Reason"),
        TableColumn("Object"),
        TableColumn("Subobject", priority=1),
        TableColumn("Source", priority=1),
        TableColumn("Message"),
        TableColumn("First Seen", priority=1),
        TableColumn("Count", "integer", "int32", priority=1),
        TableColumn("Name", format="name", priority=1),
    ),
    _event_cells,
)


@cache
def _printers() -> dict[str, Printer]:
    return {
        "pods": PODS,
        "nodes": NODES,
        "events": _EVENTS,
        "namespaces": _plain(("Status", _at("status.phase", ""))),
        "configmaps": _plain(("Data", _data_count)),
        "secrets": _plain(("Type", _at("type")), ("Data", _data_count)),
        "serviceaccounts": _plain(("Secrets", _count("secrets"))),
        "services": _plain(
            ("Type", _at("spec.type")),
            ("Cluster-IP", _at("spec.clusterIP")),
            ("External-IP", _external),
            ("Port(s)", _ports),
            wide=(("Selector", lambda obj, _now: _pairs(read(obj, "spec.selector"))),),
        ),
        "endpoints": _plain(("Endpoints", _endpoints)),
        "endpointslices": _plain(
            ("AddressType", _at("addressType")),
            (
                "Ports",
                lambda obj, _now: ",".join(str(p.get("port")) for p in obj.get("ports") or ()) or "<unset>",
            ),
            ("Endpoints", _slice_addresses),
        ),
        "persistentvolumeclaims": _plain(
            ("Status", _claim_phase),
            ("Volume", _at("spec.volumeName", "")),
            ("Capacity", _at("status.capacity.storage", "")),
            ("Access Modes", _modes("status.accessModes")),
            ("StorageClass", _at("spec.storageClassName", "")),
            ("VolumeAttributesClass", _at("spec.volumeAttributesClassName", "<unset>")),
            wide=(("VolumeMode", _at("spec.volumeMode", "<unset>")),),
        ),
        "persistentvolumes": _plain(
            ("Capacity", _at("spec.capacity.storage", "")),
            ("Access Modes", _modes("spec.accessModes")),
            ("Reclaim Policy", _at("spec.persistentVolumeReclaimPolicy", "")),
            ("Status", _claim_phase),
            ("Claim", _claim),
            ("StorageClass", _at("spec.storageClassName", "")),
            ("VolumeAttributesClass", _at("spec.volumeAttributesClassName", "<unset>")),
            ("Reason", _at("status.reason", "")),
            wide=(("VolumeMode", _at("spec.volumeMode", "<unset>")),),
        ),
        "storageclasses": _plain(
            ("Provisioner", _at("provisioner")),
            ("ReclaimPolicy", _at("reclaimPolicy")),
            ("VolumeBindingMode", _at("volumeBindingMode")),
            ("AllowVolumeExpansion", _at("allowVolumeExpansion", False)),
        ),
        "csidrivers": _plain(
            ("AttachRequired", _at("spec.attachRequired", True)),
            ("PodInfoOnMount", _at("spec.podInfoOnMount", False)),
            ("StorageCapacity", _at("spec.storageCapacity", False)),
            ("TokenRequests", _audiences),
            ("RequiresRepublish", _at("spec.requiresRepublish", False)),
            ("Modes", lambda obj, _now: ",".join(read(obj, "spec.volumeLifecycleModes", ()))),
        ),
        "csinodes": _plain(("Drivers", _count("spec.drivers"))),
        "leases": _plain(("Holder", _at("spec.holderIdentity", ""))),
        "controllerrevisions": _plain(("Controller", _controller), ("Revision", _at("revision", 0))),
        "poddisruptionbudgets": _plain(
            ("Min Available", _at("spec.minAvailable", "N/A")),
            ("Max Unavailable", _at("spec.maxUnavailable", "N/A")),
            ("Allowed Disruptions", _at("status.disruptionsAllowed", 0)),
        ),
        "priorityclasses": _plain(
            ("Value", _at("value", 0)),
            ("Global-Default", _at("globalDefault", False)),
            wide=(("PreemptionPolicy", _at("preemptionPolicy", "")),),
        ),
        "resourcequotas": _plain(("Request", _quota("requests")), ("Limit", _quota("limits"))),
        "limitranges": _created_at(),
        "networkpolicies": _plain(("Pod-Selector", lambda obj, _now: _pairs(read(obj, "spec.podSelector")))),
        "roles": _created_at(),
        "clusterroles": _created_at(),
        "rolebindings": _plain(("Role", _role), wide=_BINDING),
        "clusterrolebindings": _plain(("Role", _role), wide=_BINDING),
        "mutatingwebhookconfigurations": _plain(("Webhooks", _count("webhooks"))),
        "validatingwebhookconfigurations": _plain(("Webhooks", _count("webhooks"))),
        "validatingadmissionpolicies": _plain(
            ("Validations", _count("spec.validations")), ("ParamKind", _param_kind)
        ),
        "validatingadmissionpolicybindings": _plain(
            ("PolicyName", _at("spec.policyName", "")), ("ParamRef", _param_ref)
        ),
        "apiservices": _plain(("Service", _service), ("Available", _available)),
        "customresourcedefinitions": _created_at(),
    }


def printer_of(resource: Resource) -> Printer:
    """The printer of a built-in kind; name and age for one without columns of its own."""
    return _printers().get(resource.plural) or _plain()
