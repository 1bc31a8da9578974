"""References to other objects, as pods and KubeVirt spell them."""

from typing import Annotated

from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Int32, Quantity


class LocalObjectReference(Model, frozen=True, kw_only=True):
    """An object of the same namespace."""

    name: Annotated[str | None, doc("Name of the object.")] = None


class TypedLocalObjectReference(Model, frozen=True, kw_only=True):
    """An object of any kind in the same namespace."""

    kind: Annotated[str, doc("Kind of the object.")]
    name: Annotated[str, doc("Name of the object.")]
    api_group: Annotated[str | None, doc("API group of the object; empty for Kubernetes' core.")] = None


class TypedObjectReference(Model, frozen=True, kw_only=True):
    """An object of any kind, in any namespace."""

    kind: Annotated[str, doc("Kind of the object.")]
    name: Annotated[str, doc("Name of the object.")]
    api_group: Annotated[str | None, doc("API group of the object; empty for Kubernetes' core.")] = None
    namespace: Annotated[str | None, doc("Namespace of the object; empty means the same.")] = None


class ObjectFieldSelector(Model, frozen=True, kw_only=True):
    """A field of the object itself."""

    api_version: Annotated[str | None, doc("Version of the schema in which the path is meant.")] = None
    field_path: Annotated[str, doc("Path of the field, as metadata.name.")]


class ResourceFieldSelector(Model, frozen=True, kw_only=True):
    """A request or limit of a container."""

    container_name: Annotated[str | None, doc("Container whose resources are meant.")] = None
    divisor: Annotated[Quantity | None, doc("Unit in which the amount is written.")] = None
    resource: Annotated[str, doc("The resource, as limits.cpu.")]


class DownwardAPIVolumeFile(Model, frozen=True, kw_only=True):
    """One file with a field of the object in it."""

    field_ref: Annotated[ObjectFieldSelector | None, doc("Field of the object.")] = None
    mode: Annotated[Int32 | None, doc("Permissions of the file.")] = None
    path: Annotated[str, doc("Name of the file, relative to the volume.")]
    resource_field_ref: Annotated[ResourceFieldSelector | None, doc("Request or limit of a container.")] = (
        None
    )
