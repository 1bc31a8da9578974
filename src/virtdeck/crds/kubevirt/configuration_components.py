"""Configuration of an installation: its own processes."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.kubevirt.configuration_network import ResourceRequirementsWithoutClaims
from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Int32, Quantity


class TokenBucketRateLimiter(Model, frozen=True, kw_only=True):
    """So many requests in a second, and in a burst."""

    burst: Annotated[Int32, doc("The most at once.")]
    qps: Annotated[float, doc("Requests in a second.")]


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

    node_verbosity: Annotated[dict[str, Int32] | None, doc("virt-handler, by node.")] = None
    virt_api: Annotated[Int32 | None, doc("virt-api.")] = field(default=None, name="virtAPI")
    virt_controller: Annotated[Int32 | None, doc("virt-controller.")] = None
    virt_handler: Annotated[Int32 | None, doc("virt-handler.")] = None
    virt_launcher: Annotated[Int32 | None, doc("virt-launcher.")] = None
    virt_operator: Annotated[Int32 | None, doc("virt-operator.")] = None
    virt_synchronization_controller: Annotated[Int32 | None, doc("virt-synchronization-controller.")] = None


class DiskVerification(Model, frozen=True, kw_only=True):
    """Checking images before QEMU reads them."""

    memory_limit: Annotated[Quantity, doc("The most memory that a check may use.")]


class DeveloperConfiguration(Model, frozen=True, kw_only=True):
    """Settings for trying things out."""

    cluster_profiler: Annotated[bool | None, doc("The components can be profiled.")] = None
    cpu_allocation_ratio: Annotated[
        Int32 | None, doc("Processors of guests for each processor of a node; 10 when absent.")
    ] = None
    disabled_feature_gates: Annotated[
        tuple[str, ...] | None, doc("Features that are on of themselves and shall be off.")
    ] = None
    disk_verification: Annotated[DiskVerification | None, doc("Checking images before QEMU reads them.")] = (
        None
    )
    feature_gates: Annotated[
        tuple[str, ...] | None, doc("Features that are off of themselves and shall be on.")
    ] = None
    log_verbosity: Annotated[LogVerbosity | None, doc("How much the components log.")] = None
    memory_overcommit: Annotated[
        Int32 | None, doc("Guests' memory in percent of what is asked of nodes; 100 when absent.")
    ] = None
    minimum_cluster_tsc_frequency: Annotated[
        int | None, doc("Least frequency of the time stamp counter in Hz.")
    ] = field(default=None, name="minimumClusterTSCFrequency")
    minimum_reserve_pvc_bytes: Annotated[int | None, doc("Bytes of a claim that are left free.")] = field(
        default=None, name="minimumReservePVCBytes"
    )
    node_selectors: Annotated[dict[str, str] | None, doc("Labels that nodes of guests must have.")] = None
    pvc_tolerate_less_space_up_to_percent: Annotated[
        Int32 | None, doc("How much smaller a claim may be than asked for.")
    ] = None
    use_emulation: Annotated[bool | None, doc("Guests run without KVM, slowly, where there is none.")] = None


class TLSConfiguration(Model, frozen=True, kw_only=True):
    """TLS of the components."""

    ciphers: Annotated[tuple[str, ...] | None, doc("Ciphers for versions before 1.3.")] = None
    min_tls_version: Annotated[str | None, doc("Least version, as VersionTLS12.")] = field(
        default=None, name="minTLSVersion"
    )


class CustomProfile(Model, frozen=True, kw_only=True):
    """A seccomp profile."""

    localhost_profile: Annotated[str | None, doc("A file on nodes.")] = None
    runtime_default_profile: Annotated[bool | None, doc("The container runtime's own.")] = None


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

    resources: Annotated[ResourceRequirementsWithoutClaims, doc("What it asks.")]
    type: Annotated[str, doc("Which kind, as container-disk.")]


class CommonInstancetypesDeployment(Model, frozen=True, kw_only=True):
    """Instance types and preferences that come along."""

    enabled: Annotated[bool | None, doc("Whether it is on; true when it is named.")] = None


class VirtTemplateDeployment(Model, frozen=True, kw_only=True):
    """Templates of virtual machines."""

    enabled: Annotated[bool | None, doc("Whether it is on; true when it is named.")] = None
