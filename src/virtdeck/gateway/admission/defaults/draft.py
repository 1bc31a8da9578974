"""What defaults fill in: private copies of objects, in plain JSON, so that unknown fields ride along."""

from dataclasses import dataclass

from virtdeck.crds.plain import Plain, part
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.defaults.fresh import Fresh
from virtdeck.gateway.auth.user import User


@dataclass(frozen=True)
class Draft:
    """A VMI, or what one will be made of."""

    metadata: Plain
    spec: Plain
    cluster: ClusterConfig
    fresh: Fresh

    @property
    def domain(self) -> Plain:
        return part(self.spec, "domain")

    @property
    def devices(self) -> Plain:
        return part(self.domain, "devices")

    @property
    def architecture(self) -> str:
        return str(self.spec.get("architecture") or self.cluster.architecture)

    def annotate(self, name: str, value: str) -> None:
        """The annotation is there, with its own value or this one."""
        part(self.metadata, "annotations").setdefault(name, value)


@dataclass(frozen=True)
class NewInstance(Draft):
    """A VMI that is being made, its spec complete. status: empty unless a component made it."""

    status: Plain


@dataclass(frozen=True)
class ChangedInstance:
    """A VMI that is being changed. old: as it is stored."""

    vmi: Plain
    old: Plain
    user: User
    cluster: ClusterConfig


@dataclass(frozen=True)
class MachineDraft:
    """A VirtualMachine. old: as it is stored, None when it is being made."""

    vm: Plain
    old: Plain | None
    cluster: ClusterConfig
    fresh: Fresh

    @property
    def template(self) -> Plain:
        return part(part(self.vm, "spec"), "template")

    @property
    def spec(self) -> Plain:
        """The template's spec."""
        return part(self.template, "spec")
