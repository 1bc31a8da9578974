"""Named formats: what is wrong with a text that should have one."""

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from virtdeck.cel.costs import Traversal
from virtdeck.cel.signatures import Library, Overload, function, method
from virtdeck.cel.types import STRING, list_of, opaque, optional_of
from virtdeck.cel.values import NOTHING, Optional
from virtdeck.crds.formats import has_format
from virtdeck.crds.names import (
    faults_of_label,
    faults_of_label_value,
    faults_of_qualified_name,
    faults_of_service_name,
    faults_of_subdomain,
)

_FORMAT = opaque("kubernetes.NamedFormat")


@dataclass(frozen=True, slots=True)
class NamedFormat:
    """A format by its name."""

    cel_type: ClassVar[str] = "kubernetes.NamedFormat"
    name: str


def _prefix(check: Callable[[str], list[str]]) -> Callable[[str], list[str]]:
    # What generateName takes: a dash at the end is not the name's end.
    return lambda text: check(f"{text[:-2]}a" if len(text) > 1 and text.endswith("-") else text)


def _of_schema(name: str) -> Callable[[str], list[str]]:
    return lambda text: [] if has_format(text, name) else [f"invalid {name}"]


def _byte(text: str) -> list[str]:
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return ["invalid base64"]
    return []


_CHECKS: dict[str, Callable[[str], list[str]]] = {
    "dns1123Label": faults_of_label,
    "dns1123Subdomain": faults_of_subdomain,
    "dns1035Label": faults_of_service_name,
    "qualifiedName": faults_of_qualified_name,
    "dns1123LabelPrefix": _prefix(faults_of_label),
    "dns1123SubdomainPrefix": _prefix(faults_of_subdomain),
    "dns1035LabelPrefix": _prefix(faults_of_service_name),
    "labelValue": faults_of_label_value,
    "uri": _of_schema("uri"),
    "uuid": _of_schema("uuid"),
    "byte": _byte,
    "date": _of_schema("date"),
    "datetime": _of_schema("date-time"),
}


def _validate(of: NamedFormat, text: str) -> Optional:
    faults = _CHECKS[of.name](text)
    return Optional(True, faults) if faults else NOTHING


def _named(name: str) -> Optional:
    return Optional(True, NamedFormat(name)) if name in _CHECKS else NOTHING


def _constant(name: str) -> Overload:
    return function(_FORMAT, run=lambda: NamedFormat(name))


FORMATS: Library = {
    **{f"format.{name}": (_constant(name),) for name in _CHECKS},
    "format.named": (function(optional_of(_FORMAT), STRING, run=_named),),
    "validate": (
        method(optional_of(list_of(STRING)), _FORMAT, STRING, run=_validate, cost=Traversal(args=(1,))),
    ),
}
