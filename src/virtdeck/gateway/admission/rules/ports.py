"""Ports that are forwarded to the guest (V210–V223)."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.network import Port, PortRange
from virtdeck.gateway.admission.rule import (
    DUPLICATE,
    FORBIDDEN,
    INVALID,
    NOT_SUPPORTED,
    REQUIRED,
    Place,
    Rules,
    at,
)
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.words import is_port_name

RULES: Rules[Subject] = Rules("VMI")

_PORT = "spec.domain.devices.interfaces[].ports[]"
_RANGES = "spec.domain.devices.interfaces[].portRanges"
_MOST_RANGES, _MOST_PORT = 10, 65535
_NUMBER = f"must be 1 to {_MOST_PORT}"


@RULES.rule("V210", f"{_PORT}.name", DUPLICATE)
def port_names_are_unique(vmi: Subject) -> Iterator[Place]:
    """An earlier port of the interface has the same name."""
    seen: set[tuple[int, str | None]] = set()
    for index, place, port in _ports(vmi):
        if port.name and (index, port.name) in seen:
            yield at(index, place, value=port.name)
        seen.add((index, port.name))


@RULES.rule(
    "V211", f"{_PORT}.name", INVALID, "must be 1 to 15 lower-case letters, digits and '-', with a letter"
)
def port_name_is_one(vmi: Subject) -> Iterator[Place]:
    """It is the name of no service."""
    for index, place, port in _ports(vmi):
        if port.name and not is_port_name(port.name):
            yield at(index, place)


@RULES.rule("V212", f"{_PORT}.port", REQUIRED, _NUMBER)
def port_is_given(vmi: Subject) -> Iterator[Place]:
    """It is 0."""
    for index, place, port in _ports(vmi):
        if port.port == 0:
            yield at(index, place)


@RULES.rule("V213", f"{_PORT}.port", INVALID, _NUMBER)
def port_is_a_number(vmi: Subject) -> Iterator[Place]:
    """It is out of bounds."""
    for index, place, port in _ports(vmi):
        if port.port < 0 or port.port > _MOST_PORT:
            yield at(index, place)


@RULES.choice("V214", f"{_PORT}.protocol", "TCP", "UDP")
def protocol_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    for index, place, port in _ports(vmi):
        yield at(index, place, value=port.protocol)


@RULES.gate("V215", _RANGES, "PortRangesSpec")
def port_ranges_need_their_gate(vmi: Subject) -> Iterator[Place]:
    """There are some and the gate is off."""
    for index, interface in enumerate(vmi.interfaces):
        if interface.port_ranges:
            yield at(index)


@RULES.rule("V216", _RANGES, FORBIDDEN, "cannot be used together with ports")
def port_ranges_replace_ports(vmi: Subject) -> Iterator[Place]:
    """There are ports as well."""
    for index, interface in enumerate(vmi.interfaces):
        if interface.port_ranges and interface.ports:
            yield at(index)


@RULES.rule("V217", _RANGES, FORBIDDEN, "needs the binding masquerade")
def port_ranges_are_forwarded(vmi: Subject) -> Iterator[Place]:
    """The binding is another."""
    for index, interface in enumerate(vmi.interfaces):
        if interface.port_ranges and interface.masquerade is None:
            yield at(index)


@RULES.rule("V218", _RANGES, INVALID, f"must have at most {_MOST_RANGES} ranges")
def port_ranges_are_few(vmi: Subject) -> Iterator[Place]:
    """There are more."""
    for index, interface in enumerate(vmi.interfaces):
        if len(interface.port_ranges or ()) > _MOST_RANGES:
            yield at(index)


@RULES.rule("V219", f"{_RANGES}[].protocol", NOT_SUPPORTED, "{value!r} is not supported; use TCP or UDP")
def range_protocol_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word, or empty."""
    for index, place, found in _ranges(vmi):
        if found.protocol not in ("TCP", "UDP"):
            yield at(index, place, value=found.protocol)


@RULES.rule("V220", f"{_RANGES}[].start", INVALID, _NUMBER)
def range_start_is_a_port(vmi: Subject) -> Iterator[Place]:
    """It is out of bounds."""
    for index, place, found in _ranges(vmi):
        if not 1 <= found.start <= _MOST_PORT:
            yield at(index, place)


@RULES.rule("V221", f"{_RANGES}[].end", INVALID, _NUMBER)
def range_end_is_a_port(vmi: Subject) -> Iterator[Place]:
    """It is out of bounds."""
    for index, place, found in _ranges(vmi):
        if not 1 <= found.end <= _MOST_PORT:
            yield at(index, place)


@RULES.rule("V222", f"{_RANGES}[].start", INVALID, "must not be more than end, {end}")
def range_has_an_order(vmi: Subject) -> Iterator[Place]:
    """It is more."""
    for index, place, found in _ranges(vmi):
        if found.start > found.end:
            yield at(index, place, end=found.end)


@RULES.rule("V223", f"{_RANGES}[]", INVALID, "overlaps with {start}–{end}")
def ranges_do_not_overlap(vmi: Subject) -> Iterator[Place]:
    """An earlier range of the interface has some of the same ports of the same protocol."""
    earlier: list[tuple[int, PortRange]] = []
    for index, place, found in _ranges(vmi):
        for other, one in earlier[-_MOST_RANGES:]:
            same = other == index and one.protocol == found.protocol
            if same and one.start <= found.end and found.start <= one.end:
                yield at(index, place, start=one.start, end=one.end)
                break
        earlier.append((index, found))


def _ports(vmi: Subject) -> Iterator[tuple[int, int, Port]]:
    for index, interface in enumerate(vmi.interfaces):
        for place, port in enumerate(interface.ports or ()):
            yield index, place, port


def _ranges(vmi: Subject) -> Iterator[tuple[int, int, PortRange]]:
    for index, interface in enumerate(vmi.interfaces):
        for place, found in enumerate(interface.port_ranges or ()):
            yield index, place, found
