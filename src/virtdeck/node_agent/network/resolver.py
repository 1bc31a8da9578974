"""Which name servers a guest is told, from the resolv.conf of its pod or host."""

import ipaddress
from dataclasses import dataclass

_MAX_SERVERS = 3  # what glibc's resolver uses
_MAX_SEARCH = 6


@dataclass(frozen=True)
class Resolver:
    """Name servers that a guest can reach, and its search domains."""

    servers: tuple[str, ...] = ()
    search: tuple[str, ...] = ()


def parse_resolv_conf(text: str) -> Resolver:
    """What a resolv.conf says; servers on a loopback address are left out, for they are not the guest's."""
    servers: list[str] = []
    search: tuple[str, ...] = ()
    for line in text.splitlines():
        words = line.split("#", 1)[0].split(";", 1)[0].split()
        if len(words) >= 2 and words[0] == "nameserver" and _is_reachable(words[1]):
            servers.append(words[1])
        elif len(words) >= 2 and words[0] in {"search", "domain"}:
            search = tuple(words[1:])
    return Resolver(tuple(servers[:_MAX_SERVERS]), search[:_MAX_SEARCH])


def choose_resolver(texts: list[str], fallback: str | None) -> Resolver:
    """The first file that names a usable server; else ``fallback`` (the pod's gateway), the first's search.

    A host whose resolver listens on loopback alone often has the real servers in a second file.
    """
    parsed = [parse_resolv_conf(text) for text in texts]
    for resolver in parsed:
        if resolver.servers:
            return resolver
    search = parsed[0].search if parsed else ()
    return Resolver((fallback,) if fallback else (), search)


def _is_reachable(server: str) -> bool:
    try:
        address = ipaddress.ip_address(server.split("%", 1)[0])
    except ValueError:
        return False
    return address.version == 4 and not address.is_loopback and not address.is_unspecified
