"""The instance types and preferences that the form which creates a machine offers."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from virtdeck.basis.errors import Invalid
from virtdeck.crds.kinds import CLUSTER_INSTANCETYPE, CLUSTER_PREFERENCE, INSTANCETYPE, PREFERENCE, Kind
from virtdeck.crds.quantity import parse_bytes
from virtdeck.gateway.admission.not_yet import VMI_SPEC, refused
from virtdeck.gateway.console.views.machine import size
from virtdeck.instancetype.expansion import Chosen, expand

_DISPLAY_NAME = "instancetype.kubevirt.io/displayName"


@dataclass(frozen=True)
class Pick:
    """What the form's answer names: ``u1.small`` is the cluster's, ``shop/small`` is of the project shop."""

    namespace: str = ""
    name: str = ""

    @classmethod
    def parse(cls, answer: str) -> "Pick":
        namespace, slash, name = answer.rpartition("/")
        return cls(namespace if slash else "", name)

    def matcher(self, own: Kind[Any], cluster: Kind[Any]) -> dict[str, str]:
        """As a VirtualMachine names it."""
        return {"kind": (own if self.namespace else cluster).kind, "name": self.name}


def answer_of(matcher: Any, namespace: str) -> str:
    """The form's answer for what a manifest names; empty when it names nothing, or infers."""
    found = matcher if isinstance(matcher, dict) else {}
    name, kind = str(found.get("name") or ""), str(found.get("kind") or "").lower()
    own = {INSTANCETYPE.singular, INSTANCETYPE.plural, PREFERENCE.singular, PREFERENCE.plural}
    return f"{namespace}/{name}" if name and kind in own else name


def instancetype_matcher(answer: str) -> dict[str, str]:
    return Pick.parse(answer).matcher(INSTANCETYPE, CLUSTER_INSTANCETYPE)


def preference_matcher(answer: str) -> dict[str, str]:
    return Pick.parse(answer).matcher(PREFERENCE, CLUSTER_PREFERENCE)


def instancetype_options(found: Iterable[Any], chosen: str) -> list[tuple[str, str]]:
    """Those that this release can run, series by series from small to large; the one chosen in any case."""
    able = [one for one in found if _answer(one) == chosen or _can_run(Chosen(instancetype=one.spec))]
    return [(_answer(one), _sized(one)) for one in sorted(able, key=_by_size)]


def preference_options(found: Iterable[Any], chosen: str) -> list[tuple[str, str]]:
    """Those that this release can run, by their display name; the one chosen in any case."""
    able = [one for one in found if _answer(one) == chosen or _can_run(Chosen(preference=one.spec))]
    return sorted(((_answer(one), _titled(one)) for one in able), key=lambda option: option[1])


def _answer(one: Any) -> str:
    meta = one.metadata
    return f"{meta.namespace}/{meta.name}" if meta.namespace else str(meta.name)


def _can_run(chosen: Chosen) -> bool:
    try:
        template = expand({"spec": {"domain": {"devices": {}}}}, chosen, "masquerade")
    except Invalid:
        return False
    return next(refused(template["spec"], "spec", VMI_SPEC), None) is None


def _by_size(one: Any) -> tuple[str, str, int, int]:
    series, memory = one.metadata.name.partition(".")[0], one.spec.memory.guest
    return one.metadata.namespace, series, one.spec.cpu.guest, _bytes(memory)


def _bytes(amount: Any) -> int:
    try:
        return parse_bytes(amount)
    except Invalid:
        return 0


def _sized(one: Any) -> str:
    """The name and the amounts, which need no words."""
    where = f" ({one.metadata.namespace})" if one.metadata.namespace else ""
    return f"{one.metadata.name}{where} · {one.spec.cpu.guest} CPU · {size(_bytes(one.spec.memory.guest))}"


def _titled(one: Any) -> str:
    where = f" ({one.metadata.namespace})" if one.metadata.namespace else ""
    return str((one.metadata.annotations or {}).get(_DISPLAY_NAME, one.metadata.name)) + where
