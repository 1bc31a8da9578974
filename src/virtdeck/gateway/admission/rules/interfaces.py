"""Each interface by itself (V196–V209, V224–V229)."""

from collections import Counter
from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.network import Interface, Network
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import (
    duplicate,
    forbidden,
    invalid,
    needs_gate,
    required,
    unsupported,
)
from virtdeck.gateway.admission.words import (
    MAC_WORDS,
    PCI_WORDS,
    is_device_name,
    is_group_address,
    is_ipv4,
    is_mac,
    is_pci_address,
)

_MODELS = ("virtio", "e1000", "e1000e", "igb", "ne2k_pci", "pcnet", "rtl8139")
_STATES = ("absent", "up", "down")
_BINDINGS = {
    "bridge": "bridge",
    "masquerade": "masquerade",
    "sriov": "sriov",
    "passt_binding": "passtBinding",
    "binding": "binding",
    "slirp": "slirp",
    "passt": "passt",
    "macvtap": "macvtap",
}
_GONE = ("slirp", "passt", "macvtap")
# What the launcher's bridge calls itself inside the pod; a guest with the same address would be cut off.
_RESERVED_MAC = "02:00:00:00:00:00"
_PRIVATE_OPTIONS = range(224, 255)


def name_fits_into_aliases(subject: Subject) -> Iterator[Cause]:
    """V196"""
    for path, interface in subject.each_interface():
        if not is_device_name(interface.name):
            yield invalid(f"{path}.name", "must be letters, digits, '_' and '-'")


def model_is_known(subject: Subject) -> Iterator[Cause]:
    """V197"""
    for path, interface in subject.each_interface():
        if interface.model and interface.model not in _MODELS:
            yield unsupported(f"{path}.model", interface.model, _MODELS)


def mac_is_an_address(subject: Subject) -> Iterator[Cause]:
    """V198"""
    for path, interface in subject.each_interface():
        mac = interface.mac_address
        if mac and not is_mac(mac):
            yield invalid(f"{path}.macAddress", f"must be {MAC_WORDS}")
        elif mac and is_group_address(mac):
            yield invalid(f"{path}.macAddress", "is a group address; the first byte must be even")


def pci_address_is_one(subject: Subject) -> Iterator[Cause]:
    """V199"""
    for path, interface in subject.each_interface():
        if interface.pci_address and not is_pci_address(interface.pci_address):
            yield invalid(f"{path}.pciAddress", f"must be {PCI_WORDS}")


def state_fits_the_binding(subject: Subject) -> Iterator[Cause]:
    """V200–V203"""
    for path, interface in subject.each_interface():
        state, field = interface.state, f"{path}.state"
        if state and state not in _STATES:
            yield unsupported(field, state, _STATES)
        elif state in ("up", "down") and interface.sriov is not None:
            yield forbidden(field, "cannot be set for sriov: the guest has the device itself")
        elif state == "absent" and interface.bridge is None:
            yield forbidden(field, "can be absent with the bridge binding only")
        elif state == "absent" and _is_default(_network(subject, interface)):
            yield forbidden(field, "cannot be absent on the VM's own network")


def interface_has_one_binding(subject: Subject) -> Iterator[Cause]:
    """V204"""
    for path, interface in subject.each_interface():
        given = [name for attribute, name in _BINDINGS.items() if getattr(interface, attribute) is not None]
        if not given:
            yield required(path, "must have masquerade, bridge, sriov or binding")
        elif len(given) > 1:
            yield invalid(path, f"must have only one binding, not {' and '.join(given)}")


def masquerade_is_on_the_pod_network(subject: Subject) -> Iterator[Cause]:
    """V205, V206"""
    for path, interface in subject.each_interface():
        network = _network(subject, interface)
        if interface.masquerade is None:
            continue
        if network is not None and network.pod is None:
            yield invalid(f"{path}.masquerade", "needs a network of kind pod")
        if (interface.mac_address or "").lower().replace("-", ":") == _RESERVED_MAC:
            yield invalid(f"{path}.macAddress", f"must not be {_RESERVED_MAC}, which virtdeck uses itself")


def bridge_on_the_pod_network_is_permitted(subject: Subject) -> Iterator[Cause]:
    """V207"""
    for path, interface in subject.each_interface():
        network = _network(subject, interface)
        on_pod = interface.bridge is not None and network is not None and network.pod is not None
        if on_pod and not subject.cluster.bridge_on_pod_network:
            yield forbidden(
                f"{path}.bridge", "is not permitted on the pod network by the KubeVirt object; use masquerade"
            )


def passt_is_on_the_pod_network(subject: Subject) -> Iterator[Cause]:
    """V208, V209"""
    for path, interface in subject.each_interface():
        if interface.passt_binding is None:
            continue
        if not subject.cluster.gate("PasstBinding"):
            yield needs_gate(f"{path}.passtBinding", "PasstBinding")
        network = _network(subject, interface)
        if network is not None and network.pod is None:
            yield invalid(f"{path}.passtBinding", "needs a network of kind pod")


def old_bindings_are_gone(subject: Subject) -> Iterator[Cause]:
    """V227–V229"""
    for path, interface in subject.each_interface():
        for name in _GONE:
            if getattr(interface, name) is not None:
                yield forbidden(
                    f"{path}.{name}", "is no longer supported; use masquerade, bridge or a binding plugin"
                )


def dhcp_options_are_sound(subject: Subject) -> Iterator[Cause]:
    """V224–V226"""
    for path, interface in subject.each_interface():
        options = interface.dhcp_options
        private = (options.private_options if options else None) or ()
        times = Counter(option.option for option in private)
        for index, option in enumerate(private):
            field = f"{path}.dhcpOptions.privateOptions[{index}].option"
            if option.option not in _PRIVATE_OPTIONS:
                yield invalid(field, "must be 224 to 254")
            elif times[option.option] > 1:
                yield duplicate(field, option.option)
        for index, server in enumerate((options.ntp_servers if options else None) or ()):
            if not is_ipv4(server):
                yield invalid(
                    f"{path}.dhcpOptions.ntpServers[{index}]", f"{server!r} must be an IPv4 address"
                )


def _network(subject: Subject, interface: Interface) -> Network | None:
    return next((network for network in subject.networks if network.name == interface.name), None)


def _is_default(network: Network | None) -> bool:
    return network is not None and (
        network.pod is not None or bool(network.multus and network.multus.default)
    )


RULES: tuple[Rule, ...] = (
    name_fits_into_aliases,
    model_is_known,
    mac_is_an_address,
    pci_address_is_one,
    state_fits_the_binding,
    interface_has_one_binding,
    masquerade_is_on_the_pod_network,
    bridge_on_the_pod_network_is_permitted,
    passt_is_on_the_pod_network,
    old_bindings_are_gone,
    dhcp_options_are_sound,
)
