"""What is known of one VMI at one moment."""

from dataclasses import dataclass
from datetime import datetime

from virtdeck.basis.clock import parse_rfc3339
from virtdeck.basis.errors import VirtdeckError
from virtdeck.crds.core.pod import Pod
from virtdeck.crds.kubevirt.grace import grace_seconds
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.kube.objects import Key
from virtdeck.node_agent.host.kvm import KvmVerdict
from virtdeck.node_agent.launchers.link import LauncherView
from virtdeck.wire.launcher import Accelerator, ImageFacts, LauncherState

FINAL_PHASES = frozenset({"Succeeded", "Failed"})
OURS = frozenset({"Scheduled", "Running", "Unknown"})


@dataclass(frozen=True)
class HostView:
    """What this node offers to guests. emulation_allowed: by the KubeVirt object."""

    kvm: KvmVerdict
    emulation_allowed: bool

    @property
    def accelerator(self) -> Accelerator | None:
        """What guests run on; None when they may not run here at all."""
        if self.kvm.usable:
            return "kvm"
        return "tcg" if self.emulation_allowed else None


@dataclass(frozen=True)
class Seen:
    """One VMI as the caches, its launcher and this process's memory show it.

    connected_pod: uid of the pod that ``launcher`` belongs to.
    images: what was inspected since this process began; a restarted one does not know.
    frozen_until: when file systems frozen through us thaw by themselves; past when they were thawed.
    asked_to_stop: when the guest was last asked to power off.
    reports: when the guest's own words were lately written.
    """

    key: Key
    vmi: VirtualMachineInstance
    pod: Pod | None
    launcher: LauncherView | None
    host: HostView
    now: datetime
    connected_pod: str | None = None
    images: dict[str, ImageFacts] | None = None
    frozen_until: datetime | None = None
    asked_to_stop: datetime | None = None
    reports: tuple[datetime, ...] = ()

    @property
    def phase(self) -> str:
        """The VMI's phase as the API has it."""
        return (self.vmi.status and self.vmi.status.phase) or ""

    @property
    def state(self) -> LauncherState | None:
        """What the launcher last said."""
        return self.launcher.state if self.launcher else None

    @property
    def connected(self) -> bool:
        """The launcher can be told something now."""
        return self.launcher is not None and self.launcher.stage == "Connected"

    @property
    def problem(self) -> VirtdeckError | None:
        """Why the launcher's socket is not trusted."""
        return self.launcher.problem if self.launcher else None

    @property
    def grace_seconds(self) -> int:
        """How long the guest may take to power off."""
        return grace_seconds(self.vmi)

    @property
    def thaws_in_seconds(self) -> float | None:
        """How long the guest's file systems stay frozen; None when they are not, or nobody here knows."""
        if self.frozen_until is None or self.frozen_until <= self.now:
            return None
        return (self.frozen_until - self.now).total_seconds()

    @property
    def deletion(self) -> datetime | None:
        """When the VMI's deletion was asked for."""
        stamp = self.vmi.metadata.deletion_timestamp
        return parse_rfc3339(stamp) if stamp else None

    @property
    def uid(self) -> str:
        """The VMI's uid."""
        return self.vmi.metadata.uid
