"""Each interface by itself (V196–V203, V224–V226)."""

from collections.abc import Iterator

from virtdeck.gateway.admission.rule import DUPLICATE, FORBIDDEN, INVALID, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.words import (
    MAC_WORDS,
    PCI_WORDS,
    is_device_name,
    is_group_address,
    is_ipv4,
    is_mac,
    is_pci_address,
)

RULES: Rules[Subject] = Rules("VMI")

_INTERFACE = "spec.domain.devices.interfaces[]"
_OPTION = f"{_INTERFACE}.dhcpOptions.privateOptions[].option"
_PRIVATE_OPTIONS = range(224, 255)


@RULES.rule("V196", f"{_INTERFACE}.name", INVALID, "must be letters, digits, '_' and '-'")
def interface_name_fits_into_aliases(vmi: Subject) -> Iterator[Place]:
    """It has other characters, and becomes part of libvirt's names."""
    for index, interface in enumerate(vmi.interfaces):
        if not is_device_name(interface.name):
            yield at(index)


@RULES.choice(
    "V197", f"{_INTERFACE}.model", "virtio", "e1000", "e1000e", "igb", "ne2k_pci", "pcnet", "rtl8139"
)
def interface_model_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    for index, interface in enumerate(vmi.interfaces):
        yield at(index, value=interface.model)


@RULES.rule("V198", f"{_INTERFACE}.macAddress", INVALID, f"must be {MAC_WORDS}")
def mac_is_an_address(vmi: Subject) -> Iterator[Place]:
    """It is another text."""
    for index, interface in enumerate(vmi.interfaces):
        if interface.mac_address and not is_mac(interface.mac_address):
            yield at(index)


@RULES.rule(
    "", f"{_INTERFACE}.macAddress", INVALID, "is a group's address; the first pair must be an even number"
)
def mac_is_of_one_interface(vmi: Subject) -> Iterator[Place]:
    """It is a multicast address, which no interface may have."""
    for index, interface in enumerate(vmi.interfaces):
        mac = interface.mac_address
        if mac and is_mac(mac) and is_group_address(mac):
            yield at(index)


@RULES.rule("V199", f"{_INTERFACE}.pciAddress", INVALID, f"must be {PCI_WORDS}")
def interface_pci_address_is_one(vmi: Subject) -> Iterator[Place]:
    """It is another text."""
    for index, interface in enumerate(vmi.interfaces):
        if interface.pci_address and not is_pci_address(interface.pci_address):
            yield at(index)


@RULES.choice("V200", f"{_INTERFACE}.state", "absent", "up", "down")
def state_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    for index, interface in enumerate(vmi.interfaces):
        yield at(index, value=interface.state)


@RULES.rule(
    "V201",
    f"{_INTERFACE}.state",
    FORBIDDEN,
    "cannot be up or down for sriov: the guest has the device itself",
)
def sriov_has_no_state(vmi: Subject) -> Iterator[Place]:
    """It is up or down and the binding is sriov."""
    for index, interface in enumerate(vmi.interfaces):
        if interface.sriov is not None and interface.state in ("up", "down"):
            yield at(index)


@RULES.rule("V202", f"{_INTERFACE}.state", FORBIDDEN, "can be absent with the bridge binding only")
def only_a_bridge_goes(vmi: Subject) -> Iterator[Place]:
    """It is absent and the binding is another."""
    for index, interface in enumerate(vmi.interfaces):
        if interface.state == "absent" and interface.bridge is None:
            yield at(index)


@RULES.rule("V203", f"{_INTERFACE}.state", FORBIDDEN, "cannot be absent on the VM's own network")
def own_network_stays(vmi: Subject) -> Iterator[Place]:
    """It is absent and the network is the pod's, or replaces it."""
    for index, interface in enumerate(vmi.interfaces):
        network = vmi.network_of.get(interface.name) if interface.state == "absent" else None
        if network and (network.pod is not None or (network.multus and network.multus.default)):
            yield at(index)


@RULES.rule("V224", _OPTION, DUPLICATE)
def private_options_are_unique(vmi: Subject) -> Iterator[Place]:
    """An earlier option has the same number."""
    for index, interface in enumerate(vmi.interfaces):
        seen: set[int] = set()
        options = interface.dhcp_options.private_options if interface.dhcp_options else None
        for place, option in enumerate(options or ()):
            if option.option in seen:
                yield at(index, place, value=option.option)
            seen.add(option.option)


@RULES.rule("V225", _OPTION, INVALID, "must be 224 to 254")
def private_options_are_private(vmi: Subject) -> Iterator[Place]:
    """It is another number."""
    for index, interface in enumerate(vmi.interfaces):
        options = interface.dhcp_options.private_options if interface.dhcp_options else None
        for place, option in enumerate(options or ()):
            if option.option not in _PRIVATE_OPTIONS:
                yield at(index, place)


@RULES.rule("V226", f"{_INTERFACE}.dhcpOptions.ntpServers[]", INVALID, "{server!r} must be an IPv4 address")
def time_servers_are_addresses(vmi: Subject) -> Iterator[Place]:
    """It is another text."""
    for index, interface in enumerate(vmi.interfaces):
        servers = interface.dhcp_options.ntp_servers if interface.dhcp_options else None
        for place, server in enumerate(servers or ()):
            if not is_ipv4(server):
                yield at(index, place, server=server)
