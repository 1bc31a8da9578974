"""What can be done about a VMI; values that the reconciler carries out."""

from dataclasses import dataclass
from typing import Literal

from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.node_agent.launchers.link import Target
from virtdeck.wire.launcher import Accelerator


@dataclass(frozen=True)
class Connect:
    """Keep a connection to this launcher."""

    target: Target


@dataclass(frozen=True)
class Disconnect:
    """Keep no connection to this VMI's launcher."""

    vmi_uid: str


@dataclass(frozen=True)
class StartGuest:
    """Prepare network and disks and have the launcher start the guest."""

    vmi: VirtualMachineInstance
    pod_uid: str
    accelerator: Accelerator


@dataclass(frozen=True)
class AskLauncher:
    """Have the launcher do something that needs no preparation."""

    vmi_uid: str
    what: Literal["Shutdown", "Destroy", "Unpause", "Farewell"]


@dataclass(frozen=True)
class NoteReport:
    """Remember that the guest's own words are written now."""

    vmi_uid: str


Action = Connect | Disconnect | StartGuest | AskLauncher | NoteReport
