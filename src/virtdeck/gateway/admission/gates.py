"""Feature gates: the state of each, and what it means for being on."""

from collections.abc import Collection, Iterator
from enum import StrEnum


class State(StrEnum):
    """How far a feature has come, in KubeVirt's words."""

    ALPHA = "Alpha"
    BETA = "Beta"
    GENERALLY_AVAILABLE = "General Availability"
    DEPRECATED = "Deprecated"
    DISCONTINUED = "Discontinued"


_NAMES = {
    State.ALPHA: """
        CPUManager ExperimentalIgnitionSupport HypervStrictCheck Sidecar HostDevices HostDisk DownwardMetrics
        Root WorkloadEncryptionTDX VSOCK AlignCPUs EnableVirtioFsStorageVolumes PCINUMAAwareTopology
        NetworkDevicesWithDRA ObjectGraph UtilityVolumes ConfigurableHypervisor IncrementalBackup
        ContainerPathVolumes ReservedOverheadMemlock VGPULiveMigration VMStatsCollector OCIExport Plugins
        GraceIOVirtualization IOMMUFD FirmwareAutoSelection MigrationStallDetection MigrationDowntimeTuning
        CrossArchitectureVirtualization PortRangesSpec
    """,
    State.BETA: """
        ImageVolume Snapshot WorkloadEncryptionSEV KubevirtSeccompProfile NodeRestriction GPUsWithDRA
        HostDevicesWithDRA DecentralizedLiveMigration DeclarativeHotplugVolumes PasstBinding
        PodSecondaryInterfaceNamingUpgrade ExternalNetResourceInjection RebootPolicy Template
        OptOutRoleAggregation
    """,
    State.GENERALLY_AVAILABLE: """
        LiveMigration SRIOVLiveMigration NonRoot PSA CPUNodeDiscovery NUMA CommonInstancetypesDeploymentGate
        GPU HotplugNICs BochsDisplayForEFIGuests VMLiveUpdateFeatures NetworkBindingPlugins
        DynamicPodInterfaceNaming VolumesUpdateStrategy VolumeMigration DisableCustomSELinuxPolicy
        AutoResourceLimitsGate ClusterProfiler VMPersistentState VMExport PersistentReservation
        InstancetypeReferencePolicy EnableVirtioFsConfigVolumes ExpandDisks PanicDevices LiveUpdateNADRef
        VideoConfig SecureExecution MigrationPriorityQueue VmiMemoryOverheadReport
        LibvirtHooksServerAndClient
    """,
    State.DEPRECATED: "DockerSELinuxMCSWorkaround MultiArchitecture DisableMDEVConfiguration HotplugVolumes",
    State.DISCONTINUED: "ExperimentalVirtiofsSupport Passt Macvtap PasstIPStackMigration",
}
GATES: dict[str, State] = {name: state for state, names in _NAMES.items() for name in names.split()}

# What to use instead of a gate that is going or gone; where nothing is named, nothing is needed.
_INSTEAD = {
    "HotplugVolumes": "use DeclarativeHotplugVolumes, which is on",
    "ExperimentalVirtiofsSupport": "use EnableVirtioFsStorageVolumes for claims; configMaps need no gate",
    "Passt": "use the binding passtBinding, whose gate PasstBinding is on",
    "Macvtap": "use a binding plugin",
}
# Gate → attribute of an interface that is refused although an administrator still lists the gate.
DISCONTINUED_BINDINGS = {"Passt": "passt", "Macvtap": "macvtap"}


def gate_is_on(name: str, enabled: Collection[str], disabled: Collection[str]) -> bool:
    """Whether the feature may be used: alpha and deprecated ones when asked for, beta ones unless refused."""
    match GATES.get(name, State.ALPHA):
        case State.DISCONTINUED:
            return False
        case State.GENERALLY_AVAILABLE:
            return True
        case State.BETA:
            return name not in disabled
        case _:
            return name in enabled and name not in disabled


def gate_warnings(enabled: Collection[str], disabled: Collection[str]) -> Iterator[str]:
    """What an administrator should know about the gates that the KubeVirt object lists."""
    for name in enabled:
        yield from _listed(name)
    for name in disabled:
        if GATES.get(name) is State.GENERALLY_AVAILABLE:
            yield f"the feature of the gate {name} is always on; it cannot be disabled"


def _listed(name: str) -> Iterator[str]:
    instead = f"; {_INSTEAD[name]}" if name in _INSTEAD else ""
    match GATES.get(name):
        case None:
            yield f"there is no feature gate {name}"
        case State.DEPRECATED:
            yield f"the feature gate {name} is deprecated{instead}"
        case State.DISCONTINUED:
            yield f"the feature gate {name} is discontinued and does nothing{instead}"
        case State.GENERALLY_AVAILABLE:
            yield f"the feature gate {name} is no longer needed: its feature is always on"
        case _:
            return
