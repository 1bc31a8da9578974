"""What a VMI's interfaces need in its pod."""

import ipaddress
import json
from typing import Any

import pytest
from tests.unit.node_agent.builders import vmi

from virtdeck.basis.errors import Invalid
from virtdeck.crds.kubevirt.network import Interface
from virtdeck.node_agent.network.netlink import Link
from virtdeck.node_agent.network.nftables import translation_rules
from virtdeck.node_agent.network.plan import Uplink, guest_mac, plan_links
from virtdeck.node_agent.network.prepare import describe, format_alias, parse_alias
from virtdeck.node_agent.network.resolver import Resolver, choose_resolver, parse_resolv_conf

UPLINK = Uplink(
    mac="0a:58:0a:58:00:05",
    mtu=1440,
    addresses=(ipaddress.ip_interface("10.88.0.5/16"),),
    gateway=ipaddress.ip_address("10.88.0.1"),
)
DUAL = Uplink("0a:58:0a:58:00:05", 1500, (*UPLINK.addresses, ipaddress.ip_interface("fd00::5/64")))


def links(binding: str, pod: dict[str, Any] | None = None, uplink: Uplink = UPLINK, **interface: Any) -> Any:
    spec = {
        "domain": {"devices": {"interfaces": [{"name": "default", binding: {}, **interface}]}},
        "networks": [{"name": "default", "pod": pod or {}}],
    }
    return plan_links(vmi(spec=spec), uplink)


def test_masquerade_gives_the_guest_the_second_address_behind_the_first() -> None:
    (link,) = links("masquerade")
    assert (str(link.server), str(link.guest), str(link.router)) == ("10.0.2.1/24", "10.0.2.2/24", "10.0.2.1")
    assert (link.bridge, link.tap, link.mtu) == ("k6t-eth0", "tap0", 1440)
    assert link.guest_v6 is None


def test_the_guests_network_can_be_chosen() -> None:
    (link,) = links("masquerade", {"vmNetworkCIDR": "172.30.0.0/29"})
    assert str(link.guest) == "172.30.0.2/29"


def test_a_network_without_room_is_refused() -> None:
    with pytest.raises(Invalid):
        links("masquerade", {"vmNetworkCIDR": "172.30.0.0/31"})


def test_a_dual_stack_pod_gives_a_dual_stack_guest() -> None:
    (link,) = links("masquerade", uplink=DUAL)
    assert str(link.guest_v6) == "fd10:0:2::2/120"


def test_bridge_binding_gives_the_guest_the_pods_address() -> None:
    (link,) = links("bridge")
    assert (str(link.guest), str(link.router)) == ("10.88.0.5/16", "10.88.0.1")


def test_the_specs_mac_is_kept_and_others_are_stable_and_local() -> None:
    assert guest_mac(Interface(name="a", mac_address="DE-AD-00-00-BE-AF"), vmi()) == "de:ad:00:00:be:af"
    made = guest_mac(Interface(name="a"), vmi())
    assert made == guest_mac(Interface(name="a"), vmi())
    assert made.startswith("02:")
    assert made != guest_mac(Interface(name="b"), vmi())


def test_a_vms_next_guest_has_the_same_mac() -> None:
    owner = {
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachine",
        "name": "v",
        "uid": "vm",
        "controller": True,
    }
    first = vmi(metadata={"uid": "one", "ownerReferences": [owner]})
    second = vmi(metadata={"uid": "two", "ownerReferences": [owner]})
    assert guest_mac(Interface(name="a"), first) == guest_mac(Interface(name="a"), second)


@pytest.mark.parametrize(
    "spec",
    [
        {
            "domain": {"devices": {"interfaces": [{"name": "n", "sriov": {}}]}},
            "networks": [{"name": "n", "pod": {}}],
        },
        {"domain": {"devices": {"interfaces": [{"name": "n", "bridge": {}}]}}, "networks": []},
        {
            "domain": {"devices": {"interfaces": [{"name": "n", "bridge": {}}, {"name": "m", "bridge": {}}]}},
            "networks": [{"name": "n", "pod": {}}, {"name": "m", "pod": {}}],
        },
    ],
)
def test_what_is_not_offered_is_refused_by_field(spec: dict[str, Any]) -> None:
    with pytest.raises(Invalid) as caught:
        plan_links(vmi(spec=spec), UPLINK)
    assert caught.value.reason == "InvalidNetwork"
    assert caught.value.causes[0].field.startswith("spec.")


def test_without_ports_everything_is_led_in() -> None:
    text = json.dumps(translation_rules(links("masquerade")[0]))
    assert text.count('"dnat"') == 1
    assert "dport" not in text


def test_with_ports_only_those_are_led_in() -> None:
    ports = [{"port": 22}, {"port": 53, "protocol": "UDP"}]
    text = json.dumps(translation_rules(links("masquerade", ports=ports)[0]))
    assert text.count('"dnat"') == 2
    assert '{"protocol": "udp", "field": "dport"}' in text


def test_ipv6_has_a_table_of_its_own() -> None:
    assert '"family": "ip6"' in json.dumps(translation_rules(links("masquerade", uplink=DUAL)[0]))


def test_the_launcher_is_told_what_dhcp_needs() -> None:
    made = describe(links("masquerade"), Resolver(("9.9.9.9",), ("lan",)), vmi())
    (dhcp,) = made.dhcp
    assert (dhcp.server, dhcp.address, dhcp.prefix_length) == ("10.0.2.1", "10.0.2.2", 24)
    assert (dhcp.dns, dhcp.search, dhcp.mtu, dhcp.host_name) == (("9.9.9.9",), ("lan",), 1440, "demo")
    assert made.interfaces[0].tap == "tap0"


@pytest.mark.parametrize("uplink", [UPLINK, DUAL])
def test_addresses_that_moved_to_the_guest_are_read_back(uplink: Uplink) -> None:
    link = Link(2, "eth0", uplink.mac, uplink.mtu, 3, True, format_alias(uplink))
    assert parse_alias(link) == uplink


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["nameserver 9.9.9.9\nsearch a b\n"], Resolver(("9.9.9.9",), ("a", "b"))),
        (["nameserver 127.0.0.53\nsearch a", "nameserver 192.0.2.1"], Resolver(("192.0.2.1",))),
        (["nameserver 127.0.0.1\nsearch a"], Resolver(("10.88.0.1",), ("a",))),
        ([], Resolver(("10.88.0.1",))),
        (["nameserver ::1\nnameserver x\n# nameserver 1.1.1.1\n"], Resolver(("10.88.0.1",))),
    ],
)
def test_a_resolver_on_the_hosts_loopback_is_replaced(texts: list[str], expected: Resolver) -> None:
    assert choose_resolver(texts, "10.88.0.1") == expected


def test_at_most_three_name_servers_are_passed_on() -> None:
    text = "\n".join(f"nameserver 192.0.2.{n}" for n in range(1, 9))
    assert len(parse_resolv_conf(text).servers) == 3
