"""What becomes of a replica set next; pure."""

from collections.abc import Sequence
from datetime import datetime

from virtdeck.basis.clock import parse_rfc3339
from virtdeck.basis.errors import VirtdeckError
from virtdeck.controllers.replica_conditions import failure_is_news, says_paused
from virtdeck.controllers.replica_set.observed import (
    Action,
    AdoptVmi,
    CreateVmi,
    DeleteVmi,
    ReleaseVmi,
    ReplicaSetPlan,
    Seen,
    is_ready,
)
from virtdeck.controllers.replica_set.status import show, with_failure
from virtdeck.crds import reasons
from virtdeck.crds.kubevirt.replica_set import VirtualMachineInstanceReplicaSet
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.kube.errors import is_passing
from virtdeck.kube.plans import EventNote, Plan

BURST = 100  # VMIs made or deleted at one look; the rest follows at the next
REST_SECONDS = 10.0  # as long as a guest that ended at once keeps its place: the next would end as well
_NAMED = 5  # VMIs that an event names


def decide(seen: Seen) -> ReplicaSetPlan:
    """The plan for this set. Deleted, it makes nothing: its VMIs go with it, or stay as orphans."""
    if seen.replica_set.metadata.deletion_timestamp:
        return Plan(wanted=show(seen))
    claims: tuple[Action, ...] = (
        *(ReleaseVmi(seen.replica_set, vmi) for vmi in seen.strays),
        *_adoptions(seen),
    )
    if seen.replica_set.spec.paused:
        return Plan(actions=claims, wanted=show(seen), events=_pause_events(seen))
    resting = {vmi.metadata.name: rest for vmi in seen.over if (rest := _rest(vmi, seen.now)) > 0}
    # Who is adopted now is counted at the next look, which shows whether it could be.
    actions: tuple[Action, ...] = claims or (*_scaling(seen, len(resting)), *_cleaning(seen, resting))
    return Plan(
        actions=actions,
        wanted=show(seen),
        events=(*_pause_events(seen), *_news(actions)),
        again_after=min(resting.values(), default=None),
    )


def decide_failure(seen: Seen, action: Action, error: VirtdeckError) -> ReplicaSetPlan:
    """The set says what could not be done; a fault that passes is tried again without a word."""
    if is_passing(error):
        return Plan()
    reason = reasons.FAILED_CREATE if isinstance(action, CreateVmi) else reasons.FAILED_DELETE
    if isinstance(action, AdoptVmi | ReleaseVmi):
        reason = reasons.FAILED_UPDATE
    message = f"{_DEEDS[type(action)]} {_subject(action)} failed: {error.message}"
    news = failure_is_news(seen.replica_set.status.conditions, message)
    return Plan(
        wanted=with_failure(show(seen), reason, message, seen.now),
        events=(EventNote("Warning", reason, message),) if news else (),
    )


def wanted_replicas(of: VirtualMachineInstanceReplicaSet) -> int:
    """How many VMIs there should be; one when the spec says nothing."""
    return 1 if of.spec.replicas is None else max(of.spec.replicas, 0)


_DEEDS: dict[type[Action], str] = {
    CreateVmi: "Creating",
    DeleteVmi: "Deleting",
    AdoptVmi: "Adopting",
    ReleaseVmi: "Releasing",
}


def _adoptions(seen: Seen) -> tuple[AdoptVmi, ...]:
    return tuple(AdoptVmi(seen.replica_set, vmi) for vmi in seen.loose)


def _scaling(seen: Seen, resting: int) -> tuple[CreateVmi | DeleteVmi, ...]:
    missing = wanted_replicas(seen.replica_set) - len(seen.living) - resting
    if missing >= 0:
        return tuple(CreateVmi(seen.replica_set, name) for name in seen.free[: min(missing, BURST)])
    first = sorted(seen.living, key=_serves_least)
    surplus = min(len(seen.living) - wanted_replicas(seen.replica_set), BURST)
    return tuple(DeleteVmi(vmi) for vmi in first[: max(surplus, 0)])


def _cleaning(seen: Seen, resting: dict[str, float]) -> tuple[DeleteVmi, ...]:
    return tuple(DeleteVmi(vmi) for vmi in seen.over if vmi.metadata.name not in resting)[:BURST]


def _serves_least(vmi: VirtualMachineInstance) -> tuple[bool, bool, str]:
    """Who does not serve goes first, then who is not placed yet, then by name."""
    return is_ready(vmi), bool(vmi.status.node_name), vmi.metadata.name


def _rest(vmi: VirtualMachineInstance, now: datetime) -> float:
    """Seconds that a guest keeps its place which ended as soon as it was made."""
    stamps = vmi.status.phase_transition_timestamps or ()
    ends = [found.phase_transition_timestamp for found in stamps if found.phase == vmi.status.phase]
    ended, made = ends[-1] if ends else None, vmi.metadata.creation_timestamp
    if not ended or not made:
        return 0.0
    end = parse_rfc3339(ended)
    if (end - parse_rfc3339(made)).total_seconds() >= REST_SECONDS:
        return 0.0
    return REST_SECONDS - (now - end).total_seconds()


def _pause_events(seen: Seen) -> tuple[EventNote, ...]:
    paused, said = bool(seen.replica_set.spec.paused), says_paused(seen.replica_set.status.conditions)
    if paused and not said:
        return (EventNote("Normal", reasons.SUCCESSFUL_PAUSED, "The replica set is paused"),)
    if said and not paused:
        return (EventNote("Normal", reasons.SUCCESSFUL_RESUMED, "The replica set goes on"),)
    return ()


def _news(actions: Sequence[Action]) -> tuple[EventNote, ...]:
    """One event a kind of deed, however many VMIs it was done to."""
    found = []
    for kind, reason, deed in (
        (CreateVmi, reasons.SUCCESSFUL_CREATE, "Created"),
        (DeleteVmi, reasons.SUCCESSFUL_DELETE, "Deleted"),
    ):
        subjects = [_subject(action) for action in actions if isinstance(action, kind)]
        if subjects:
            more = f" and {len(subjects) - _NAMED} more" if len(subjects) > _NAMED else ""
            found.append(EventNote("Normal", reason, f"{deed} {', '.join(subjects[:_NAMED])}{more}"))
    return tuple(found)


def _subject(action: Action) -> str:
    return action.name if isinstance(action, CreateVmi) else action.vmi.metadata.name
