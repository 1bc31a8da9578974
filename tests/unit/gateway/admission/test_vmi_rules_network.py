"""Rules on networks, interfaces, ports and DHCP. Each row breaks one rule."""

from typing import Any

import pytest
from tests.unit.gateway.admission.build import causes, devices, fields, nic

from virtdeck.gateway.admission import ClusterConfig

_NIC = "spec.domain.devices.interfaces[0]"
_POD = {"name": "default", "pod": {}}
_MULTUS = {"name": "other", "multus": {"networkName": "lan"}}


def _nets(*networks: dict[str, Any]) -> dict[str, Any]:
    return {"networks": list(networks)}


def _nics(*interfaces: dict[str, Any]) -> dict[str, Any]:
    return devices(interfaces=list(interfaces))


def _dhcp(**options: Any) -> dict[str, Any]:
    return nic(dhcpOptions=options)


def _private(*numbers: int) -> dict[str, Any]:
    return _dhcp(privateOptions=[{"option": number, "value": "v"} for number in numbers])


def _ports(*ports: dict[str, Any]) -> dict[str, Any]:
    return nic(ports=list(ports))


def _ranges(*ranges: tuple[int, int], protocol: str = "TCP") -> dict[str, Any]:
    return nic(portRanges=[{"start": start, "end": end, "protocol": protocol} for start, end in ranges])


def _bound(**binding: Any) -> dict[str, Any]:
    return nic(masquerade=None, **binding)


def _boot_twice() -> dict[str, Any]:
    disk = {"name": "root", "disk": {"bus": "virtio"}, "bootOrder": 1}
    return devices(disks=[disk], interfaces=[{"name": "default", "masquerade": {}, "bootOrder": 1}])


BROKEN = [
    ("V186", _nets(_POD, {"name": "b", "pod": {}}), "spec.networks[1].pod"),
    (
        "V187",
        _nets(*({"name": n, "multus": {"networkName": "x", "default": True}} for n in "ab")),
        "spec.networks[1].multus.default",
    ),
    (
        "V188",
        _nets(_POD, {"name": "b", "multus": {"networkName": "x", "default": True}}),
        "spec.networks[1].multus.default",
    ),
    ("V189", _nets({"name": "default"}), "spec.networks[0]"),
    ("V190", _nets({**_POD, "multus": {"networkName": "x"}}), "spec.networks[0]"),
    (
        "V191",
        _nets({"name": "default", "multus": {"networkName": ""}}),
        "spec.networks[0].multus.networkName",
    ),
    ("V192", _nets(_POD, {**_MULTUS, "name": "default"}), "spec.networks[0].name"),
    ("V193", _nics({"name": "default", "masquerade": {}}, {"name": "default", "bridge": {}}), f"{_NIC}.name"),
    ("V194", _nets(_POD, _MULTUS), "spec.networks[1].name"),
    ("V195", _nets(_MULTUS), f"{_NIC}.name"),
    ("V196", _nets({"name": "a b", "pod": {}}) | _nics({"name": "a b", "masquerade": {}}), f"{_NIC}.name"),
    ("V197", nic(model="ne2000"), f"{_NIC}.model"),
    ("V198", nic(macAddress="02:00:00"), f"{_NIC}.macAddress"),
    ("V198", nic(macAddress="01:00:5e:00:00:01"), f"{_NIC}.macAddress"),
    ("V199", nic(pciAddress="81:01"), f"{_NIC}.pciAddress"),
    ("V200", nic(state="flapping"), f"{_NIC}.state"),
    ("V201", _bound(sriov={}, state="down"), f"{_NIC}.state"),
    ("V202", nic(state="absent"), f"{_NIC}.state"),
    ("V203", _bound(bridge={}, state="absent"), f"{_NIC}.state"),
    ("V204", _bound(), _NIC),
    ("V204", nic(bridge={}), _NIC),
    ("V205", _nets({**_MULTUS, "name": "default"}), f"{_NIC}.masquerade"),
    ("V206", nic(macAddress="02-00-00-00-00-00"), f"{_NIC}.macAddress"),
    ("V209", _nets({**_MULTUS, "name": "default"}) | _bound(passtBinding={}), f"{_NIC}.passtBinding"),
    ("V210", _ports({"name": "ssh", "port": 22}, {"name": "ssh", "port": 23}), f"{_NIC}.ports[0].name"),
    ("V211", _ports({"name": "SSH", "port": 22}), f"{_NIC}.ports[0].name"),
    ("V211", _ports({"name": "22", "port": 22}), f"{_NIC}.ports[0].name"),
    ("V212", _ports({"port": 0}), f"{_NIC}.ports[0].port"),
    ("V213", _ports({"port": 65536}), f"{_NIC}.ports[0].port"),
    ("V214", _ports({"port": 22, "protocol": "SCTP"}), f"{_NIC}.ports[0].protocol"),
    ("V215", _ranges((1, 2)), f"{_NIC}.portRanges"),
    (
        "V216",
        nic(ports=[{"port": 1}], portRanges=[{"start": 1, "end": 2, "protocol": "TCP"}]),
        f"{_NIC}.portRanges",
    ),
    ("V217", _bound(bridge={}, portRanges=[{"start": 1, "end": 2, "protocol": "TCP"}]), f"{_NIC}.portRanges"),
    ("V218", _ranges(*((n * 10, n * 10 + 1) for n in range(1, 12))), f"{_NIC}.portRanges"),
    ("V219", _ranges((1, 2), protocol="ICMP"), f"{_NIC}.portRanges[0].protocol"),
    ("V220", _ranges((0, 2)), f"{_NIC}.portRanges[0].start"),
    ("V221", _ranges((1, 70000)), f"{_NIC}.portRanges[0].end"),
    ("V222", _ranges((3, 2)), f"{_NIC}.portRanges[0].start"),
    ("V223", _ranges((1, 20), (20, 30)), f"{_NIC}.portRanges[1]"),
    ("V224", _private(230, 230), f"{_NIC}.dhcpOptions.privateOptions[0].option"),
    ("V225", _private(223), f"{_NIC}.dhcpOptions.privateOptions[0].option"),
    ("V226", _dhcp(ntpServers=["pool.ntp.org"]), f"{_NIC}.dhcpOptions.ntpServers[0]"),
    ("V227", _bound(slirp={}), f"{_NIC}.slirp"),
    ("V228", _bound(passt={}), f"{_NIC}.passt"),
    ("V229", _bound(macvtap={}), f"{_NIC}.macvtap"),
    ("V100", _boot_twice(), f"{_NIC}.bootOrder"),
]


@pytest.mark.parametrize(
    ("rule", "spec", "field"), BROKEN, ids=[f"{r}-{i}" for i, (r, _, _) in enumerate(BROKEN)]
)
def test_a_network_that_breaks_the_rule_is_refused(rule: str, spec: dict[str, Any], field: str) -> None:
    assert field in fields(spec), rule


SOUND: list[dict[str, Any]] = [
    nic(model="e1000", macAddress="02:00:00:12:34:56", bootOrder=1, state="down"),
    _bound(bridge={}),
    _nets(_POD, _MULTUS)
    | _nics({"name": "default", "masquerade": {}}, {"name": "other", "bridge": {}, "state": "absent"}),
    _ports({"name": "ssh", "port": 22}, {"port": 80, "protocol": "UDP"}),
    _dhcp(
        privateOptions=[{"option": 224, "value": "a"}, {"option": 254, "value": "b"}], ntpServers=["10.0.0.1"]
    ),
    {"networks": None, "domain": {"devices": {"interfaces": None, "autoattachPodInterface": False}}},
    {"networks": None, "domain": {"devices": {"interfaces": None}}},
]


@pytest.mark.parametrize("spec", SOUND, ids=str)
def test_a_sound_network_is_let_through(spec: dict[str, Any]) -> None:
    assert causes(spec) == []


def test_an_administrator_may_forbid_bridges_on_the_pod_network() -> None:
    """V207"""
    closed = ClusterConfig(bridge_on_pod_network=False)
    assert fields(_bound(bridge={}), cluster=closed) == {f"{_NIC}.bridge"}


def test_passt_needs_its_gate() -> None:
    """V208"""
    closed = ClusterConfig(disabled_gates=frozenset({"PasstBinding"}))
    assert fields(_bound(passtBinding={}), cluster=closed) == {f"{_NIC}.passtBinding"}


def test_port_ranges_work_with_their_gate() -> None:
    open_gate = ClusterConfig(enabled_gates=frozenset({"PortRangesSpec"}))
    assert causes(_ranges((1, 20), (21, 30)), cluster=open_gate) == []
