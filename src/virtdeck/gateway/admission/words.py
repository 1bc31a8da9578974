"""Forms that names, addresses and keys must have."""

import ipaddress
import re
from collections.abc import Callable

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?", re.ASCII)
_DEVICE_NAME = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_PORT_NAME = re.compile(r"(?!-)(?!.*--)(?=.*[a-z])[a-z0-9-]{1,15}(?<!-)", re.ASCII)
_MAC = re.compile(r"([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}|([0-9A-Fa-f]{2}-){5}[0-9A-Fa-f]{2}", re.ASCII)
_PCI = re.compile(r"[0-9A-Fa-f]{4}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-7]", re.ASCII)
_QUALIFIED = re.compile(r"([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)", re.ASCII)

LABEL_WORDS = "at most 63 lower-case letters, digits and '-', beginning and ending with a letter or digit"
SUBDOMAIN_WORDS = "lower-case words of letters, digits and '-', joined by '.', at most 253 characters"
MAC_WORDS = "six pairs of hex digits, as 02:00:00:12:34:56"
PCI_WORDS = "a PCI address, as 0000:81:01.0"


def is_label(text: str) -> bool:
    """A DNS label (RFC 1123)."""
    return len(text) <= 63 and _LABEL.fullmatch(text) is not None


def is_subdomain(text: str) -> bool:
    """A DNS subdomain (RFC 1123)."""
    return 0 < len(text) <= 253 and all(_LABEL.fullmatch(part) for part in text.split("."))


def is_device_name(text: str) -> bool:
    """A name that fits into libvirt's aliases."""
    return _DEVICE_NAME.fullmatch(text) is not None


def is_port_name(text: str) -> bool:
    """A service name (RFC 6335)."""
    return _PORT_NAME.fullmatch(text) is not None


def is_mac(text: str) -> bool:
    return _MAC.fullmatch(text) is not None


def is_group_address(mac: str) -> bool:
    """True for a multicast MAC, which no interface may have."""
    return int(mac[:2], 16) & 1 == 1


def is_pci_address(text: str) -> bool:
    return _PCI.fullmatch(text) is not None


def is_ip(text: str) -> bool:
    return _parses(ipaddress.ip_address, text)


def is_ipv4(text: str) -> bool:
    return _parses(ipaddress.IPv4Address, text)


def is_qualified_name(text: str) -> bool:
    """A label's key: an optional DNS subdomain and a slash, then a name."""
    prefix, slash, name = text.rpartition("/")
    if slash and not is_subdomain(prefix):
        return False
    return 0 < len(name) <= 63 and _QUALIFIED.fullmatch(name) is not None


def is_label_value(text: str) -> bool:
    """A label's value."""
    return text == "" or (len(text) <= 63 and _QUALIFIED.fullmatch(text) is not None)


def is_clean_absolute_path(text: str) -> bool:
    """Absolute, not the root itself, without ``.``, ``..``, doubled slashes or control characters."""
    parts = text.split("/")
    return (
        text.startswith("/")
        and len(parts) > 1
        and all(part not in ("", ".", "..") for part in parts[1:])
        and text.isprintable()
    )


def is_path_in_image(text: str) -> bool:
    """A clean absolute path where an image can hold a file: not where a running system has its kernel's."""
    return is_clean_absolute_path(text) and text.split("/")[1] not in ("proc", "sys", "dev")


def _parses(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True
