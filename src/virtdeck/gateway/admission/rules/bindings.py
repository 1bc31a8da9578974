"""How an interface is bound to its network (V204–V209, V227–V229)."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.network import Interface
from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

_INTERFACE = "spec.domain.devices.interfaces[]"
_BINDINGS = ("bridge", "masquerade", "sriov", "passt_binding", "binding", "slirp", "passt", "macvtap")
_POD = "needs a network of kind pod"
_GONE = "is no longer supported; use masquerade, bridge or a binding plugin"
# What the launcher's bridge calls itself inside the pod; a guest with the same address would be cut off.
_RESERVED_MAC = "02:00:00:00:00:00"


@RULES.rule(
    "V204",
    _INTERFACE,
    INVALID,
    "must have one of masquerade, bridge, sriov, passtBinding, binding; it has {what}",
)
def interface_has_one_binding(vmi: Subject) -> Iterator[Place]:
    """It has none or several."""
    for index, interface in enumerate(vmi.interfaces):
        given = sum(getattr(interface, name) is not None for name in _BINDINGS)
        if given != 1:
            yield at(index, what=given or "none")


@RULES.rule("V205", f"{_INTERFACE}.masquerade", INVALID, _POD)
def masquerade_is_on_the_pod_network(vmi: Subject) -> Iterator[Place]:
    """The network is of another kind."""
    for index, interface in enumerate(vmi.interfaces):
        if interface.masquerade is not None and _is_elsewhere(vmi, interface):
            yield at(index)


@RULES.rule("V206", f"{_INTERFACE}.macAddress", INVALID, f"must not be {_RESERVED_MAC}: virtdeck uses it")
def masquerade_has_its_own_mac(vmi: Subject) -> Iterator[Place]:
    """It is the address of the pod's side of the masquerade."""
    for index, interface in enumerate(vmi.interfaces):
        mac = interface.mac_address if interface.masquerade is not None else None
        if mac and mac.lower().replace("-", ":") == _RESERVED_MAC:
            yield at(index)


@RULES.rule(
    "V207",
    f"{_INTERFACE}.bridge",
    FORBIDDEN,
    "is not permitted on the pod network by the KubeVirt object; use masquerade",
)
def bridge_on_the_pod_network_is_permitted(vmi: Subject) -> Iterator[Place]:
    """The network is the pod's and permitBridgeInterfaceOnPodNetwork is false."""
    for index, interface in enumerate(() if vmi.cluster.bridge_on_pod_network else vmi.interfaces):
        network = vmi.network_of.get(interface.name)
        if interface.bridge is not None and network is not None and network.pod is not None:
            yield at(index)


@RULES.gate("V208", f"{_INTERFACE}.passtBinding", "PasstBinding")
def passt_needs_its_gate(vmi: Subject) -> Iterator[Place]:
    """It is given and the gate is off."""
    for index, interface in enumerate(vmi.interfaces):
        if interface.passt_binding is not None:
            yield at(index)


@RULES.rule("V209", f"{_INTERFACE}.passtBinding", INVALID, _POD)
def passt_is_on_the_pod_network(vmi: Subject) -> Iterator[Place]:
    """The network is of another kind."""
    for index, interface in enumerate(vmi.interfaces):
        if interface.passt_binding is not None and _is_elsewhere(vmi, interface):
            yield at(index)


@RULES.rule("V227", f"{_INTERFACE}.slirp", FORBIDDEN, _GONE)
def slirp_is_gone(vmi: Subject) -> Iterator[Place]:
    """It is given when the object is made."""
    return _given(vmi, "slirp")


@RULES.rule("V228", f"{_INTERFACE}.passt", FORBIDDEN, _GONE)
def old_passt_is_gone(vmi: Subject) -> Iterator[Place]:
    """It is given when the object is made."""
    return _given(vmi, "passt")


@RULES.rule("V229", f"{_INTERFACE}.macvtap", FORBIDDEN, _GONE)
def macvtap_is_gone(vmi: Subject) -> Iterator[Place]:
    """It is given when the object is made."""
    return _given(vmi, "macvtap")


def _given(vmi: Subject, binding: str) -> Iterator[Place]:
    for index, interface in enumerate(vmi.interfaces if vmi.is_new else ()):
        if getattr(interface, binding) is not None:
            yield at(index)


def _is_elsewhere(vmi: Subject, interface: Interface) -> bool:
    network = vmi.network_of.get(interface.name)
    return network is not None and network.pod is None
