"""Connections to ports of a guest: only to the address that the pod network gave its launcher."""

import asyncio
import socket
from collections.abc import Iterable

import anyio

from virtdeck.basis.errors import Conflict, Invalid, Unready
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.caches import BY_VMI
from virtdeck.gateway.subresources import checks
from virtdeck.gateway.subresources.calls import Call, require_vm, require_vmi
from virtdeck.serving.asgi import Scope
from virtdeck.serving.bridge import Bridge, BridgeOptions
from virtdeck.serving.takeover import takeover_of

_DIAL_SECONDS = 10.0


async def forward_vm(call: Call, scope: Scope, subprotocol: str | None) -> None:
    """A port of the VM's instance was reached and the connection is over."""
    vm = await require_vm(call)
    if not vm.status.created:
        raise Conflict("the virtual machine is not running")
    await forward_vmi(call, scope, subprotocol)


async def forward_vmi(call: Call, scope: Scope, subprotocol: str | None) -> None:
    """A port of the instance was reached and the connection is over.

    Raises: Absent, Conflict, Invalid, Unready before the WebSocket is accepted.
    """
    port = checks.read_port(call.match.parameters[0])
    protocol = checks.read_protocol(call.match.parameters[1] if len(call.match.parameters) > 1 else "tcp")
    vmi = await require_vmi(call)
    checks.check_forward(vmi)
    address = launcher_address(vmi, call.context.caches.pods.find(BY_VMI, vmi.metadata.uid))
    channel = await _connect(address, port, protocol)
    await Bridge(takeover_of(scope), BridgeOptions(subprotocol=subprotocol)).run(channel)


def launcher_address(vmi: VirtualMachineInstance, pods: Iterable[Pod]) -> str:
    """The address that the pod network recorded for the instance's own launcher pod.

    What the guest or its agent says is shown to people and never dialled; a pod that merely carries the
    labels is not the launcher. Raises: Invalid, Conflict.
    """
    reported = {interface.ip_address for interface in vmi.status.interfaces or ()} | {
        address for interface in vmi.status.interfaces or () for address in interface.ip_addresses or ()
    }
    for pod in pods:
        if not _is_launcher(vmi, pod) or pod.status is None:
            continue
        recorded = [entry.ip for entry in pod.status.pod_ips or ()] or [pod.status.pod_ip or ""]
        for address in recorded:
            if address and address in reported:
                return address
        raise Invalid("the instance has no address in the pod network", reason="BadRequest")
    raise Conflict("the instance's launcher pod is not known yet")


def _is_launcher(vmi: VirtualMachineInstance, pod: Pod) -> bool:
    owned = any(
        owner.controller and owner.uid == vmi.metadata.uid for owner in pod.metadata.owner_references or ()
    )
    active = vmi.status.active_pods
    return owned and (not active or pod.metadata.uid in active)


async def _connect(address: str, port: int, protocol: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    channel = socket.socket(family, socket.SOCK_DGRAM if protocol == "udp" else socket.SOCK_STREAM)
    try:
        channel.setblocking(False)
        if protocol == "tcp":
            channel.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with anyio.fail_after(_DIAL_SECONDS):
            await asyncio.get_running_loop().sock_connect(channel, (address, port))
    except (OSError, TimeoutError) as fault:
        channel.close()
        raise Unready(
            f"port {port} of the guest does not answer: {fault or 'timed out'}", reason="PortUnreachable"
        ) from fault
    except BaseException:
        channel.close()
        raise
    return channel
