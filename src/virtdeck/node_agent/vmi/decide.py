"""What to do about a VMI of this node: one pure function over what is seen."""

from datetime import timedelta

from msgspec.structs import replace

from virtdeck.basis.errors import Bug, HostFault, Invalid, Lost, Unready, VirtdeckError
from virtdeck.crds import conditions as types
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.meta import Condition
from virtdeck.kube.conditions import drop_conditions, find_condition, set_condition
from virtdeck.kube.plans import Plan
from virtdeck.node_agent.launchers.link import Target
from virtdeck.node_agent.vmi.actions import Action, AskLauncher, Connect, Disconnect, NoteReport, StartGuest
from virtdeck.node_agent.vmi.ending import Ending, decide_ending, terminated_state
from virtdeck.node_agent.vmi.notes import ending_events, failure_events, running_events
from virtdeck.node_agent.vmi.pace import guest_words_only, wait_seconds
from virtdeck.node_agent.vmi.seen import FINAL_PHASES, OURS, Seen
from virtdeck.node_agent.vmi.status import enter_phase, now_text, running_status
from virtdeck.wire.launcher import LauncherState

VmiPlan = Plan[Action, VirtualMachineInstance]

# KubeVirt's pace of asking a guest again to power off.
ASK_AGAIN_SECONDS = 5.0


def decide(seen: Seen) -> VmiPlan:
    """The plan for one VMI."""
    if seen.phase in FINAL_PHASES:
        return Plan(actions=_decide_farewell(seen))
    if seen.phase not in OURS:
        return Plan()
    ending = decide_ending(seen)
    if ending is not None:
        return _end(seen, ending)
    connection = _decide_connection(seen)
    if connection is not None:
        return Plan(actions=(connection,))
    if seen.connected and seen.state is not None:
        return _decide_guest(seen, seen.state)
    return _fail(seen, seen.problem) if seen.problem is not None else Plan()


def decide_failure(seen: Seen, action: Action, error: VirtdeckError) -> VmiPlan:
    """How the VMI tells that an action on it failed."""
    if isinstance(error, Lost | Unready) or not isinstance(action, StartGuest):
        return Plan()  # the launcher's own state, or its end, will say more
    return _fail(seen, error)


def _decide_guest(seen: Seen, state: LauncherState) -> VmiPlan:
    match state.phase:
        case "NoDomain":
            return _decide_start(seen)
        case "Starting":
            return _decide_stop(seen, state)
    return _decide_running(seen, state)


def _decide_running(seen: Seen, state: LauncherState) -> VmiPlan:
    """One write when anything is otherwise than the API has it, unless only the guest keeps talking."""
    stop = _decide_stop(seen, state)
    status = running_status(seen, state)
    waits = [wait for wait in (stop.again_after, seen.thaws_in_seconds) if wait is not None]
    notes: tuple[Action, ...] = ()
    if guest_words_only(seen.vmi.status, status):
        if (wait := wait_seconds(seen.reports, seen.now)) > 0:
            return Plan(actions=stop.actions, again_after=min([*waits, wait]))
        notes = (NoteReport(seen.uid),)
    wanted = replace(seen.vmi, status=status)
    return Plan((*stop.actions, *notes), wanted, running_events(seen, state), min(waits, default=None))


def _decide_start(seen: Seen) -> VmiPlan:
    if seen.deletion is not None:
        return _end(seen, Ending("Succeeded", "", "the guest was deleted before it started"))
    accelerator = seen.host.accelerator
    if accelerator is None:
        text = f"{seen.host.kvm.message}; the KubeVirt object may allow emulation (useEmulation)"
        return _fail(seen, HostFault(text, reason="KVMUnusable"))
    if seen.pod is None:
        return Plan()
    return Plan(actions=(StartGuest(seen.vmi, seen.pod.metadata.uid, accelerator),))


def _decide_stop(seen: Seen, state: LauncherState) -> VmiPlan:
    """Ask a guest that is to go to power off, again and again, and end it when its time is over."""
    if seen.deletion is None:
        return Plan()
    left = (seen.deletion + timedelta(seconds=seen.grace_seconds) - seen.now).total_seconds()
    if left <= 0:
        return Plan(actions=(AskLauncher(seen.uid, "Destroy"),), again_after=ASK_AGAIN_SECONDS)
    if seen.asked_to_stop is not None:
        wait = ASK_AGAIN_SECONDS - (seen.now - seen.asked_to_stop).total_seconds()
        if wait > 0:
            return Plan(again_after=min(wait, left))
    ask = AskLauncher(seen.uid, "Shutdown")
    # A paused processor cannot see the power button.
    wake = (AskLauncher(seen.uid, "Unpause"),) if state.phase == "Paused" else ()
    return Plan(actions=(*wake, ask), again_after=min(ASK_AGAIN_SECONDS, left))


def _decide_connection(seen: Seen) -> Action | None:
    """The launcher of the VMI's pod is to be connected."""
    if seen.pod is None or seen.pod.metadata.uid == seen.connected_pod:
        return None
    return Connect(Target(seen.key, seen.uid, seen.pod.metadata.uid))


def _decide_farewell(seen: Seen) -> tuple[Action, ...]:
    """A guest that is over holds nothing: its launcher may go, and what still runs is ended."""
    if seen.pod is None or terminated_state(seen.pod) is not None:
        return (Disconnect(seen.uid),) if seen.launcher is not None else ()
    connection = _decide_connection(seen)
    if connection is not None:
        return (connection,)
    if not seen.connected or seen.state is None:
        return ()
    match seen.state.phase:
        case "Ended":
            return (AskLauncher(seen.uid, "Farewell"),)
        case "NoDomain":
            return ()  # it has nothing to end, and goes with its pod
    return (AskLauncher(seen.uid, "Destroy"),)


def _end(seen: Seen, ending: Ending) -> VmiPlan:
    status = enter_phase(seen.vmi.status, ending.phase, now_text(seen))
    conditions = drop_conditions(status.conditions, (types.PAUSED, types.AGENT_CONNECTED))
    if ending.phase == "Failed":
        why = Condition(type=types.SYNCHRONIZED, status="False", reason=ending.reason, message=ending.message)
        conditions = set_condition(conditions, why, now_text(seen))
    status = replace(status, reason=ending.reason or None, conditions=conditions or None)
    return Plan(wanted=replace(seen.vmi, status=status), events=ending_events(seen, ending))


def _fail(seen: Seen, error: VirtdeckError) -> VmiPlan:
    """The VMI says what keeps it from running; it is over if that cannot pass."""
    why = Condition(type=types.SYNCHRONIZED, status="False", reason=error.reason, message=error.message)
    known = find_condition(seen.vmi.status.conditions, types.SYNCHRONIZED)
    conditions = set_condition(seen.vmi.status.conditions, why, now_text(seen))
    status = replace(seen.vmi.status, conditions=conditions)
    if isinstance(error, Invalid | Bug) and seen.phase == "Scheduled":
        status = replace(enter_phase(status, "Failed", now_text(seen)), reason=error.reason)
    news = known is None or (known.reason, known.message) != (error.reason, error.message)
    return Plan(wanted=replace(seen.vmi, status=status), events=failure_events(error) if news else ())
