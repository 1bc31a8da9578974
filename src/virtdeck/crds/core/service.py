"""A stable address in front of pods."""

from msgspec import field

from virtdeck.crds.core.meta_only import Plain
from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Int32, IntOrString


class ServicePort(Model, frozen=True, kw_only=True):
    """One port of a service."""

    port: Int32
    name: str | None = None
    protocol: str | None = None
    target_port: IntOrString | None = None
    node_port: Int32 | None = None


class ServiceSpec(Model, frozen=True, kw_only=True):
    """Which pods, and at which ports."""

    type: str | None = None
    selector: dict[str, str] | None = None
    ports: tuple[ServicePort, ...] | None = None
    cluster_ip: str | None = field(default=None, name="clusterIP")


class Service(Plain, frozen=True, kw_only=True):
    """A stable address in front of pods."""

    spec: ServiceSpec | None = None
