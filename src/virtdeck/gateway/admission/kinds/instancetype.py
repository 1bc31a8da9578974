"""VirtualMachineInstancetype and VirtualMachineClusterInstancetype: sizes that fit together."""

from collections.abc import Iterator

from virtdeck.crds.instancetype.instancetype import VirtualMachineInstancetype
from virtdeck.crds.plain import Plain
from virtdeck.gateway.admission.amounts import why_unreadable
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.kinds.write import Write, examined, judged
from virtdeck.gateway.admission.rule import INVALID, WARNING, Place, Rules, at
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User

RULES: Rules[Write[VirtualMachineInstancetype]] = Rules("Instancetype")


@RULES.rule("V406", "spec.memory.overcommitPercent", INVALID, "must be from 0 to 100, and is {percent}")
def overcommitment_is_a_share(write: Write[VirtualMachineInstancetype]) -> Iterator[Place]:
    """It is less than 0 or more than 100."""
    percent = write.obj.spec.memory.overcommit_percent or 0
    if not 0 <= percent <= 100:
        yield at(percent=percent)


@RULES.rule(
    "V407", "spec.memory.overcommitPercent", INVALID, "cannot be used with hugepages, which are set aside"
)
def huge_pages_are_not_overcommitted(write: Write[VirtualMachineInstancetype]) -> Iterator[Place]:
    """There are huge pages as well."""
    memory = write.obj.spec.memory
    if memory.overcommit_percent and memory.hugepages is not None:
        yield at()


@RULES.rule("", "spec.memory.{guest|maxGuest}", INVALID, "{why}")
def size_is_an_amount(write: Write[VirtualMachineInstancetype]) -> Iterator[Place]:
    """It cannot be read as an amount of bytes."""
    memory = write.obj.spec.memory
    for name, amount in (("guest", memory.guest), ("maxGuest", memory.max_guest)):
        if why := why_unreadable(amount):
            yield at(name, why=why)


@RULES.rule("", "spec.launchSecurity", WARNING, "is deprecated; use preferredLaunchSecurity of a preference")
def launch_security_is_a_preference(write: Write[VirtualMachineInstancetype]) -> Iterator[Place]:
    """It is set."""
    if write.obj.spec.launch_security is not None:
        yield at()


def validate_instancetype(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """Both kinds, for they have one spec."""
    return examined(
        obj,
        old,
        VirtualMachineInstancetype,
        lambda now, before: judged(RULES, Write(now, before, user, cluster)),
    )
