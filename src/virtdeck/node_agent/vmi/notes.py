"""Which turns of a guest's life are told as events; pure."""

from virtdeck.basis.errors import VirtdeckError
from virtdeck.crds import conditions as types
from virtdeck.crds import reasons
from virtdeck.kube.conditions import find_condition
from virtdeck.kube.plans import EventNote, EventType
from virtdeck.node_agent.vmi.ending import Ending
from virtdeck.node_agent.vmi.seen import Seen
from virtdeck.wire.launcher import LauncherState

Notes = tuple[EventNote, ...]


def running_events(seen: Seen, state: LauncherState) -> Notes:
    """What a guest that runs or is paused did since the API last knew."""
    return (*_start_events(seen, state), *_pause_events(seen, state), *_stop_events(seen))


def ending_events(seen: Seen, ending: Ending) -> Notes:
    """The guest is over."""
    if ending.phase == "Succeeded":
        return (EventNote("Normal", reasons.STOPPED, _sentence(ending.message)),)
    notes = (EventNote("Warning", reasons.STOPPED, f"{_sentence(ending.message)} ({ending.reason})"),)
    if ending.reason == reasons.GUEST_PANICKED:
        return (EventNote("Warning", reasons.GUEST_PANICKED, _sentence(ending.message)), *notes)
    return notes


def failure_events(error: VirtdeckError) -> Notes:
    """Something keeps the guest from running."""
    return (EventNote("Warning", reasons.SYNC_FAILED, f"{error.message} ({error.reason})"),)


def _start_events(seen: Seen, state: LauncherState) -> Notes:
    if seen.phase == "Running":
        return ()
    how = "on the node's emulator, for KVM does not work" if seen.host.accelerator == "tcg" else "with KVM"
    return (
        EventNote("Normal", reasons.CREATED, "The guest's machine was defined."),
        EventNote("Normal", reasons.STARTED, f"The guest was started {how}."),
    )


def _pause_events(seen: Seen, state: LauncherState) -> Notes:
    known = find_condition(seen.vmi.status.conditions, types.PAUSED)
    paused = state.phase == "Paused"
    if paused and known is None:
        kind: EventType = (
            "Normal" if state.pause_reason in {None, "PausedByUser", "StartedPaused"} else "Warning"
        )
        return (
            EventNote(kind, reasons.PAUSED, f"The guest was paused ({state.pause_reason or 'by a user'})."),
        )
    if not paused and known is not None:
        return (EventNote("Normal", reasons.RESUMED, "The guest runs on."),)
    return ()


def _stop_events(seen: Seen) -> Notes:
    if seen.deletion is None or seen.asked_to_stop is not None:
        return ()
    text = f"The guest was asked to power off; it has {seen.grace_seconds} s."
    return (EventNote("Normal", reasons.SHUTTING_DOWN, text),)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
