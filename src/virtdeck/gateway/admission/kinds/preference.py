"""VirtualMachinePreference and VirtualMachineClusterPreference: tastes that can be followed."""

from collections.abc import Iterator

from virtdeck.crds.instancetype.preference import VirtualMachinePreference
from virtdeck.crds.plain import Plain
from virtdeck.gateway.admission.amounts import why_unreadable
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.kinds.write import Write, examined, judged
from virtdeck.gateway.admission.rule import INVALID, WARNING, Place, Rules, at
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User
from virtdeck.instancetype.topology import (
    ACROSS,
    CORES_THREADS,
    OLDER_TOPOLOGIES,
    TOPOLOGIES,
    Spread,
    preferred_topology,
    spread,
)

RULES: Rules[Write[VirtualMachinePreference]] = Rules("Preference")

_TOPOLOGY = "spec.cpu.preferredCPUTopology"


@RULES.choice("V408", _TOPOLOGY, *TOPOLOGIES, *OLDER_TOPOLOGIES)
def topology_is_known(write: Write[VirtualMachinePreference]) -> Iterator[Place]:
    """It is none of those."""
    yield at(value=_said_topology(write))


@RULES.rule("", _TOPOLOGY, WARNING, "{old} is deprecated; use {new}")
def topology_has_its_new_name(write: Write[VirtualMachinePreference]) -> Iterator[Place]:
    """It is the older name of a topology."""
    said = _said_topology(write)
    if said in OLDER_TOPOLOGIES:
        yield at(old=said, new=OLDER_TOPOLOGIES[said])


@RULES.choice("V409", "spec.cpu.spreadOptions.across", *ACROSS)
def spread_is_known(write: Write[VirtualMachinePreference]) -> Iterator[Place]:
    """The topology is spread, and this none of those."""
    if how := _spread(write):
        yield at(value=how.across)


@RULES.rule(
    "V410", "spec.cpu.spreadOptions.ratio", INVALID, "must be 2 with CoresThreads: a core has two threads"
)
def a_core_has_two_threads(write: Write[VirtualMachinePreference]) -> Iterator[Place]:
    """The topology is spread across CoresThreads, with another ratio."""
    how = _spread(write)
    if how and how.across == CORES_THREADS and how.ratio != 2:
        yield at()


@RULES.rule("", "spec.cpu.spreadOptions.ratio", INVALID, "must be 1 or more")
def ratio_divides(write: Write[VirtualMachinePreference]) -> Iterator[Place]:
    """The topology is spread, with a ratio of 0."""
    how = _spread(write)
    if how and how.ratio < 1 and how.across != CORES_THREADS:
        yield at()


@RULES.rule("", "spec.requirements.memory.guest", INVALID, "{why}")
def required_memory_is_an_amount(write: Write[VirtualMachinePreference]) -> Iterator[Place]:
    """It cannot be read as an amount of bytes."""
    requirements = write.obj.spec.requirements
    memory = requirements.memory if requirements else None
    if memory and (why := why_unreadable(memory.guest)):
        yield at(why=why)


def validate_preference(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """Both kinds, for they have one spec."""
    return examined(
        obj,
        old,
        VirtualMachinePreference,
        lambda now, before: judged(RULES, Write(now, before, user, cluster)),
    )


def _said_topology(write: Write[VirtualMachinePreference]) -> str | None:
    cpu = write.obj.spec.cpu
    return cpu.preferred_cpu_topology if cpu else None


def _spread(write: Write[VirtualMachinePreference]) -> Spread | None:
    """The options, when they count."""
    return spread(write.obj.spec) if preferred_topology(write.obj.spec) == "spread" else None
