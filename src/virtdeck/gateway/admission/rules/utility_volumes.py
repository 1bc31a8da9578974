"""Claims that virtdeck attaches to a running VMI for tasks of its own (V317–V323)."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.volumes import UtilityVolume
from virtdeck.gateway.admission.instance import Change
from virtdeck.gateway.admission.rule import DUPLICATE, FORBIDDEN, REQUIRED, Place, Rules, at

RULES: Rules[Change] = Rules("VMI, changed")

_VOLUME = "spec.utilityVolumes[]"


@RULES.gate("V317", "spec.utilityVolumes", "UtilityVolumes")
def utility_volumes_need_their_gate(change: Change) -> Iterator[Place]:
    """Some are attached and the gate is off."""
    if change.spec_changes and change.vmi.spec.utility_volumes:
        yield at()


@RULES.rule("V318", f"{_VOLUME}.name", REQUIRED, "must not be empty")
def utility_volume_has_a_name(change: Change) -> Iterator[Place]:
    """It is empty."""
    for index, volume in _volumes(change):
        if not volume.name:
            yield at(index)


@RULES.rule("V319", f"{_VOLUME}.name", DUPLICATE)
def utility_volume_names_are_unique(change: Change) -> Iterator[Place]:
    """An earlier one has the same name."""
    seen: set[str] = set()
    for index, volume in _volumes(change):
        if volume.name and volume.name in seen:
            yield at(index, value=volume.name)
        seen.add(volume.name)


@RULES.rule("V320", f"{_VOLUME}.name", DUPLICATE, "{value!r} is the name of one of spec.volumes")
def utility_volume_is_none_of_the_volumes(change: Change) -> Iterator[Place]:
    """A volume has the same name."""
    for index, volume in _volumes(change):
        if volume.name in change.volumes[1]:
            yield at(index, value=volume.name)


@RULES.rule("V321", f"{_VOLUME}.claimName", REQUIRED, "must name a PersistentVolumeClaim")
def utility_volume_has_a_claim(change: Change) -> Iterator[Place]:
    """It is empty."""
    for index, volume in _volumes(change):
        if not volume.claim_name:
            yield at(index)


@RULES.rule("V322", f"{_VOLUME}.name", FORBIDDEN, "{name!r} is there since the guest's start; choose another")
def utility_volume_is_never_permanent(change: Change) -> Iterator[Place]:
    """The guest was started with a volume of this name."""
    for index, volume in _volumes(change):
        if volume.name in change.permanent:
            yield at(index, name=volume.name)


@RULES.rule("V323", _VOLUME, FORBIDDEN, "{name!r} cannot be changed; take it away and attach it anew")
def utility_volume_is_fixed(change: Change) -> Iterator[Place]:
    """It changes while it is attached."""
    before = {volume.name: volume for volume in change.old.spec.utility_volumes or ()}
    for index, volume in _volumes(change):
        if volume.name in before and before[volume.name] != volume:
            yield at(index, name=volume.name)


def _volumes(change: Change) -> Iterator[tuple[int, UtilityVolume]]:
    """Those of a spec that changes."""
    yield from enumerate((change.vmi.spec.utility_volumes or ()) if change.spec_changes else ())
