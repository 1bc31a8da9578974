"""Examples for the rules of networks, interfaces, bindings and ports."""

from typing import Any

from tests.unit.gateway.admission.build import Plain, devices, nic
from tests.unit.gateway.admission.examples.example import Example, gates, subject, without

from virtdeck.gateway.admission import ClusterConfig

_NIC = "spec.domain.devices.interfaces[0]"
_POD, _LAN = {"name": "default", "pod": {}}, {"name": "lan", "multus": {"networkName": "lan"}}
_MASKED, _BRIDGED = {"name": "default", "masquerade": {}}, {"name": "lan", "bridge": {}}
_RANGES, _DRA = gates("PortRangesSpec"), gates("NetworkDevicesWithDRA")


def _nets(*networks: Plain) -> Plain:
    return {"networks": list(networks)}


def _nics(*interfaces: Plain) -> Plain:
    return devices(interfaces=list(interfaces))


def _lan(**changes: Any) -> Plain:
    """A bridge to a second network beside the pod's."""
    return _nets(_POD, _LAN) | _nics(_MASKED, {**_BRIDGED, **changes})


def _bound(**binding: Any) -> Plain:
    return nic(masquerade=None, **binding)


def _private(*numbers: int) -> Plain:
    return nic(dhcpOptions={"privateOptions": [{"option": number, "value": "v"} for number in numbers]})


def _ports(*ports: Plain) -> Plain:
    return nic(ports=list(ports))


def _ranges(*ranges: tuple[int, int], protocol: str = "TCP", **changes: Any) -> Any:
    found = [{"start": start, "end": end, "protocol": protocol} for start, end in ranges]
    return subject(nic(portRanges=found, **changes), cluster=_RANGES)


def _claimed(*requests: Plain, declared: str = "c", **options: Any) -> Any:
    """Networks whose devices are claimed, beside the pod's, with changes to each claim."""
    names = [f"n{index}" for index, _ in enumerate(requests)]
    claims = [{"claimName": "c", "requestName": f"r{index}", **found} for index, found in enumerate(requests)]
    networks = [{"name": name, "resourceClaim": claim} for name, claim in zip(names, claims, strict=True)]
    interfaces = [{"name": name, "sriov": {}} for name in names]
    spec = _nets(_POD, *networks) | _nics(_MASKED, *interfaces)
    resource = {"resourceClaims": [{"name": declared, "resourceClaimName": "mine"}]}
    return subject(spec | resource, *options.pop("changes", ()), cluster=options.pop("cluster", _DRA))


_NETWORKS = {
    "V186": Example(
        subject(_nets(_POD, {"name": "b", "pod": {}}) | _nics(_MASKED, {"name": "b", "masquerade": {}})),
        subject(_lan()),
        "spec.networks[1].pod",
    ),
    "V187": Example(
        subject(
            _nets(*({"name": n, "multus": {"networkName": "x", "default": True}} for n in "ab"))
            | _nics(*({"name": n, "bridge": {}} for n in "ab"))
        ),
        subject(
            _nets({"name": "a", "multus": {"networkName": "x", "default": True}})
            | _nics({"name": "a", "bridge": {}})
        ),
    ),
    "V188": Example(
        subject(
            _nets(_POD, {"name": "lan", "multus": {"networkName": "x", "default": True}})
            | _nics(_MASKED, _BRIDGED)
        ),
        subject(_lan()),
    ),
    "V189": Example(subject(_nets({"name": "lan"}) | _nics(_BRIDGED)), subject(_lan())),
    "V190": Example(
        subject(_nets({**_POD, "multus": {"networkName": "x"}})), subject(_nets(_POD)), "spec.networks[0]"
    ),
    "V191": Example(
        subject(_nets({"name": "lan", "multus": {"networkName": ""}}) | _nics(_BRIDGED)), subject(_lan())
    ),
    "V192": Example(
        subject(_nets(_POD, {**_LAN, "name": "default"}) | _nics({"name": "default", "bridge": {}})),
        subject(_lan()),
    ),
    "network_has_a_name": Example(
        subject(_nets({"name": "", "pod": {}}) | _nics({"name": "", "masquerade": {}})),
        subject(_nets(_POD)),
        beside=("V196",),
    ),
    "V193": Example(
        subject(_nics(_MASKED, _MASKED)), subject(_nics(_MASKED)), "spec.domain.devices.interfaces[1].name"
    ),
    "V194": Example(subject(_nets(_POD, _LAN)), subject(_lan()), "spec.networks[1].name"),
    "V195": Example(
        subject(_nics(_MASKED, _BRIDGED)), subject(_lan()), "spec.domain.devices.interfaces[1].name"
    ),
    "V230": Example(_claimed({}, cluster=ClusterConfig()), _claimed({}), "spec.networks[1].resourceClaim"),
    "V231": Example(
        _claimed(
            {},
            changes=(
                _nets({"name": "n0", "resourceClaim": {"claimName": "c", "requestName": "r"}}, _LAN)
                | _nics({"name": "n0", "sriov": {}}, _BRIDGED),
            ),
        ),
        subject(_lan(), cluster=_DRA),
    ),
    "V232": Example(_claimed({}, declared="d"), _claimed({})),
    "V233": Example(_claimed({"requestName": "r"}, {"requestName": "r"}), _claimed({}, {})),
    "V234": Example(_claimed({"claimName": ""}), _claimed({})),
    "V235": Example(_claimed({"requestName": None}), _claimed({})),
    "V236": Example(
        _claimed({}, changes=(_nics(_MASKED, {"name": "n0", "bridge": {}}),)),
        (_claimed({}), _claimed({}, changes=(_nics(_MASKED, {"name": "n0", "binding": {"name": "p"}}),))),
        "spec.domain.devices.interfaces[1]",
    ),
}
_INTERFACES = {
    "V196": Example(
        subject(_nets({"name": "a b", "pod": {}}) | _nics({"name": "a b", "masquerade": {}})),
        subject(_nets({"name": "A_b-1", "pod": {}}) | _nics({"name": "A_b-1", "masquerade": {}})),
    ),
    "V197": Example(subject(nic(model="ne2000")), subject(nic(model="e1000e"))),
    "V198": Example(
        (subject(nic(macAddress="02:00:00")), subject(nic(macAddress="02:00:00:00:00:00:00:01"))),
        subject(nic(macAddress="02-00-00-12-34-56")),
    ),
    "mac_is_of_one_interface": Example(
        subject(nic(macAddress="01:00:5e:00:00:01")), subject(nic(macAddress="02:00:00:12:34:56"))
    ),
    "V199": Example(subject(nic(pciAddress="81:01")), subject(nic(pciAddress="0000:81:01.0"))),
    "V200": Example(subject(nic(state="flapping")), subject(nic(state="down"))),
    "V201": Example(subject(_lan(bridge=None, sriov={}, state="down")), subject(_lan(state="down"))),
    "V202": Example(subject(_lan(bridge=None, sriov={}, state="absent")), subject(_lan(state="absent"))),
    "V203": Example(subject(_bound(bridge={}, state="absent")), subject(_lan(state="absent"))),
    "V224": Example(
        subject(_private(230, 230)),
        subject(_private(224, 254)),
        f"{_NIC}.dhcpOptions.privateOptions[1].option",
    ),
    "V225": Example((subject(_private(223)), subject(_private(255))), subject(_private(224))),
    "V226": Example(
        subject(nic(dhcpOptions={"ntpServers": ["pool.ntp.org"]})),
        subject(nic(dhcpOptions={"ntpServers": ["10.0.0.1"]})),
    ),
}
_BINDINGS = {
    "V204": Example((subject(_bound()), subject(nic(bridge={}))), subject(_bound(bridge={})), _NIC),
    "V205": Example(subject(_lan(bridge=None, masquerade={})), subject(nic())),
    "V206": Example(
        (subject(nic(macAddress="02-00-00-00-00-00")), subject(nic(macAddress="02:00:00:00:00:00"))),
        subject(_bound(bridge={}, macAddress="02:00:00:00:00:00")),
    ),
    "V207": Example(
        subject(_bound(bridge={}), cluster=ClusterConfig(bridge_on_pod_network=False)),
        (subject(_bound(bridge={})), subject(_lan(), cluster=ClusterConfig(bridge_on_pod_network=False))),
    ),
    "V208": Example(
        subject(_bound(passtBinding={}), cluster=without("PasstBinding")), subject(_bound(passtBinding={}))
    ),
    "V209": Example(subject(_lan(bridge=None, passtBinding={})), subject(_bound(passtBinding={}))),
    "V227": Example(subject(_bound(slirp={})), subject(_bound(slirp={}), is_new=False)),
    "V228": Example(subject(_bound(passt={})), subject(_bound(passtBinding={}))),
    "V229": Example(subject(_bound(macvtap={})), subject(_bound(bridge={}))),
}
_PORTS = {
    "V210": Example(
        subject(_ports({"name": "ssh", "port": 22}, {"name": "ssh", "port": 23})),
        subject(_ports({"name": "ssh", "port": 22}, {"port": 23}, {"port": 24})),
        f"{_NIC}.ports[1].name",
    ),
    "V211": Example(
        (subject(_ports({"name": "SSH", "port": 22})), subject(_ports({"name": "22", "port": 22}))),
        subject(_ports({"name": "ssh-2", "port": 22})),
    ),
    "V212": Example(subject(_ports({"port": 0})), subject(_ports({"port": 1}))),
    "V213": Example(
        (subject(_ports({"port": 65536})), subject(_ports({"port": -1}))), subject(_ports({"port": 65535}))
    ),
    "V214": Example(
        subject(_ports({"port": 22, "protocol": "SCTP"})), subject(_ports({"port": 22, "protocol": "UDP"}))
    ),
    "V215": Example(subject(nic(portRanges=[{"start": 1, "end": 2, "protocol": "TCP"}])), _ranges((1, 2))),
    "V216": Example(_ranges((1, 2), ports=[{"port": 3}]), _ranges((1, 2))),
    "V217": Example(_ranges((1, 2), masquerade=None, bridge={}), _ranges((1, 2))),
    "V218": Example(
        _ranges(*((n * 10, n * 10 + 1) for n in range(1, 12))),
        _ranges(*((n * 10, n * 10 + 1) for n in range(1, 11))),
    ),
    "V219": Example(
        (_ranges((1, 2), protocol="ICMP"), _ranges((1, 2), protocol="")), _ranges((1, 2), protocol="UDP")
    ),
    "V220": Example(_ranges((0, 2)), _ranges((1, 2))),
    "V221": Example(_ranges((1, 70000)), _ranges((1, 65535))),
    "V222": Example(_ranges((3, 2)), _ranges((3, 3))),
    "V223": Example(_ranges((1, 20), (20, 30)), _ranges((1, 20), (21, 30)), f"{_NIC}.portRanges[1]"),
}
EXAMPLES: dict[str, Example] = {**_NETWORKS, **_INTERFACES, **_BINDINGS, **_PORTS}
