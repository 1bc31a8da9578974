"""Processors and memory (D10–D14, D31)."""

from virtdeck.crds.plain import Plain, part
from virtdeck.crds.quantity import format_bytes
from virtdeck.gateway.admission.amounts import bytes_or_none, milli_or_none
from virtdeck.gateway.admission.cluster import ClusterConfig

_USUAL_CPU_REQUEST = "100m"
_MOST_VCPUS = 512
_MOST_SOCKETS = 2**31 - 1  # far beyond what is allowed, and still a number that JSON carries
_HOTPLUG_LEAST = 2**30
_HOTPLUG_STEP = 2**21


def fill_cpu_request(spec: Plain, cluster: ClusterConfig) -> None:
    resources = spec["domain"].get("resources") or {}
    limit, request = (resources.get("limits") or {}).get("cpu"), (resources.get("requests") or {}).get("cpu")
    wanted = limit
    if wanted is None and cluster.cpu_request not in (None, _USUAL_CPU_REQUEST):
        wanted = cluster.cpu_request
    if request is None and wanted is not None:
        part(part(spec["domain"], "resources"), "requests")["cpu"] = wanted


def fill_guest_memory(spec: Plain) -> None:
    domain = spec["domain"]
    resources, memory = domain.get("resources") or {}, domain.get("memory") or {}
    if memory.get("guest") is not None:
        return
    page = (memory.get("hugepages") or {}).get("pageSize")
    requested = [(resources.get(kind) or {}).get("memory") for kind in ("requests", "limits")]
    found = next((amount for amount in (*requested, page) if amount), None)
    if found is not None:
        part(domain, "memory")["guest"] = found


def fill_topology(spec: Plain) -> None:
    """Sockets follow the CPU limit or request when nothing was said; one of everything else."""
    cpu = part(spec["domain"], "cpu")
    if not any(cpu.get(key) for key in ("cores", "sockets", "threads")):
        resources = spec["domain"].get("resources") or {}
        amounts = [milli_or_none((resources.get(kind) or {}).get("cpu")) for kind in ("limits", "requests")]
        milli = next((amount for amount in amounts if amount and amount > 0), 0)
        cpu["sockets"] = min(max(-(-milli // 1000), 1), _MOST_SOCKETS)
    for key in ("cores", "sockets", "threads"):
        if not cpu.get(key):
            cpu[key] = 1


def fill_room_to_grow(spec: Plain, cluster: ClusterConfig) -> None:
    """With live update, sockets and memory that may be added while the guest runs."""
    if not cluster.live_update or spec["architecture"] == "arm64":
        return
    cpu, memory = part(spec["domain"], "cpu"), part(spec["domain"], "memory")
    if not cpu.get("maxSockets"):
        cpu["maxSockets"] = _max_sockets(cpu, cluster)
    most = _max_guest(spec, cluster)
    if memory.get("maxGuest") is None and most:
        memory["maxGuest"] = most


def _max_sockets(cpu: Plain, cluster: ClusterConfig) -> int:
    sockets = int(cpu["sockets"])
    most = cluster.max_cpu_sockets or sockets * cluster.max_hotplug_ratio
    per_socket = int(cpu["cores"]) * int(cpu["threads"])
    return max(sockets, min(most, _MOST_VCPUS // max(per_socket, 1)))


def _max_guest(spec: Plain, cluster: ClusterConfig) -> str | None:
    """None where memory cannot be added; the author did not ask for it, so nothing is refused."""
    domain = spec["domain"]
    cpu, guest = domain.get("cpu") or {}, bytes_or_none(domain["memory"].get("guest"))
    if guest is None or guest < _HOTPLUG_LEAST or guest % _HOTPLUG_STEP or spec["architecture"] != "amd64":
        return None
    if (
        cpu.get("realtime") is not None
        or cpu.get("numa") is not None
        or domain.get("launchSecurity") is not None
    ):
        return None
    most = bytes_or_none(cluster.max_guest) or guest * cluster.max_hotplug_ratio
    return format_bytes(most) if most >= guest and most % _HOTPLUG_STEP == 0 else None
