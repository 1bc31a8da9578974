"""How a pool shrinks, changes and heals."""

from typing import Annotated

from virtdeck.crds.core.scheduling import NodeSelectorRequirement
from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Count, Duration
from virtdeck.crds.selectors import LabelSelector

STATE_PRESERVATION = (
    "What is kept of a machine that goes: Disabled (the default) deletes its DataVolumes and claims with it; "
    "Offline and Online leave them, and a later machine of the same index finds them again."
)


class VirtualMachinePoolUnmanagedStrategy(Model, frozen=True, kw_only=True):
    """The pool leaves it to others."""


class VirtualMachinePoolSelectors(Model, frozen=True, kw_only=True):
    """Machines that come first."""

    label_selector: Annotated[
        LabelSelector | None, doc("Machines whose template has these labels come first.")
    ] = None
    node_selector_requirement_matcher: Annotated[
        tuple[NodeSelectorRequirement, ...] | None,
        doc("Machines whose template's nodeSelector passes all of these tests come first."),
    ] = None


class VirtualMachinePoolSelectionPolicy(Model, frozen=True, kw_only=True):
    """The order in which machines are taken."""

    selectors: Annotated[
        VirtualMachinePoolSelectors | None, doc("Machines that come first; none when absent.")
    ] = None
    sort_policy: Annotated[
        str | None,
        doc("Random (the default), AscendingOrder or DescendingOrder by index, Newest or Oldest by age."),
    ] = None


class VirtualMachinePoolProactiveScaleInStrategy(Model, frozen=True, kw_only=True):
    """The pool deletes machines as soon as there are too many."""

    selection_policy: Annotated[
        VirtualMachinePoolSelectionPolicy | None, doc("Which machines go first; any when absent.")
    ] = None
    state_preservation: Annotated[str | None, doc(STATE_PRESERVATION)] = None


class VirtualMachinePoolOpportunisticScaleInStrategy(Model, frozen=True, kw_only=True):
    """The pool deletes no machine; when somebody else does, it is not made anew."""

    state_preservation: Annotated[str | None, doc(STATE_PRESERVATION)] = None


class VirtualMachinePoolScaleInStrategy(Model, frozen=True, kw_only=True):
    """What happens when there are too many machines; at most one of the three."""

    opportunistic: Annotated[
        VirtualMachinePoolOpportunisticScaleInStrategy | None,
        doc("The pool waits until somebody deletes machines. Excludes proactive and unmanaged."),
    ] = None
    proactive: Annotated[
        VirtualMachinePoolProactiveScaleInStrategy | None,
        doc("The pool deletes machines at once. The default; excludes opportunistic and unmanaged."),
    ] = None
    unmanaged: Annotated[
        VirtualMachinePoolUnmanagedStrategy | None,
        doc("The pool never has fewer machines by its own doing. Excludes proactive and opportunistic."),
    ] = None


class VirtualMachinePoolProactiveUpdateStrategy(Model, frozen=True, kw_only=True):
    """Running machines are restarted so that they take over the change."""

    selection_policy: Annotated[
        VirtualMachinePoolSelectionPolicy | None, doc("Which machines are restarted first; any when absent.")
    ] = None


class VirtualMachineOpportunisticUpdateStrategy(Model, frozen=True, kw_only=True):
    """A running machine takes over the change at its next start."""


class VirtualMachinePoolUpdateStrategy(Model, frozen=True, kw_only=True):
    """What happens when the template changes; at most one of the three."""

    opportunistic: Annotated[
        VirtualMachineOpportunisticUpdateStrategy | None,
        doc("Machines are changed and a guest sees it at its next start. Excludes proactive and unmanaged."),
    ] = None
    proactive: Annotated[
        VirtualMachinePoolProactiveUpdateStrategy | None,
        doc(
            "Machines are changed and restarted, at most maxUnavailable at once. The default; excludes "
            "opportunistic and unmanaged."
        ),
    ] = None
    unmanaged: Annotated[
        VirtualMachinePoolUnmanagedStrategy | None,
        doc("Machines stay as they are; new ones follow the template. Excludes proactive and opportunistic."),
    ] = None


class VirtualMachinePoolAutohealingStrategy(Model, frozen=True, kw_only=True):
    """When a machine counts as one that will not come up."""

    min_failing_to_start_duration: Annotated[
        Duration | None,
        doc(
            "How long a machine may fail to become ready before it is made anew, as 10m; 5m when absent. "
            "It counts while the machine cannot be scheduled, its image or disks are missing, or it "
            "crashes."
        ),
    ] = None
    start_up_failure_threshold: Annotated[
        Count | None, doc("After how many failed starts in a row it is made anew; 3 when absent.")
    ] = None
