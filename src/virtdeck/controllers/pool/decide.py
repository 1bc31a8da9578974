"""What becomes of a pool next; pure."""

from collections.abc import Sequence

from virtdeck.basis.errors import VirtdeckError
from virtdeck.controllers.pool.healing import decide_healing
from virtdeck.controllers.pool.observed import (
    Action,
    CreateVm,
    DeleteVm,
    DropRevision,
    KeepRevision,
    PoolPlan,
    ReleaseVm,
    RestartGuest,
    Seen,
    UpdateVm,
)
from virtdeck.controllers.pool.render import machine_name
from virtdeck.controllers.pool.revision import current_revision, is_kept, unused_revisions
from virtdeck.controllers.pool.scaling import decide_scaling
from virtdeck.controllers.pool.status import show, with_failure
from virtdeck.controllers.pool.updating import decide_updates
from virtdeck.controllers.replica_conditions import failure_is_news, says_paused
from virtdeck.crds import reasons
from virtdeck.kube.errors import is_passing
from virtdeck.kube.plans import EventNote, Plan

_NAMED = 5  # machines that an event names


def decide(seen: Seen) -> PoolPlan:
    """The plan for this pool. Deleted, it makes nothing: its machines go with it, or stay as orphans."""
    if seen.pool.metadata.deletion_timestamp:
        return Plan(wanted=show(seen))
    if seen.pool.spec.paused:
        return Plan(actions=_releases(seen), wanted=show(seen), events=_pause_events(seen))
    revision = current_revision(seen)
    healing = decide_healing(seen)
    actions = healing.actions or decide_scaling(seen, revision) or _once_complete(seen, revision)
    keep = () if is_kept(seen, revision) else (KeepRevision(seen.pool, revision),)
    return Plan(
        actions=(*_releases(seen), *keep, *actions),
        wanted=show(seen),
        events=(*_pause_events(seen), *_news(actions)),
        again_after=healing.again_after,
    )


def decide_failure(seen: Seen, action: Action, error: VirtdeckError) -> PoolPlan:
    """The pool says what could not be done; a fault that passes is tried again without a word."""
    if is_passing(error):
        return Plan()
    reason, deed = _FAILURES[type(action)]
    message = f"{deed} {_subject(action)} failed: {error.message}"
    news = failure_is_news(seen.pool.status.conditions, message)
    return Plan(
        wanted=with_failure(show(seen), reason, message, seen.now),
        events=(EventNote("Warning", reason, message),) if news else (),
    )


_FAILURES: dict[type[Action], tuple[str, str]] = {
    KeepRevision: (reasons.FAILED_UPDATE, "Keeping the revision"),
    CreateVm: (reasons.FAILED_SCALE_OUT, "Creating"),
    DeleteVm: (reasons.FAILED_SCALE_IN, "Deleting"),
    UpdateVm: (reasons.FAILED_UPDATE, "Updating"),
    RestartGuest: (reasons.FAILED_UPDATE, "Restarting"),
    ReleaseVm: (reasons.FAILED_UPDATE, "Releasing"),
    DropRevision: (reasons.FAILED_REVISION_PRUNING, "Deleting the revision"),
}


def _once_complete(seen: Seen, revision: str) -> tuple[Action, ...]:
    """What is no longer shown may go once no update is left to do."""
    return decide_updates(seen, revision) or unused_revisions(seen, revision)


def _releases(seen: Seen) -> tuple[ReleaseVm, ...]:
    return tuple(ReleaseVm(seen.pool, vm) for vm in seen.strays)


def _pause_events(seen: Seen) -> tuple[EventNote, ...]:
    paused, said = bool(seen.pool.spec.paused), says_paused(seen.pool.status.conditions)
    if paused and not said:
        return (EventNote("Normal", reasons.SUCCESSFUL_PAUSED, "The pool is paused"),)
    if said and not paused:
        return (EventNote("Normal", reasons.SUCCESSFUL_RESUME, "The pool goes on"),)
    return ()


def _news(actions: Sequence[Action]) -> tuple[EventNote, ...]:
    """One event a kind of deed, however many machines it was done to."""
    found = []
    for kind, reason, deed in (
        (CreateVm, reasons.SUCCESSFUL_CREATE, "Created"),
        (DeleteVm, reasons.SUCCESSFUL_DELETE, "Deleted"),
        (UpdateVm, reasons.SUCCESSFUL_UPDATE, "Updated"),
        (RestartGuest, reasons.SUCCESSFUL_UPDATE, "Restarted"),
    ):
        subjects = [_subject(action) for action in actions if isinstance(action, kind)]
        if subjects:
            more = f" and {len(subjects) - _NAMED} more" if len(subjects) > _NAMED else ""
            found.append(EventNote("Normal", reason, f"{deed} {', '.join(subjects[:_NAMED])}{more}"))
    return tuple(found)


def _subject(action: Action) -> str:
    match action:
        case CreateVm():
            return machine_name(action.pool, action.index)
        case UpdateVm():
            return action.machine.name
        case DeleteVm() | ReleaseVm():
            return action.vm.metadata.name
        case RestartGuest():
            return action.vmi.metadata.name
        case KeepRevision():
            return action.name
        case DropRevision():
            return action.revision.metadata.name
