"""How an instance type's processors appear to the guest: as sockets, cores or threads."""

from dataclasses import dataclass

from virtdeck.crds.instancetype.preference import CPUPreferences, SpreadOptions, VirtualMachinePreferenceSpec

TOPOLOGIES = ("sockets", "cores", "threads", "spread", "any")
OLDER_TOPOLOGIES = {f"prefer{word.capitalize()}": word for word in TOPOLOGIES}

SOCKETS_CORES, SOCKETS_CORES_THREADS, CORES_THREADS = "SocketsCores", "SocketsCoresThreads", "CoresThreads"
ACROSS = (SOCKETS_CORES, SOCKETS_CORES_THREADS, CORES_THREADS)
_RATIO = 2
_THREADS = 2  # in each core, where processors are spread over three levels


@dataclass(frozen=True)
class Topology:
    """sockets × cores × threads."""

    sockets: int = 1
    cores: int = 1
    threads: int = 1


@dataclass(frozen=True)
class Spread:
    """How the topology ``spread`` divides. ratio: cores in a socket (threads in a core with CoresThreads)."""

    across: str
    ratio: int

    @property
    def divisor(self) -> int:
        """The number of processors must be a multiple of it."""
        return self.ratio * (_THREADS if self.across == SOCKETS_CORES_THREADS else 1)


def preferred_topology(preference: VirtualMachinePreferenceSpec | None) -> str:
    """One of TOPOLOGIES; what is not known stays as it is, for a rule to refuse."""
    cpu = preference.cpu if preference else None
    said = (cpu.preferred_cpu_topology if cpu else None) or "sockets"
    return OLDER_TOPOLOGIES.get(said, said)


def spread(preference: VirtualMachinePreferenceSpec | None) -> Spread:
    """The spread options with their defaults."""
    preference = preference or VirtualMachinePreferenceSpec()
    options = (preference.cpu or CPUPreferences()).spread_options or SpreadOptions()
    older = preference.prefer_spread_socket_to_core_ratio or _RATIO
    ratio = older if options.ratio is None else options.ratio
    return Spread(options.across or SOCKETS_CORES, ratio)


def divide(count: int, preference: VirtualMachinePreferenceSpec | None) -> Topology:
    """The topology of so many processors, a number that ``why_indivisible`` has nothing against."""
    match preferred_topology(preference):
        case _ if count <= 1:
            return Topology()
        case "cores":
            return Topology(cores=count)
        case "threads":
            return Topology(threads=count)
        case "spread":
            return _spread(count, spread(preference))
        case _:
            return Topology(sockets=count)


def _spread(count: int, how: Spread) -> Topology:
    whole = count // how.divisor
    match how.across:
        case "CoresThreads":
            return Topology(cores=whole, threads=how.ratio)
        case "SocketsCoresThreads":
            return Topology(sockets=whole, cores=how.ratio, threads=_THREADS)
        case _:
            return Topology(sockets=whole, cores=how.ratio)


def why_indivisible(count: int, preference: VirtualMachinePreferenceSpec | None) -> str | None:
    """Why so many processors cannot be spread as the preference wants; None when they can."""
    if preferred_topology(preference) != "spread":
        return None
    how = spread(preference)
    if how.ratio > 0 and count % how.divisor == 0:
        return None
    return (
        f"has {count} processors, which the preference spreads over {how.across} with a ratio of "
        f"{how.ratio}; their number must be a multiple of {how.divisor}"
    )
