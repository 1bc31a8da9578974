"""Checks of single values that several kinds have in common, each a list of causes."""

import ipaddress
import re
from typing import Any

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.crds.names import faults_of_label, invalid_value
from virtdeck.crds.quantity import parse_quantity
from virtdeck.standalone.apiserver.resources.rules import unsupported

_KEY = re.compile(r"[-._a-zA-Z0-9]+")
_PORT_NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_KEY_TEXT = (
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or "
    "'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
)
PROTOCOLS = ("SCTP", "TCP", "UDP")


def invalid_number(path: str, value: Any, why: str) -> Cause:
    """A number that may not be as it is."""
    return Cause(path, f"Invalid value: {value}: {why}")


def at_least(path: str, value: Any, least: int = 0) -> list[Cause]:
    """The number is there or not, and not below ``least``."""
    if not isinstance(value, int) or value >= least:
        return []
    why = "must be greater than 0" if least == 1 else f"must be greater than or equal to {least}"
    return [invalid_number(path, value, why)]


def one_of(path: str, value: Any, allowed: tuple[str, ...]) -> list[Cause]:
    """The text is there or not, and one of these."""
    return [] if value is None or value in allowed else [unsupported(path, str(value), allowed)]


def is_port(path: str, value: Any) -> list[Cause]:
    """A port's number."""
    if isinstance(value, int) and 1 <= value <= 65535:
        return []
    return [invalid_number(path, value, "must be between 1 and 65535, inclusive")]


def is_port_or_name(path: str, value: Any) -> list[Cause]:
    """A port's number or name."""
    if isinstance(value, int):
        return is_port(path, value)
    text = str(value)
    if len(text) <= 15 and _PORT_NAME.fullmatch(text) and re.search("[a-z]", text) and "--" not in text:
        return []
    why = "must be a port's name: at most 15 lower case letters, digits and single hyphens, with a letter"
    return [invalid_value(path, text, why)]


def is_label(path: str, value: Any) -> list[Cause]:
    """A name as containers, volumes and ports have them."""
    return [invalid_value(path, str(value), fault) for fault in faults_of_label(str(value))]


def is_key(path: str, value: str) -> list[Cause]:
    """A key of a Secret or ConfigMap."""
    if len(value) > 253:
        return [invalid_value(path, value, "must be no more than 253 characters")]
    if value in (".", "..") or value.startswith(".."):
        return [invalid_value(path, value, "must not start with '..' or be '.'")]
    return [] if _KEY.fullmatch(value) else [invalid_value(path, value, _KEY_TEXT)]


def is_address(path: str, value: Any) -> list[Cause]:
    """An IP address."""
    try:
        ipaddress.ip_address(str(value))
    except ValueError:
        return [invalid_value(path, str(value), "must be a valid IP address")]
    return []


def is_network(path: str, value: Any) -> list[Cause]:
    """Addresses with a common beginning."""
    try:
        ipaddress.ip_network(str(value), strict=False)
    except ValueError:
        return [invalid_value(path, str(value), "not a valid CIDR")]
    return []


def is_amount(path: str, value: Any) -> list[Cause]:
    """A quantity that is not negative."""
    try:
        if parse_quantity(value) >= 0:
            return []
    except Invalid as fault:
        return [invalid_value(path, str(value), str(fault))]
    return [invalid_value(path, str(value), "must be greater than or equal to 0")]
