"""Ports that are forwarded to the guest (V210–V223)."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.network import Port, PortRange
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import duplicate, forbidden, invalid, needs_gate, unsupported
from virtdeck.gateway.admission.words import is_port_name

_PROTOCOLS = ("TCP", "UDP")
_MOST_RANGES = 10
_MOST_PORT = 65535


def port_names_are_unique(subject: Subject) -> Iterator[Cause]:
    """V210, V211"""
    for path, interface in subject.each_interface():
        times = Counter(port.name for port in interface.ports or () if port.name)
        for index, port in enumerate(interface.ports or ()):
            field = f"{path}.ports[{index}].name"
            if port.name and times[port.name] > 1:
                yield duplicate(field, port.name)
            if port.name and not is_port_name(port.name):
                yield invalid(field, "must be 1 to 15 lower-case letters, digits and '-', with a letter")


def ports_are_numbers(subject: Subject) -> Iterator[Cause]:
    """V212–V214"""
    for path, interface in subject.each_interface():
        for index, port in enumerate(interface.ports or ()):
            yield from _port(f"{path}.ports[{index}]", port)


def _port(path: str, port: Port) -> Iterator[Cause]:
    if not _is_port(port.port):
        yield invalid(f"{path}.port", f"must be 1 to {_MOST_PORT}")
    if port.protocol and port.protocol not in _PROTOCOLS:
        yield unsupported(f"{path}.protocol", port.protocol, _PROTOCOLS)


def port_ranges_fit_the_interface(subject: Subject) -> Iterator[Cause]:
    """V215–V218"""
    for path, interface in subject.each_interface():
        if not interface.port_ranges:
            continue
        field = f"{path}.portRanges"
        if not subject.cluster.gate("PortRangesSpec"):
            yield needs_gate(field, "PortRangesSpec")
        if interface.ports:
            yield forbidden(field, "cannot be used together with ports")
        if interface.masquerade is None:
            yield forbidden(field, "needs the binding masquerade")
        if len(interface.port_ranges) > _MOST_RANGES:
            yield invalid(field, f"must have at most {_MOST_RANGES} ranges")


def port_ranges_are_ranges(subject: Subject) -> Iterator[Cause]:
    """V219–V223"""
    for path, interface in subject.each_interface():
        ranges = [
            (f"{path}.portRanges[{index}]", found) for index, found in enumerate(interface.port_ranges or ())
        ]
        for field, found in ranges:
            yield from _range(field, found)
        for (_, one), (field, other) in combinations(ranges[:_MOST_RANGES], 2):
            if one.protocol == other.protocol and one.start <= other.end and other.start <= one.end:
                yield invalid(field, f"overlaps with {one.start}–{one.end}")


def _range(path: str, found: PortRange) -> Iterator[Cause]:
    if found.protocol not in _PROTOCOLS:
        yield unsupported(f"{path}.protocol", found.protocol, _PROTOCOLS)
    for name, port in (("start", found.start), ("end", found.end)):
        if not _is_port(port):
            yield invalid(f"{path}.{name}", f"must be 1 to {_MOST_PORT}")
    if found.start > found.end:
        yield invalid(f"{path}.start", f"must not be more than end, {found.end}")


def _is_port(number: int) -> bool:
    return 1 <= number <= _MOST_PORT


RULES: tuple[Rule, ...] = (
    port_names_are_unique,
    ports_are_numbers,
    port_ranges_fit_the_interface,
    port_ranges_are_ranges,
)
