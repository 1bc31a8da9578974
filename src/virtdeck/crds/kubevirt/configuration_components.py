"""Configuration of an installation: its own processes."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.kubevirt.configuration_network import ResourceRequirementsWithoutClaims
from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Int32, Quantity


class TokenBucketRateLimiter(Model, frozen=True, kw_only=True):
    """So many requests in a second, and in a burst."""

    burst: Annotated[Int32, doc("How many requests at once; at least qps.")]
    qps: Annotated[float, doc("How many requests in a second.")]


class RateLimiter(Model, frozen=True, kw_only=True):
    """How often the API server is asked."""

    token_bucket_rate_limiter: Annotated[
        TokenBucketRateLimiter | None, doc("So many requests in a second, and in a burst.")
    ] = None


class RESTClientConfiguration(Model, frozen=True, kw_only=True):
    """How a component asks the API server."""

    rate_limiter: Annotated[RateLimiter | None, doc("How often.")] = None


class ReloadableComponentConfiguration(Model, frozen=True, kw_only=True):
    """Settings of a component that take effect at once."""

    rest_client: Annotated[RESTClientConfiguration | None, doc("How it asks the API server.")] = None


class LogVerbosity(Model, frozen=True, kw_only=True):
    """How much the components log, 2 to 9."""

    node_verbosity: Annotated[
        dict[str, Int32] | None, doc("Level of virt-handler on single nodes, by node name.")
    ] = None
    virt_api: Annotated[
        Int32 | None, doc("Level of virt-api, 0 to 9; 2 when absent, and 4 and more tell of each step.")
    ] = field(default=None, name="virtAPI")
    virt_controller: Annotated[Int32 | None, doc("Level of virt-controller; 2 when absent.")] = None
    virt_handler: Annotated[Int32 | None, doc("Level of virt-handler; 2 when absent.")] = None
    virt_launcher: Annotated[Int32 | None, doc("Level of launchers; 2 when absent.")] = None
    virt_operator: Annotated[Int32 | None, doc("Level of virt-operator; 2 when absent.")] = None
    virt_synchronization_controller: Annotated[
        Int32 | None, doc("Level of virt-synchronization-controller; 2 when absent.")
    ] = None


class DiskVerification(Model, frozen=True, kw_only=True):
    """Checking images before QEMU reads them."""

    memory_limit: Annotated[
        Quantity, doc("The most memory that looking at an image may use, as 2000Mi, which is the default.")
    ]


class DeveloperConfiguration(Model, frozen=True, kw_only=True):
    """Settings for trying things out."""

    cluster_profiler: Annotated[
        bool | None, doc("true: the components can be profiled through virt-api. false when absent.")
    ] = None
    cpu_allocation_ratio: Annotated[
        Int32 | None,
        doc(
            "How many processors of guests share one of a node; 10 when absent. A launcher asks for 1000m "
            "/ ratio for each processor."
        ),
    ] = None
    disabled_feature_gates: Annotated[
        tuple[str, ...] | None,
        doc("Features that are on by themselves and shall be off. Excludes the same name in featureGates."),
    ] = None
    disk_verification: Annotated[
        DiskVerification | None, doc("How images are looked at before QEMU reads them.")
    ] = None
    feature_gates: Annotated[
        tuple[str, ...] | None,
        doc("Features that are off by themselves and shall be on, as Snapshot or HostDisk."),
    ] = None
    log_verbosity: Annotated[LogVerbosity | None, doc("How much the components log.")] = None
    memory_overcommit: Annotated[
        Int32 | None,
        doc(
            "Guests' memory in percent of what launchers ask of nodes; 100 when absent. 150 asks for two "
            "thirds of what guests see."
        ),
    ] = None
    minimum_cluster_tsc_frequency: Annotated[
        int | None,
        doc(
            "Least frequency in Hz of the time stamp counter that nodes are counted with; the least of "
            "all nodes when absent."
        ),
    ] = field(default=None, name="minimumClusterTSCFrequency")
    minimum_reserve_pvc_bytes: Annotated[
        int | None, doc("Bytes of a claim that a disk image leaves free; 131072 when absent.")
    ] = field(default=None, name="minimumReservePVCBytes")
    node_selectors: Annotated[
        dict[str, str] | None,
        doc("Labels that nodes must have for guests to run there; any node when absent."),
    ] = None
    pvc_tolerate_less_space_up_to_percent: Annotated[
        Int32 | None,
        doc("How much smaller, in percent, a claim may be than what was asked for; 10 when absent."),
    ] = None
    use_emulation: Annotated[
        bool | None,
        doc(
            "true: guests run without KVM, slowly, on nodes that have none. false when absent: they wait "
            "for one that has."
        ),
    ] = None


class TLSConfiguration(Model, frozen=True, kw_only=True):
    """TLS of the components."""

    ciphers: Annotated[
        tuple[str, ...] | None,
        doc(
            "Cipher suites by their Go names, for versions before 1.3; Go's own choice when absent. "
            "Excludes minTLSVersion: VersionTLS13."
        ),
    ] = None
    min_tls_version: Annotated[
        str | None, doc("Least version: VersionTLS12 (the default) or VersionTLS13, or an older one.")
    ] = field(default=None, name="minTLSVersion")


class CustomProfile(Model, frozen=True, kw_only=True):
    """A seccomp profile."""

    localhost_profile: Annotated[
        str | None,
        doc(
            "File of the profile, below the kubelet's seccomp folder on nodes. Excludes "
            "runtimeDefaultProfile."
        ),
    ] = None
    runtime_default_profile: Annotated[
        bool | None, doc("true: the container runtime's own profile. Excludes localhostProfile.")
    ] = None


class VirtualMachineInstanceProfile(Model, frozen=True, kw_only=True):
    """The seccomp profile of launchers."""

    custom_profile: Annotated[CustomProfile | None, doc("Which profile.")] = None


class SeccompConfiguration(Model, frozen=True, kw_only=True):
    """Which system calls are allowed."""

    virtual_machine_instance_profile: Annotated[
        VirtualMachineInstanceProfile | None, doc("To launchers.")
    ] = None


class SupportContainerResources(Model, frozen=True, kw_only=True):
    """What one kind of helping container asks of the node."""

    resources: Annotated[ResourceRequirementsWithoutClaims, doc("Requests and limits of the container.")]
    type: Annotated[
        str,
        doc(
            "Which container: container-disk, virtiofs, sidecar, hotplug-disk, guest-console-log or vmexport."
        ),
    ]


class CommonInstancetypesDeployment(Model, frozen=True, kw_only=True):
    """Instance types and preferences that come along."""

    enabled: Annotated[bool | None, doc("Whether they are kept in the cluster; true when absent.")] = None


class VirtTemplateDeployment(Model, frozen=True, kw_only=True):
    """Templates of virtual machines."""

    enabled: Annotated[bool | None, doc("Whether it is on; true when it is named.")] = None
