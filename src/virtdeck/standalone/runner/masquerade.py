"""Pods reach the outside under the host's address: one nftables table per instance, and forwarding."""

import subprocess
from pathlib import Path

from virtdeck.basis.errors import HostFault

_SECONDS = 10
_FORWARDING = (Path("/proc/sys/net/ipv4/ip_forward"), Path("/proc/sys/net/ipv6/conf/all/forwarding"))


def masquerade_rules(table: str, bridge: str, subnets: tuple[str, ...]) -> str:
    """A script for ``nft -f`` that makes the table anew, all at once; pure."""
    rules = "".join(
        f'    {"ip6" if ":" in subnet else "ip"} saddr {subnet} oifname != "{bridge}" masquerade\n'
        for subnet in subnets
    )
    return (
        f"table inet {table} {{}}\nflush table inet {table}\ntable inet {table} {{\n  chain postrouting {{\n"
        f"    type nat hook postrouting priority srcnat; policy accept;\n{rules}  }}\n}}\n"
    )


def open_the_way(table: str, bridge: str, subnets: tuple[str, ...]) -> None:
    """Packets from pods leave the host with its address. Raises: HostFault."""
    _allow_forwarding(any(":" in subnet for subnet in subnets))
    script = masquerade_rules(table, bridge, subnets)
    try:
        done = subprocess.run(
            ["nft", "-f", "-"], input=script, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise HostFault(f"nft cannot be run: {fault}") from fault
    if done.returncode:
        raise HostFault(f"nftables refused the masquerade rules: {done.stderr.strip()[:300]}")


def _allow_forwarding(six: bool) -> None:
    for path in _FORWARDING[: 2 if six else 1]:
        try:
            if path.read_text().strip() != "1":
                path.write_text("1")
        except OSError as fault:
            raise HostFault(f"{path} cannot be set, so pods reach nothing: {fault.strerror}") from fault
