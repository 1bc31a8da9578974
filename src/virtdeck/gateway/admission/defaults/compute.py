"""Processors and memory (D10–D14, D31)."""

from virtdeck.crds.plain import Plain, part
from virtdeck.crds.quantity import format_bytes
from virtdeck.gateway.admission.amounts import bytes_or_none, milli_or_none
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.default import Defaults
from virtdeck.gateway.admission.defaults.draft import Draft

DEFAULTS: Defaults[Draft] = Defaults("VMI")

_USUAL_CPU_REQUEST = "100m"
_MOST_VCPUS = 512
_MOST_SOCKETS = 2**31 - 1  # far beyond what is allowed, and still a number that JSON carries
_HOTPLUG_LEAST = 2**30
_HOTPLUG_STEP = 2**21


@DEFAULTS.fills("D10", "spec.domain.resources.requests.cpu", "the CPU limit")
def cpu_request_from_limit(draft: Draft) -> None:
    """It is absent and there is a limit."""
    limit = _amount(draft, "limits", "cpu")
    if limit is not None and _amount(draft, "requests", "cpu") is None:
        part(part(draft.domain, "resources"), "requests")["cpu"] = limit


@DEFAULTS.fills("D11", "spec.domain.resources.requests.cpu", "the cluster's cpuRequest")
def cpu_request_of_the_cluster(draft: Draft) -> None:
    """It is absent and the cluster has one other than 100m, which the pod gets anyway."""
    usual = draft.cluster.cpu_request
    if usual not in (None, _USUAL_CPU_REQUEST) and _amount(draft, "requests", "cpu") is None:
        part(part(draft.domain, "resources"), "requests")["cpu"] = usual


@DEFAULTS.fills("D12", "spec.domain.memory.guest", "the memory request, else the limit")
def guest_memory_from_resources(draft: Draft) -> None:
    """It is absent."""
    found = _amount(draft, "requests", "memory") or _amount(draft, "limits", "memory")
    if found and (draft.domain.get("memory") or {}).get("guest") is None:
        part(draft.domain, "memory")["guest"] = found


@DEFAULTS.fills("D13", "spec.domain.memory.guest", "one huge page")
def guest_memory_from_pages(draft: Draft) -> None:
    """It is absent, and there are huge pages but neither a request nor a limit of memory."""
    memory = draft.domain.get("memory") or {}
    page = (memory.get("hugepages") or {}).get("pageSize")
    if page and memory.get("guest") is None:
        memory["guest"] = page


@DEFAULTS.fills("D14a", "spec.domain.cpu.sockets", "the CPU limit, else the request, rounded up")
def sockets(draft: Draft) -> None:
    """Nothing is said of cores, sockets and threads."""
    cpu = part(draft.domain, "cpu")
    if any(cpu.get(key) for key in ("cores", "sockets", "threads")):
        return
    amounts = [milli_or_none(_amount(draft, kind, "cpu")) for kind in ("limits", "requests")]
    milli = next((amount for amount in amounts if amount and amount > 0), 0)
    cpu["sockets"] = min(max(-(-milli // 1000), 1), _MOST_SOCKETS)


@DEFAULTS.fills("D14b", "spec.domain.cpu.{cores|sockets|threads}", "1")
def topology(draft: Draft) -> None:
    """It is absent."""
    cpu = part(draft.domain, "cpu")
    for key in ("cores", "sockets", "threads"):
        if not cpu.get(key):
            cpu[key] = 1


@DEFAULTS.fills(
    "D31a", "spec.domain.cpu.maxSockets", "the cluster's maxCpuSockets, else 4 × sockets (maxHotplugRatio)"
)
def most_sockets(draft: Draft) -> None:
    """It is absent, changes reach running guests (vmRolloutStrategy LiveUpdate), and this is not arm64."""
    cpu = part(draft.domain, "cpu")
    if _grows(draft) and not cpu.get("maxSockets"):
        cpu["maxSockets"] = _max_sockets(cpu, draft.cluster)


@DEFAULTS.fills(
    "D31b", "spec.domain.memory.maxGuest", "the cluster's maxGuest, else 4 × guest (maxHotplugRatio)"
)
def most_memory(draft: Draft) -> None:
    """It is absent, changes reach running guests, and the guest's memory can grow: nobody asked for it."""
    if not _grows(draft) or (draft.domain.get("memory") or {}).get("maxGuest") is not None:
        return
    most = _max_guest(draft)
    if most is not None:
        part(draft.domain, "memory")["maxGuest"] = most


def _amount(draft: Draft, kind: str, name: str) -> str | int | float | None:
    found: str | int | float | None = ((draft.domain.get("resources") or {}).get(kind) or {}).get(name)
    return found


def _grows(draft: Draft) -> bool:
    return draft.cluster.live_update and draft.architecture != "arm64"


def _max_sockets(cpu: Plain, cluster: ClusterConfig) -> int:
    count = int(cpu["sockets"])
    most = cluster.max_cpu_sockets or count * cluster.max_hotplug_ratio
    per_socket = int(cpu["cores"]) * int(cpu["threads"])
    return max(count, min(most, _MOST_VCPUS // max(per_socket, 1)))


def _max_guest(draft: Draft) -> str | None:
    """None where memory cannot grow."""
    domain, cluster = draft.domain, draft.cluster
    cpu, guest = domain.get("cpu") or {}, bytes_or_none((domain.get("memory") or {}).get("guest"))
    if guest is None or guest < _HOTPLUG_LEAST or guest % _HOTPLUG_STEP or draft.architecture != "amd64":
        return None
    fixed = (cpu.get("realtime"), cpu.get("numa"), domain.get("launchSecurity"))
    if any(part is not None for part in fixed):
        return None
    most = bytes_or_none(cluster.max_guest) or guest * cluster.max_hotplug_ratio
    return format_bytes(most) if most >= guest and most % _HOTPLUG_STEP == 0 else None
