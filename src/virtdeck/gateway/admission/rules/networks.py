"""Networks, and that each has its interface (V186–V195)."""

from collections import Counter
from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import duplicate, invalid, not_found, required


def one_network_is_the_pods(subject: Subject) -> Iterator[Cause]:
    """V186–V188"""
    pods = [path for path, network in subject.each_network() if network.pod is not None]
    defaults = [path for path, network in subject.each_network() if network.multus and network.multus.default]
    for path in pods[1:]:
        yield invalid(f"{path}.pod", "can be used by one network only; a pod has one network of its own")
    for path in defaults[1:]:
        yield invalid(f"{path}.multus.default", "can be true for one network only")
    if pods and defaults:
        yield invalid(
            f"{defaults[0]}.multus.default",
            "replaces the pod network, so that the network of kind pod must go",
        )


def network_has_one_source(subject: Subject) -> Iterator[Cause]:
    """V189, V190"""
    for path, network in subject.each_network():
        given = sum(source is not None for source in (network.pod, network.multus, network.resource_claim))
        if given == 0:
            yield required(path, "must have pod or multus")
        elif given > 1:
            yield invalid(path, "must have only one of pod, multus, resourceClaim")


def multus_network_is_named(subject: Subject) -> Iterator[Cause]:
    """V191"""
    for path, network in subject.each_network():
        if network.multus is not None and not network.multus.network_name:
            yield required(f"{path}.multus.networkName", "must name a NetworkAttachmentDefinition")


def network_names_are_unique(subject: Subject) -> Iterator[Cause]:
    """V192"""
    times = Counter(network.name for network in subject.networks)
    for path, network in subject.each_network():
        if not network.name:
            yield required(f"{path}.name", "must not be empty")
        elif times[network.name] > 1:
            yield duplicate(f"{path}.name", network.name)


def network_has_one_interface(subject: Subject) -> Iterator[Cause]:
    """V193, V194"""
    times = Counter(interface.name for interface in subject.interfaces)
    for path, network in subject.each_network():
        if times[network.name] == 0:
            where = subject.at("domain.devices.interfaces")
            yield not_found(f"{path}.name", f"{network.name!r} must be the name of one of {where}")
    for path, interface in subject.each_interface():
        if times[interface.name] > 1:
            yield duplicate(f"{path}.name", interface.name)


def interface_has_a_network(subject: Subject) -> Iterator[Cause]:
    """V195"""
    names = {network.name for network in subject.networks}
    for path, interface in subject.each_interface():
        if interface.name not in names:
            yield not_found(
                f"{path}.name", f"{interface.name!r} must be the name of one of {subject.at('networks')}"
            )


RULES: tuple[Rule, ...] = (
    one_network_is_the_pods,
    network_has_one_source,
    multus_network_is_named,
    network_names_are_unique,
    network_has_one_interface,
    interface_has_a_network,
)
