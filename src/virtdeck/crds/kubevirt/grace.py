"""How long a guest may take to power off, as every component must count it alike."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # a launcher waits for its VMI without having loaded what a VMI is
    from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance

DEFAULT_GRACE_SECONDS: Final = 30  # KubeVirt's
LONGEST_GRACE_SECONDS: Final = 2**31 - 1  # 68 years: what is longer has no end that a clock could tell


def grace_seconds(vmi: "VirtualMachineInstance") -> int:
    """The VMI's own, within bounds: objects from before admission knew the rule are read as well."""
    asked = vmi.spec.termination_grace_period_seconds
    return DEFAULT_GRACE_SECONDS if asked is None else min(max(asked, 0), LONGEST_GRACE_SECONDS)
