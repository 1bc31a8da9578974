"""Under which addresses this host is reached, for an instance that listens on all of them."""

import ipaddress
import json
import socket
import subprocess

# Documentation addresses: connecting a UDP socket sends nothing, it only asks for the route.
_SOMEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
_OUR_BRIDGES = "vd-"


def is_everywhere(host: str) -> bool:
    """The address stands for all of the host's."""
    return ipaddress.ip_address(host).is_unspecified


def reached_host(host: str) -> str:
    """The host part of URLs for somebody who listens on ``host``: an address that others can dial."""
    if not is_everywhere(host):
        return host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_SOMEWHERE[family], 9))
        except OSError:  # a host without a route is reached from itself alone
            return "localhost"
        return str(probe.getsockname()[0])


def in_url(host: str) -> str:
    """The host as URLs write it."""
    return f"[{host}]" if ":" in host else host


def covered_hosts(host: str) -> tuple[str, ...]:
    """What a certificate must name for whoever reaches a listener on ``host``: itself, or every address."""
    return tuple(sorted(_host_addresses())) if is_everywhere(host) else (host,)


def _host_addresses() -> set[str]:
    answer = subprocess.run(["ip", "-j", "addr"], capture_output=True, check=True, timeout=10)
    return {
        address["local"]
        for link in json.loads(answer.stdout or b"[]")
        # Pods' bridges come and go, and a link-local address needs a zone, which no certificate names.
        if not link.get("ifname", "").startswith(_OUR_BRIDGES)
        for address in link.get("addr_info", ())
        if not ipaddress.ip_address(address["local"]).is_link_local
    }
