"""Feature gates: which are on without being asked, and which are gone."""

from collections.abc import Collection

BETA = frozenset(
    {
        "ImageVolume",
        "Snapshot",
        "WorkloadEncryptionSEV",
        "KubevirtSeccompProfile",
        "NodeRestriction",
        "GPUsWithDRA",
        "HostDevicesWithDRA",
        "DecentralizedLiveMigration",
        "DeclarativeHotplugVolumes",
        "PasstBinding",
        "PodSecondaryInterfaceNamingUpgrade",
        "ExternalNetResourceInjection",
        "RebootPolicy",
        "Template",
        "OptOutRoleAggregation",
    }
)
GENERALLY_AVAILABLE = frozenset(
    {
        "LiveMigration",
        "SRIOVLiveMigration",
        "NonRoot",
        "PSA",
        "CPUNodeDiscovery",
        "NUMA",
        "CommonInstancetypesDeploymentGate",
        "GPU",
        "HotplugNICs",
        "BochsDisplayForEFIGuests",
        "VMLiveUpdateFeatures",
        "NetworkBindingPlugins",
        "DynamicPodInterfaceNaming",
        "VolumesUpdateStrategy",
        "VolumeMigration",
        "DisableCustomSELinuxPolicy",
        "AutoResourceLimitsGate",
        "ClusterProfiler",
        "VMPersistentState",
        "VMExport",
        "PersistentReservation",
        "InstancetypeReferencePolicy",
        "EnableVirtioFsConfigVolumes",
        "ExpandDisks",
        "PanicDevices",
        "LiveUpdateNADRef",
        "VideoConfig",
        "SecureExecution",
        "MigrationPriorityQueue",
        "VmiMemoryOverheadReport",
        "LibvirtHooksServerAndClient",
    }
)
DEPRECATED = frozenset(
    {"DockerSELinuxMCSWorkaround", "MultiArchitecture", "DisableMDEVConfiguration", "HotplugVolumes"}
)
DISCONTINUED = frozenset({"ExperimentalVirtiofsSupport", "Passt", "Macvtap", "PasstIPStackMigration"})


def gate_is_on(name: str, enabled: Collection[str], disabled: Collection[str]) -> bool:
    """Whether the feature may be used: alpha and deprecated ones when asked for, beta ones unless refused."""
    if name in DISCONTINUED:
        return False
    if name in GENERALLY_AVAILABLE:
        return True
    return name not in disabled and (name in BETA or name in enabled)
