"""The address translation of a masquerade link, as nft's JSON and in the kernel.

A guest may send from its own address alone: what it forges is dropped before it leaves the pod.
"""

import ipaddress
import subprocess
from typing import Any

import orjson

from virtdeck.basis.errors import HostFault
from virtdeck.node_agent.network.plan import POD_DEVICE, GuestLink, Port

_TABLE = "virtdeck"
_NFT_SECONDS = 10.0
# Source: nftables' named priorities dstnat, filter and srcnat
_DSTNAT, _FILTER, _SRCNAT = -100, 0, 100


def translation_rules(link: GuestLink) -> dict[str, Any]:
    """nft's commands that replace our table, whatever it held: out as the pod, in to the guest."""
    commands: list[dict[str, Any]] = []
    if link.guest is not None:
        commands += _family_rules("ip", link.guest.ip, link)
    if link.guest_v6 is not None:
        commands += _family_rules("ip6", link.guest_v6.ip, link)
    return {"nftables": commands}


def apply_rules(rules: dict[str, Any]) -> None:
    """The calling thread's namespace has these rules, all or none. Raises: HostFault."""
    try:
        subprocess.run(
            ["nft", "-j", "-f", "-"], input=orjson.dumps(rules), check=True, capture_output=True,
            timeout=_NFT_SECONDS,
        )  # fmt: skip
    except FileNotFoundError as fault:
        raise HostFault("nft is not installed; the package nftables has it") from fault
    except subprocess.CalledProcessError as fault:
        raise HostFault(f"nft refused the rules: {fault.stderr.decode(errors='replace')[:500]}") from fault
    except subprocess.TimeoutExpired as fault:
        raise HostFault(f"nft did not end within {_NFT_SECONDS:.0f} s") from fault


def _family_rules(
    family: str, guest: ipaddress.IPv4Address | ipaddress.IPv6Address, link: GuestLink
) -> list[dict[str, Any]]:
    address = str(guest)
    table = {"family": family, "name": _TABLE}
    source = {"payload": {"protocol": family, "field": "saddr"}}
    from_guest = _match({"meta": {"key": "iifname"}}, link.bridge)
    out = _match({"meta": {"key": "oifname"}}, POD_DEVICE)
    return [
        {"add": {"table": table}},  # so that the deletion finds one
        {"delete": {"table": table}},
        {"add": {"table": table}},
        _chain(family, "prerouting", "nat", _DSTNAT),
        _chain(family, "forward", "filter", _FILTER),
        _chain(family, "postrouting", "nat", _SRCNAT),
        *(_inward(family, address, match) for match in _port_matches(link.ports)),
        _rule(family, "forward", [from_guest, _match(source, address, "!="), {"drop": None}]),
        _rule(family, "postrouting", [_match(source, address), out, {"masquerade": None}]),
    ]


def _chain(family: str, hook: str, kind: str, priority: int) -> dict[str, Any]:
    chain = {
        "family": family, "table": _TABLE, "name": hook, "type": kind, "hook": hook, "prio": priority,
        "policy": "accept",
    }  # fmt: skip
    return {"add": {"chain": chain}}


def _inward(family: str, address: str, match: list[dict[str, Any]]) -> dict[str, Any]:
    arrives = _match({"meta": {"key": "iifname"}}, POD_DEVICE)
    return _rule(family, "prerouting", [arrives, *match, {"dnat": {"addr": address}}])


def _port_matches(ports: tuple[Port, ...]) -> list[list[dict[str, Any]]]:
    """One match for each listed port, or one that takes everything."""
    if not ports:
        return [[]]
    return [
        [_match({"payload": {"protocol": port.protocol, "field": "dport"}}, port.number)] for port in ports
    ]


def _match(left: dict[str, Any], right: str | int, operator: str = "==") -> dict[str, Any]:
    return {"match": {"op": operator, "left": left, "right": right}}


def _rule(family: str, chain: str, expression: list[dict[str, Any]]) -> dict[str, Any]:
    return {"add": {"rule": {"family": family, "table": _TABLE, "chain": chain, "expr": expression}}}
