"""The one word that ``kubectl get vm`` shows; pure."""

from collections.abc import Callable
from dataclasses import dataclass

from virtdeck.controllers import names
from virtdeck.controllers.vm.observed import is_final, is_leaving
from virtdeck.controllers.vm.strategy import RESTARTING
from virtdeck.crds import conditions as types
from virtdeck.crds import reasons
from virtdeck.crds.kubevirt.vm_status import VirtualMachineStartFailure
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.kube.conditions import holds


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What the word depends on. starting and stopping: decided just now."""

    vmi: VirtualMachineInstance | None
    strategy: str
    deleting: bool = False
    starting: bool = False
    stopping: bool = False
    failure: VirtualMachineStartFailure | None = None

    def says(self, type_: str, status: str = "True", reason: str | None = None) -> bool:
        """True when the VMI has the condition so."""
        return self.vmi is not None and holds(self.vmi.status.conditions, type_, status, reason)

    def is_running(self) -> bool:
        return self.vmi is not None and self.vmi.status.phase == names.RUNNING


def _stopping(facts: Facts) -> bool:
    vmi = facts.vmi
    return vmi is not None and not is_final(vmi) and (is_leaving(vmi) or facts.stopping)


def _migrating(facts: Facts) -> bool:
    state = facts.vmi.status.migration_state if facts.vmi else None
    return state is not None and not state.completed and not state.failed and not state.end_timestamp


def _starting(facts: Facts) -> bool:
    if facts.vmi is None:
        return facts.starting
    return facts.vmi.status.phase in names.BEFORE_HANDOVER | {names.SCHEDULED}


def _crash_loop(facts: Facts) -> bool:
    over = facts.vmi is None or is_final(facts.vmi)
    failed = facts.failure is not None and (facts.failure.consecutive_fail_count or 0) > 0
    return over and failed and not facts.starting and facts.strategy in RESTARTING


def _pull(reason: str) -> Callable[[Facts], bool]:
    return lambda facts: facts.says(types.SYNCHRONIZED, "False", reason)


# The first that holds is shown. What depends on claims and data volumes comes from the VMI's own conditions.
_ORDER: tuple[tuple[str, Callable[[Facts], bool]], ...] = (
    ("Terminating", lambda facts: facts.deleting),
    ("Stopping", _stopping),
    ("Migrating", _migrating),
    ("Paused", lambda facts: facts.is_running() and facts.says(types.PAUSED)),
    ("Running", lambda facts: facts.is_running()),
    ("ErrorPvcNotFound", _pull("FailedPvcNotFound")),
    ("ErrorUnschedulable", lambda facts: facts.says(types.POD_SCHEDULED, "False", "Unschedulable")),
    ("Provisioning", lambda facts: facts.says(types.PROVISIONING)),
    ("ErrImagePull", _pull(reasons.ERR_IMAGE_PULL)),
    ("ImagePullBackOff", _pull(reasons.IMAGE_PULL_BACK_OFF)),
    ("Starting", _starting),
    ("CrashLoopBackOff", _crash_loop),
    ("Stopped", lambda facts: facts.vmi is None or is_final(facts.vmi)),
)


def printable_status(facts: Facts) -> str:
    """The first word of the order whose test holds."""
    return next((word for word, holds_now in _ORDER if holds_now(facts)), "Unknown")
