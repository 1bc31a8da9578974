"""What Prometheus reads, under KubeVirt's names."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import anyio
import structlog

from virtdeck.basis.errors import VirtdeckError
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.node_agent.api.context import Api
from virtdeck.wire import launcher as wire

_STATS_SECONDS = 2.0

# Metric, libvirt's counter, factor to the metric's unit. A counter with ``#`` is one a device.
_COUNTERS: tuple[tuple[str, str, float], ...] = (
    ("kubevirt_vmi_cpu_usage_seconds_total", "cpu.time", 1e-9),
    ("kubevirt_vmi_cpu_user_usage_seconds_total", "cpu.user", 1e-9),
    ("kubevirt_vmi_cpu_system_usage_seconds_total", "cpu.system", 1e-9),
    ("kubevirt_vmi_memory_actual_balloon_bytes", "balloon.current", 1024),
    ("kubevirt_vmi_memory_resident_bytes", "balloon.rss", 1024),
    ("kubevirt_vmi_memory_unused_bytes", "balloon.unused", 1024),
    ("kubevirt_vmi_memory_usable_bytes", "balloon.usable", 1024),
    ("kubevirt_vmi_network_receive_bytes_total", "net.#.rx.bytes", 1),
    ("kubevirt_vmi_network_transmit_bytes_total", "net.#.tx.bytes", 1),
    ("kubevirt_vmi_network_receive_packets_total", "net.#.rx.pkts", 1),
    ("kubevirt_vmi_network_transmit_packets_total", "net.#.tx.pkts", 1),
    ("kubevirt_vmi_storage_read_traffic_bytes_total", "block.#.rd.bytes", 1),
    ("kubevirt_vmi_storage_write_traffic_bytes_total", "block.#.wr.bytes", 1),
    ("kubevirt_vmi_storage_iops_read_total", "block.#.rd.reqs", 1),
    ("kubevirt_vmi_storage_iops_write_total", "block.#.wr.reqs", 1),
)
_DEVICE_LABELS = {"net": "interface", "block": "drive"}

log = structlog.get_logger()


async def render_metrics(api: Api) -> bytes:
    """The text that a scrape gets; launchers that do not answer in time are left out."""
    stats: dict[str, dict[str, Any]] = {}
    async with anyio.create_task_group() as group:
        for vmi in api.vmis.all():
            group.start_soon(partial(_read_stats, api, vmi, stats))
    lines = ["# TYPE kubevirt_virt_handler_ready_status gauge", "kubevirt_virt_handler_ready_status 1"]
    lines += _connections(api)
    for vmi in api.vmis.all():
        lines.append(_info(vmi))
        lines += render_stats(_labels(vmi), stats.get(vmi.metadata.uid, {}))
    return ("\n".join(lines) + "\n").encode()


async def _read_stats(api: Api, vmi: VirtualMachineInstance, into: dict[str, dict[str, Any]]) -> None:
    link = api.launchers.get(vmi.metadata.uid)
    if link is None or link.conversation is None:
        return
    request = wire.ReadStats(id=link.conversation.next_id())
    try:
        answer = await link.conversation.ask(request, wire.Stats, _STATS_SECONDS)
    except VirtdeckError as fault:
        log.debug("stats_not_read", vmi=vmi.metadata.name, reason=fault.reason)
    else:
        into[vmi.metadata.uid] = answer.values


def render_stats(labels: dict[str, str], values: dict[str, Any]) -> list[str]:
    """One VMI's counters as Prometheus lines."""
    lines: list[str] = []
    for metric, counter, factor in _COUNTERS:
        for extra, value in _find(counter, values):
            lines.append(f"{metric}{_render_labels(labels | extra)} {value * factor:.17g}")
    return lines


def _find(counter: str, values: dict[str, Any]) -> Iterator[tuple[dict[str, str], float]]:
    """The counter's value, or one a device with the device's name."""
    kind, separator, rest = counter.partition(".#.")
    if not separator:
        if isinstance(value := values.get(counter), int | float):
            yield {}, value
        return
    for index in range(min(int(values.get(f"{kind}.count") or 0), 64)):
        if isinstance(value := values.get(f"{kind}.{index}.{rest}"), int | float):
            yield {_DEVICE_LABELS[kind]: str(values.get(f"{kind}.{index}.name", index))}, value


def _connections(api: Api) -> list[str]:
    lines: list[str] = []
    by_uid = {vmi.metadata.uid: vmi for vmi in api.vmis.all()}
    for metric, numbers in (
        ("kubevirt_vnc_active_connections", api.sessions.count("vnc")),
        ("kubevirt_console_active_connections", api.sessions.count("console")),
    ):
        for uid, number in numbers.items():
            if uid in by_uid:
                meta = by_uid[uid].metadata
                labels = {"namespace": meta.namespace, "vmi": meta.name}
                lines.append(f"{metric}{_render_labels(labels)} {number}")
    return lines


def _labels(vmi: VirtualMachineInstance) -> dict[str, str]:
    return {
        "node": vmi.status.node_name or "",
        "namespace": vmi.metadata.namespace,
        "name": vmi.metadata.name,
    }


def _info(vmi: VirtualMachineInstance) -> str:
    os = vmi.status.guest_os_info
    labels = _labels(vmi) | {
        "phase": (vmi.status.phase or "").lower(),
        "guest_os_name": (os and os.name) or "",
        "guest_os_version_id": (os and os.version_id) or "",
        "guest_os_kernel_release": (os and os.kernel_release) or "",
    }
    return f"kubevirt_vmi_info{_render_labels(labels)} 1"


def _render_labels(labels: dict[str, str]) -> str:
    pairs = ",".join(f'{name}="{_escape(value)}"' for name, value in labels.items())
    return f"{{{pairs}}}"


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
