"""Fields of a pod as the text of files. Source: Kubernetes' downward API."""

import os
import re
from decimal import ROUND_CEILING
from typing import Final

from virtdeck.basis.errors import Invalid
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.core.pod_containers import Container
from virtdeck.crds.core.references import DownwardAPIVolumeFile, ResourceFieldSelector
from virtdeck.crds.quantity import parse_quantity

_ENTRY: Final = re.compile(r"metadata\.(labels|annotations)\['(.+)'\]")
_ESCAPES: Final = {
    '"': '\\"',
    "\\": "\\\\",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\v": "\\v",
}


def downward_text(pod: Pod, item: DownwardAPIVolumeFile) -> str:
    """What the file holds. Raises: Invalid for a field that files cannot have."""
    if item.field_ref is not None:
        return _field(pod, item.field_ref.field_path)
    if item.resource_field_ref is not None:
        return _resource(pod, item.resource_field_ref)
    raise Invalid(f"the file {item.path} names no field")


def _field(pod: Pod, path: str) -> str:
    meta = pod.metadata
    plain = {
        "metadata.name": meta.name,
        "metadata.namespace": meta.namespace,
        "metadata.uid": meta.uid,
        "metadata.labels": _lines(meta.labels or {}),
        "metadata.annotations": _lines(meta.annotations or {}),
    }
    if path in plain:
        return plain[path] or ""
    if found := _ENTRY.fullmatch(path):
        entries = meta.labels if found[1] == "labels" else meta.annotations
        return (entries or {}).get(found[2], "")
    raise Invalid(f"{path} is no field that a volume can have")


def _lines(entries: dict[str, str]) -> str:
    return "\n".join(f"{name}={_quoted(value)}" for name, value in sorted(entries.items()))


def _quoted(text: str) -> str:
    """As Go quotes, which is how Kubernetes writes them."""
    return f'"{"".join(_ESCAPES.get(letter) or _shown(letter) for letter in text)}"'


def _shown(letter: str) -> str:
    code = ord(letter)
    if letter.isprintable():
        return letter
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _resource(pod: Pod, asked: ResourceFieldSelector) -> str:
    """The amount in whole divisors, rounded up."""
    named = (one for one in pod.spec.containers if one.name == asked.container_name)
    container = next(named, None)
    kind, _, resource = asked.resource.partition(".")
    if container is None or kind not in ("limits", "requests"):
        raise Invalid(f"{asked.resource} of the container {asked.container_name} cannot be shown")
    divisor = parse_quantity(asked.divisor or 1) or 1
    amount = parse_quantity(_amount(container, kind, resource))
    return str(int((amount / divisor).to_integral_value(ROUND_CEILING)))


def _amount(container: Container, kind: str, resource: str) -> str | int | float:
    given = getattr(container.resources, kind, None) or {}
    if resource in given:
        found: str | int | float = given[resource]
        return found
    # Without a limit the container may take what the node has.
    host = {"cpu": os.cpu_count() or 1, "memory": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")}
    return host.get(resource, 0) if kind == "limits" else 0
