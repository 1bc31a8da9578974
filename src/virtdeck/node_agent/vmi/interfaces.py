"""The VMI's interfaces: addresses from the pod, names and further addresses from the guest's agent; pure."""

from dataclasses import dataclass
from typing import Any

from virtdeck.crds.kubevirt.network import Interface
from virtdeck.crds.kubevirt.vmi_status import VirtualMachineInstanceNetworkInterface
from virtdeck.node_agent.network.plan import POD_DEVICE, guest_mac
from virtdeck.node_agent.vmi.seen import Seen
from virtdeck.wire.launcher import LauncherState

# Source: S-15 of the security bar; a guest may claim thousands.
MAX_INTERFACES = 32
MAX_ADDRESSES = 16
_LONGEST_NAME = 64

Shown = VirtualMachineInstanceNetworkInterface


@dataclass(frozen=True)
class Claim:
    """One interface as the guest's agent describes it."""

    name: str
    mac: str
    addresses: tuple[str, ...]


def interface_statuses(seen: Seen, state: LauncherState) -> tuple[Shown, ...] | None:
    """Every interface of the spec, then those that only the guest knows; None without any.

    What others dial is the pod's address: the agent's word is shown and never dialled.
    """
    claims = parse_claims(state.agent.interfaces)
    macs = state.domain.macs if state.domain else {}
    asked = seen.vmi.spec.domain.devices.interfaces or ()
    shown = [_of_spec(seen, interface, macs, claims) for interface in asked]
    known = {interface.mac for interface in shown}
    shown += [_of_claim(claim) for claim in claims if claim.mac not in known]
    return tuple(shown[:MAX_INTERFACES]) or None


def parse_claims(reported: tuple[dict[str, Any], ...]) -> list[Claim]:
    """The agent's interfaces, cut to what a status may hold; loopback is left out."""
    return [
        Claim(
            name=str(entry.get("name", ""))[:_LONGEST_NAME],
            mac=str(entry.get("mac", ""))[:17].lower(),
            addresses=_addresses(entry.get("ipAddresses")),
        )
        for entry in reported[:MAX_INTERFACES]
        if entry.get("name") != "lo"
    ]


def _addresses(reported: object) -> tuple[str, ...]:
    if not isinstance(reported, list | tuple):
        return ()
    return tuple(str(address)[:45] for address in reported[:MAX_ADDRESSES])


def _of_spec(seen: Seen, interface: Interface, macs: dict[str, str], claims: list[Claim]) -> Shown:
    mac = macs.get(interface.name, guest_mac(interface, seen.vmi)).lower()
    claim = next((claim for claim in claims if claim.mac == mac), None)
    addresses = _pod_addresses(seen)
    return Shown(
        name=interface.name,
        mac=mac,
        ip_address=addresses[0] if addresses else None,
        ip_addresses=addresses or None,
        interface_name=claim.name if claim else None,
        info_source="domain, guest-agent" if claim else "domain",
        queue_count=1,
        link_state="down" if interface.state == "down" else "up",
        pod_interface_name=POD_DEVICE,
    )


def _of_claim(claim: Claim) -> Shown:
    return Shown(
        mac=claim.mac or None,
        ip_address=claim.addresses[0] if claim.addresses else None,
        ip_addresses=claim.addresses or None,
        interface_name=claim.name,
        info_source="guest-agent",
    )


def _pod_addresses(seen: Seen) -> tuple[str, ...]:
    if seen.pod is None:
        shown = next(
            (i for i in seen.vmi.status.interfaces or () if i.pod_interface_name == POD_DEVICE), None
        )
        return (shown and shown.ip_addresses) or ()
    found = tuple(entry.ip for entry in seen.pod.status.pod_ips or () if entry.ip)
    return found or ((seen.pod.status.pod_ip,) if seen.pod.status.pod_ip else ())
