"""References to other objects, as pods and KubeVirt spell them."""

from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Int32, Quantity


class LocalObjectReference(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str | None = None


class TypedLocalObjectReference(Model, frozen=True, kw_only=True):
    """TBD"""

    kind: str
    name: str
    api_group: str | None = None


class TypedObjectReference(Model, frozen=True, kw_only=True):
    """TBD"""

    kind: str
    name: str
    api_group: str | None = None
    namespace: str | None = None


class ObjectFieldSelector(Model, frozen=True, kw_only=True):
    """TBD"""

    api_version: str | None = None
    field_path: str


class ResourceFieldSelector(Model, frozen=True, kw_only=True):
    """TBD"""

    container_name: str | None = None
    divisor: Quantity | None = None
    resource: str


class DownwardAPIVolumeFile(Model, frozen=True, kw_only=True):
    """TBD"""

    field_ref: ObjectFieldSelector | None = None
    mode: Int32 | None = None
    path: str
    resource_field_ref: ResourceFieldSelector | None = None
