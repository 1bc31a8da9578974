"""Networks, and that each has its interface (V186–V195)."""

from collections import Counter
from collections.abc import Iterator

from virtdeck.gateway.admission.rule import DUPLICATE, INVALID, NOT_FOUND, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

_NETWORK, _INTERFACE = "spec.networks[]", "spec.domain.devices.interfaces[]"
_SOURCES = "pod, multus, resourceClaim"


@RULES.rule(
    "V186",
    f"{_NETWORK}.pod",
    INVALID,
    "can be used by one network only, for a pod has one network of its own",
)
def one_network_is_the_pods(vmi: Subject) -> Iterator[Place]:
    """An earlier network has it."""
    found = [index for index, network in enumerate(vmi.networks) if network.pod is not None]
    return (at(index) for index in found[1:])


@RULES.rule("V187", f"{_NETWORK}.multus.default", INVALID, "can be true for one network only")
def one_network_is_the_default(vmi: Subject) -> Iterator[Place]:
    """It is true for an earlier network."""
    return (at(index) for index in _defaults(vmi)[1:])


@RULES.rule(
    "V188",
    f"{_NETWORK}.multus.default",
    INVALID,
    "replaces the pod's own network; remove it, or the network of kind pod",
)
def pod_network_is_not_replaced(vmi: Subject) -> Iterator[Place]:
    """There is a network of kind pod as well."""
    if any(network.pod is not None for network in vmi.networks):
        yield from (at(index) for index in _defaults(vmi)[:1])


@RULES.rule("V189", _NETWORK, REQUIRED, f"must have one of {_SOURCES}")
def network_has_a_source(vmi: Subject) -> Iterator[Place]:
    """It has none."""
    for index, network in enumerate(vmi.networks):
        if network.pod is None and network.multus is None and network.resource_claim is None:
            yield at(index)


@RULES.rule("V190", _NETWORK, INVALID, f"must have only one of {_SOURCES}")
def network_has_one_source(vmi: Subject) -> Iterator[Place]:
    """It has several."""
    for index, network in enumerate(vmi.networks):
        sources = (network.pod, network.multus, network.resource_claim)
        if sum(source is not None for source in sources) > 1:
            yield at(index)


@RULES.rule("V191", f"{_NETWORK}.multus.networkName", REQUIRED, "must name a NetworkAttachmentDefinition")
def multus_network_is_named(vmi: Subject) -> Iterator[Place]:
    """It is empty."""
    for index, network in enumerate(vmi.networks):
        if network.multus is not None and not network.multus.network_name:
            yield at(index)


@RULES.rule("V192", f"{_NETWORK}.name", DUPLICATE)
def network_names_are_unique(vmi: Subject) -> Iterator[Place]:
    """An earlier network has the same name."""
    seen: set[str] = set()
    for index, network in enumerate(vmi.networks):
        if network.name and network.name in seen:
            yield at(index, value=network.name)
        seen.add(network.name)


@RULES.rule("", f"{_NETWORK}.name", REQUIRED, "must not be empty")
def network_has_a_name(vmi: Subject) -> Iterator[Place]:
    """It is empty."""
    for index, network in enumerate(vmi.networks):
        if not network.name:
            yield at(index)


@RULES.rule("V193", f"{_INTERFACE}.name", DUPLICATE)
def network_has_one_interface(vmi: Subject) -> Iterator[Place]:
    """An earlier interface connects to the same network."""
    times: Counter[str] = Counter()
    for index, interface in enumerate(vmi.interfaces):
        times[interface.name] += 1
        if times[interface.name] > 1:
            yield at(index, value=interface.name)


@RULES.rule(
    "V194",
    f"{_NETWORK}.name",
    NOT_FOUND,
    "{name!r} must be the name of one of {base}spec.domain.devices.interfaces",
)
def network_has_an_interface(vmi: Subject) -> Iterator[Place]:
    """None has this name."""
    names = {interface.name for interface in vmi.interfaces}
    for index, network in enumerate(vmi.networks):
        if network.name not in names:
            yield at(index, name=network.name)


@RULES.rule(
    "V195", f"{_INTERFACE}.name", NOT_FOUND, "{name!r} must be the name of one of {base}spec.networks"
)
def interface_has_a_network(vmi: Subject) -> Iterator[Place]:
    """None has this name."""
    for index, interface in enumerate(vmi.interfaces):
        if interface.name not in vmi.network_of:
            yield at(index, name=interface.name)


def _defaults(vmi: Subject) -> list[int]:
    networks = enumerate(vmi.networks)
    return [index for index, network in networks if network.multus is not None and network.multus.default]
