"""An object that breaks one rule and one that does not."""

from dataclasses import dataclass
from typing import Any

from tests.unit.gateway.admission.build import ALICE, CLUSTER, FRESH, Plain, vmi

from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.admission import ClusterConfig
from virtdeck.gateway.admission.defaults import fill_vmi_spec
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.auth.user import User


@dataclass(frozen=True)
class Example:
    """breaks, keeps: a subject of the rule's table, or several.

    field: what the first cause must name. beside: other rules that what breaks this one breaks as well, where
    one cannot be broken without the other.
    """

    breaks: Any
    keeps: Any
    field: str | None = None
    beside: tuple[str, ...] = ()

    def all_breaks(self) -> tuple[Any, ...]:
        return self.breaks if isinstance(self.breaks, tuple) else (self.breaks,)

    def all_keeps(self) -> tuple[Any, ...]:
        return self.keeps if isinstance(self.keeps, tuple) else (self.keeps,)


def gates(*names: str, **config: Any) -> ClusterConfig:
    """An installation with these gates on."""
    return ClusterConfig(enabled_gates=frozenset(names), **config)


def without(*names: str) -> ClusterConfig:
    """An installation with these gates off."""
    return ClusterConfig(disabled_gates=frozenset(names))


def subject(
    *changes: Plain,
    cluster: ClusterConfig = CLUSTER,
    user: User = ALICE,
    bare: bool = False,
    template: bool = False,
    is_new: bool = True,
    **metadata: Any,
) -> Subject:
    """A VMI that every rule lets through, with changes to its spec. bare: nothing is completed first."""
    spec: Plain = {}
    for change in changes:
        spec = _joined(spec, change)
    obj = vmi(spec, **metadata)
    if not bare:
        fill_vmi_spec(obj["metadata"], obj["spec"], cluster, FRESH)
    found = decode(obj, VirtualMachineInstance)
    return Subject(found.spec, found.metadata, cluster, user, template, is_new)


def _joined(base: Any, change: Any) -> Any:
    if not isinstance(base, dict) or not isinstance(change, dict):
        return change
    return base | {key: _joined(base.get(key), value) for key, value in change.items()}
