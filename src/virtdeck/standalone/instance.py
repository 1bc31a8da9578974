"""What one instance chose once and keeps: its id, ports, listen address and pod subnet."""

import errno
import ipaddress
import json
import random
import secrets
import socket
import subprocess

import msgspec

from virtdeck.basis.errors import Conflict, Invalid
from virtdeck.standalone.addresses import in_url, reached_host
from virtdeck.standalone.state import StateFolder, write_file

DEFAULT_LISTEN = "127.0.0.1:8900"
_PREFERRED_APISERVER_PORT = 6443
# Second octets of 10.x.0.0/20: not Docker's, not flannel's (10.244), not the usual service ranges (10.96).
_SUBNET_OCTETS = range(64, 95)


class Instance(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The instance's own facts; ports are on 127.0.0.1."""

    id: str
    listen: str
    apiserver_port: int
    gateway_port: int
    handler_port: int
    pod_subnet: str
    node_name: str

    @property
    def bridge(self) -> str:
        """The Linux bridge that joins this instance's pods."""
        return f"vd-{self.id}"

    @property
    def listens_on_loopback(self) -> bool:
        return ipaddress.ip_address(split_address(self.listen)[0]).is_loopback

    @property
    def console_url(self) -> str:
        """As browsers reach the console: an address that can be dialled, also when it listens on all."""
        scheme = "http" if self.listens_on_loopback else "https"
        host, port = split_address(self.listen)
        return f"{scheme}://{in_url(reached_host(host))}:{port}"

    @property
    def apiserver_url(self) -> str:
        return f"https://127.0.0.1:{self.apiserver_port}"


def load_instance(state: StateFolder) -> Instance | None:
    """The instance of this state folder, None before its first start. Raises: Invalid."""
    path = state.path("instance.json")
    if not path.exists():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Instance)
    except msgspec.DecodeError as fault:
        raise Invalid(f"{path} is damaged ({fault}); restore it from a backup") from fault


def choose_instance(state: StateFolder, listen: str | None, running: bool = False) -> Instance:
    """The instance as recorded, made on first start; ``listen`` replaces its address.

    Unless it is ``running``, inner ports that somebody else has taken since are chosen anew.
    Raises: Invalid, Conflict when the console's address is somebody else's, or would change while it runs.
    """
    if listen is not None:
        split_address(listen)
    found = load_instance(state)
    if found is None:
        found = _new_instance(listen or DEFAULT_LISTEN)
    elif listen is not None and listen != found.listen:
        if running:
            raise Conflict(
                f"it runs already, at {found.console_url}; ./virtdeck down first, then up with --listen"
            )
        found = msgspec.structs.replace(found, listen=listen)
    if not running:
        found = _with_free_ports(found)
    write_file(state.path("instance.json"), msgspec.json.format(msgspec.json.encode(found)), mode=0o644)
    return found


def split_address(text: str) -> tuple[str, int]:
    """``127.0.0.1:80`` or ``[::1]:80`` in parts. Raises: Invalid."""
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    try:
        ipaddress.ip_address(host)
        number = int(port)
    except ValueError:
        colon = ""
        number = 0
    if not colon or not 0 < number < 65536:
        raise Invalid(f"--listen wants ADDRESS:PORT with an IP address, as in 127.0.0.1:8900, not {text!r}")
    return host, number


def _new_instance(listen: str) -> Instance:
    ports = _free_ports(2)
    return Instance(
        id=secrets.token_hex(3),
        listen=listen,
        apiserver_port=_free_port(_PREFERRED_APISERVER_PORT),
        gateway_port=ports[0],
        handler_port=ports[1],
        pod_subnet=str(_free_subnet(_routed_networks())),
        node_name=socket.gethostname().lower(),
    )


def _with_free_ports(instance: Instance) -> Instance:
    host, port = split_address(instance.listen)
    if not _is_free(host, port):
        raise Conflict(f"something else listens on {instance.listen}; name another address with --listen")
    return msgspec.structs.replace(
        instance,
        apiserver_port=_free_port(instance.apiserver_port),
        gateway_port=_free_port(instance.gateway_port),
        handler_port=_free_port(instance.handler_port),
    )


def _is_free(host: str, port: int) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        # As the servers bind: connections that are just ending do not count.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as fault:
            if fault.errno == errno.EADDRNOTAVAIL:
                raise Invalid(f"{host} is not an address of this host; name one with --listen") from fault
            return False
    return True


def _free_port(preferred: int) -> int:
    return preferred if _is_free("127.0.0.1", preferred) else _free_ports(1)[0]


def _free_ports(count: int) -> list[int]:
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()


def _routed_networks() -> list[ipaddress.IPv4Network]:
    answer = subprocess.run(["ip", "-j", "-4", "route"], capture_output=True, check=True, timeout=10)
    found = [route.get("dst", "") for route in json.loads(answer.stdout or b"[]")]
    return [ipaddress.IPv4Network(text) for text in found if text not in ("", "default")]


def _free_subnet(taken: list[ipaddress.IPv4Network]) -> ipaddress.IPv4Network:
    candidates = [
        ipaddress.IPv4Network(f"10.{octet}.{block}.0/20")
        for octet in _SUBNET_OCTETS
        for block in range(0, 256, 16)
    ]
    # At random, since the network of an instance that is stopped, or has no pod yet, shows in no route.
    random.SystemRandom().shuffle(candidates)
    for candidate in candidates:
        if not any(candidate.overlaps(network) for network in taken):
            return candidate
    raise Invalid("no network 10.64.0.0/20 … 10.94.0.0/20 is free for the pods on this host")
