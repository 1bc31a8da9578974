"""The pod's network, made in real namespaces with a real kernel's stack in the guest's place."""

import os
import pwd
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.integration.node_agent.conftest import LAUNCHER_UID, PodNetwork, ip

from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.node_agent.network.namespace import run_in_namespace
from virtdeck.node_agent.network.prepare import PreparedNetwork, prepare_network

pytestmark = [pytest.mark.root, pytest.mark.anyio]


@pytest.fixture
def pod(pod_network: PodNetwork) -> PodNetwork:
    return pod_network


@pytest.fixture
def namespace(pod: PodNetwork) -> Iterator[int]:
    descriptor = os.open(f"/run/netns/{pod.netns}", os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


def vmi(binding: str, **interface: object) -> VirtualMachineInstance:
    plain = {
        "metadata": {"name": "demo", "namespace": "default", "uid": "0d0b1c2e"},
        "spec": {
            "domain": {"devices": {"interfaces": [{"name": "default", binding: {}, **interface}]}},
            "networks": [{"name": "default", "pod": {}}],
        },
    }
    return decode(plain, VirtualMachineInstance)


def plug_guest(pod: PodNetwork, address: str, router: str) -> None:
    """A kernel's own network stack stands on the bridge where the guest would."""
    ip("link", "add", "g0", "type", "veth", "peer", "name", "eth0", "netns", pod.guest, netns=pod.netns)
    ip("link", "set", "g0", "master", "k6t-eth0", "up", netns=pod.netns)
    ip("link", "set", "eth0", "up", netns=pod.guest)
    ip("address", "add", address, "dev", "eth0", netns=pod.guest)
    ip("route", "add", "default", "via", router, netns=pod.guest)


async def in_netns(name: str, work: Any) -> Any:
    descriptor = os.open(f"/run/netns/{name}", os.O_RDONLY)
    try:
        return await run_in_namespace(descriptor, work)
    finally:
        os.close(descriptor)


def listen() -> socket.socket:
    server = socket.create_server(("0.0.0.0", 2222))
    server.settimeout(5)
    return server


def listen_for_datagrams() -> socket.socket:
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.bind(("0.0.0.0", 2222))
    receiver.settimeout(5)
    return receiver


def dial(address: str, port: int = 2222) -> socket.socket:
    return socket.create_connection((address, port), timeout=5)


async def peer_seen_by(listener_netns: str, dialler_netns: str, address: str) -> str:
    """The address from which the listener sees the dialler come."""
    server = await in_netns(listener_netns, listen)
    client = await in_netns(dialler_netns, lambda: dial(address))
    accepted, peer = server.accept()
    for end in (server, client, accepted):
        end.close()
    return str(peer[0])


async def test_masquerade_leads_every_port_to_the_guest_and_hides_it_outside(
    pod: PodNetwork, namespace: int
) -> None:
    made = await prepare_network(vmi("masquerade"), namespace, LAUNCHER_UID)
    plug_guest(pod, "10.0.2.2/24", "10.0.2.1")
    assert await peer_seen_by(pod.guest, pod.host, "10.88.0.5") == "10.88.0.1"
    assert await peer_seen_by(pod.host, pod.guest, "10.88.0.1") == "10.88.0.5"
    (dhcp,) = made.dhcp
    assert (dhcp.server, dhcp.address, dhcp.prefix_length) == ("10.0.2.1", "10.0.2.2", 24)
    assert dhcp.mtu == 1440


async def test_the_tap_belongs_to_the_launcher_and_has_room_for_offloads(
    pod: PodNetwork, namespace: int
) -> None:
    await prepare_network(vmi("masquerade"), namespace, LAUNCHER_UID)
    tap = pod.links()["tap0"]
    assert tap["mtu"] == 1440
    assert tap["master"] == "k6t-eth0"
    assert tap["linkinfo"]["info_data"]["vnet_hdr"] is True
    assert tap["linkinfo"]["info_data"]["user"] == pwd.getpwuid(LAUNCHER_UID).pw_name


async def test_listed_ports_alone_are_led_in(pod: PodNetwork, namespace: int) -> None:
    await prepare_network(vmi("masquerade", ports=[{"port": 22}]), namespace, LAUNCHER_UID)
    plug_guest(pod, "10.0.2.2/24", "10.0.2.1")
    server = await in_netns(pod.guest, listen)
    with pytest.raises(ConnectionRefusedError):
        await in_netns(pod.host, lambda: dial("10.88.0.5"))
    server.close()


async def test_a_guest_cannot_send_from_an_address_that_is_not_its_own(
    pod: PodNetwork, namespace: int
) -> None:
    await prepare_network(vmi("masquerade"), namespace, LAUNCHER_UID)
    plug_guest(pod, "10.0.2.2/24", "10.0.2.1")
    ip("address", "add", "10.0.2.9/24", "dev", "eth0", netns=pod.guest)

    def forge() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.bind(("10.0.2.9", 0))
            sender.sendto(b"forged", ("10.88.0.1", 2222))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.bind(("10.0.2.2", 0))
            sender.sendto(b"honest", ("10.88.0.1", 2222))

    receiver = await in_netns(pod.host, listen_for_datagrams)
    await in_netns(pod.guest, forge)
    assert receiver.recv(64) == b"honest"
    receiver.close()


async def test_preparing_again_changes_nothing(pod: PodNetwork, namespace: int) -> None:
    first = await prepare_network(vmi("masquerade"), namespace, LAUNCHER_UID)
    shape, rules = pod.shape(), pod.rules()
    began = time.monotonic()
    again = await prepare_network(vmi("masquerade"), namespace, LAUNCHER_UID)
    print(f"prepared again in {1000 * (time.monotonic() - began):.1f} ms")
    assert again == first
    assert pod.shape() == shape
    assert pod.rules() == rules


async def test_bridge_binding_hands_the_pods_address_to_the_guest(pod: PodNetwork, namespace: int) -> None:
    made = await prepare_network(vmi("bridge"), namespace, LAUNCHER_UID)
    (dhcp,) = made.dhcp
    assert (dhcp.address, dhcp.prefix_length, dhcp.router) == ("10.88.0.5", 16, "10.88.0.1")
    plug_guest(pod, "10.88.0.5/16", "10.88.0.1")
    assert await peer_seen_by(pod.guest, pod.host, "10.88.0.5") == "10.88.0.1"


async def test_bridge_binding_knows_the_address_after_a_restart(pod: PodNetwork, namespace: int) -> None:
    first: PreparedNetwork = await prepare_network(vmi("bridge"), namespace, LAUNCHER_UID)
    again = await prepare_network(vmi("bridge"), namespace, LAUNCHER_UID)
    assert again == first
    assert not [a for a in pod.links()["eth0"]["addr_info"] if a["family"] == "inet"]


async def test_router_advertisements_are_not_believed_in_the_pod(pod: PodNetwork, namespace: int) -> None:
    await prepare_network(vmi("masquerade"), namespace, LAUNCHER_UID)
    value = await in_netns(pod.netns, Path("/proc/sys/net/ipv6/conf/eth0/accept_ra").read_text)
    assert value.strip() == "0"
