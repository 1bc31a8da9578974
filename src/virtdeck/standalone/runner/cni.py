"""Calls CNI plugins: each is a program that reads a network's configuration and answers with addresses."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio

from virtdeck.basis.errors import HostFault

VERSION = "1.0.0"
_SECONDS = 30.0
_PLUGINS = frozenset({"bridge", "loopback", "host-local"})


@dataclass(frozen=True)
class Attachment:
    """One container's place in a network. container: CNI's id, ours to choose."""

    container: str
    namespace: str
    interface: str


@dataclass(frozen=True)
class Network:
    """The pods' network of one instance. subnets: one of each family at most, IPv4 first."""

    name: str
    bridge: str
    subnets: tuple[str, ...]
    data_dir: str

    def bridge_config(self) -> dict[str, Any]:
        """What the bridge plugin is told; the bridge has the gateway's address, so the host reaches pods."""
        routes = [{"dst": "::/0" if ":" in subnet else "0.0.0.0/0"} for subnet in self.subnets]
        ipam = {
            "type": "host-local",
            "ranges": [[{"subnet": subnet}] for subnet in self.subnets],
            "routes": routes,
            "dataDir": self.data_dir,
        }
        return {
            "cniVersion": VERSION,
            "name": self.name,
            "type": "bridge",
            "bridge": self.bridge,
            "isGateway": True,
            "ipMasq": False,
            "hairpinMode": True,
            "ipam": ipam,
        }

    def loopback_config(self) -> dict[str, Any]:
        """What the loopback plugin is told."""
        return {"cniVersion": VERSION, "name": self.name, "type": "loopback"}


async def attach(plugins: Path, network: Network, attachment: Attachment) -> tuple[str, ...]:
    """The container has its interface; the answer is its addresses, without prefix. Raises: HostFault."""
    await _call(plugins, "ADD", network.loopback_config(), _on(attachment, "lo"))
    result = await _call(plugins, "ADD", network.bridge_config(), attachment)
    return tuple(str(entry["address"]).partition("/")[0] for entry in result.get("ips", ()))


async def detach(plugins: Path, network: Network, attachment: Attachment) -> None:
    """The interface and the lease are gone, whether they were there or not. Raises: HostFault."""
    await _call(plugins, "DEL", network.bridge_config(), attachment)


def _on(attachment: Attachment, interface: str) -> Attachment:
    return Attachment(attachment.container, attachment.namespace, interface)


async def _call(plugins: Path, command: str, config: dict[str, Any], to: Attachment) -> dict[str, Any]:
    if config["type"] not in _PLUGINS:
        raise HostFault(f"{config['type']!r} is not a plugin that virtdeck uses")
    environment = {
        "CNI_COMMAND": command,
        "CNI_CONTAINERID": to.container,
        "CNI_NETNS": to.namespace,
        "CNI_IFNAME": to.interface,
        "CNI_PATH": str(plugins),
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    }
    try:
        with anyio.fail_after(_SECONDS):
            done = await anyio.run_process(
                [str(plugins / config["type"])],
                input=json.dumps(config).encode(),
                env=environment,
                check=False,
            )
    except TimeoutError as fault:
        raise HostFault(f"the CNI plugin {config['type']} did not answer within {_SECONDS:.0f} s") from fault
    except OSError as fault:
        raise HostFault(f"the CNI plugin {config['type']} cannot be run: {fault.strerror}") from fault
    return _answer(config["type"], done.returncode, done.stdout)


def _answer(plugin: str, code: int, output: bytes) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = json.loads(output) if output.strip() else {}
    except ValueError as fault:
        raise HostFault(f"the CNI plugin {plugin} answered with {output[:200]!r}") from fault
    if code:
        raise HostFault(f"the CNI plugin {plugin} failed: {answer.get('msg', 'no reason given')}")
    return answer
