"""The same types as components of an OpenAPI 3.1 document: each type once, named by its class.

What only Kubernetes understands (``x-kubernetes-…``) is left out or said in JSON Schema's own words. A value
that the API server takes, these schemas take; the reverse does not hold (CEL rules, admission).
"""

import inspect as python_inspect
from collections.abc import Iterable
from typing import Any

from msgspec import inspect

from virtdeck.crds.manifests.schema import Schema, Writer, struct_of
from virtdeck.crds.model import Model

REFERENCE = "#/components/schemas/"


def components_of(types: Iterable[type[Model]]) -> dict[str, Schema]:
    """These types and all that they are made of. Shape: name → schema."""
    writer = _Referring()
    for cls in types:
        writer.refer(struct_of(cls))
    return dict(sorted(writer.found.items()))


def component_name(cls: type[Any]) -> str:
    """The class's name, or the one that it has here because another type is called so as well."""
    place = (cls.__module__.removeprefix("virtdeck.crds."), cls.__name__)
    return _OTHERWISE.get(place, cls.__name__)


_OTHERWISE = {
    ("kubevirt.data_volumes", "DataVolumeSource"): "cdi.DataVolumeSource",
    ("core.claims", "PersistentVolumeClaimVolumeSource"): "core.PersistentVolumeClaimVolumeSource",
    ("snapshot.content", "VolumeSnapshotStatus"): "snapshot.VolumeSnapshotStatus",
    ("pool.pool", "VirtualMachineTemplateSpec"): "pool.VirtualMachineTemplateSpec",
}


class _Referring(Writer):
    """A Struct inside another one is a reference."""

    def __init__(self) -> None:
        self.found: dict[str, Schema] = {}
        self._classes: dict[str, type[Any]] = {}

    def refer(self, node: inspect.StructType) -> Schema:
        """A reference to the type, whose component is there afterwards. Raises: TypeError."""
        name = component_name(node.cls)
        if self._classes.setdefault(name, node.cls) is not node.cls:
            raise TypeError(f"{node.cls!r} and {self._classes[name]!r} are both named {name}")
        if name not in self.found:
            self.found[name] = {}  # a type may hold itself
            description = python_inspect.getdoc(node.cls) or ""
            self.found[name] = {"description": description, **self.fields(node)}
        return {"$ref": REFERENCE + name}

    def struct(self, node: inspect.StructType) -> Schema:
        return self.refer(node)

    def value(self, node: inspect.Type) -> Schema:
        schema = super().value(node)
        nullable = schema.pop("nullable", False)
        plain = {key: given for key, given in schema.items() if not key.startswith("x-kubernetes-")}
        return plain | ({"type": [plain["type"], "null"]} if nullable else {})
