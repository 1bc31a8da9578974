"""Configuration of an installation: its own processes."""

from msgspec import field

from virtdeck.crds.kubevirt.configuration_network import ResourceRequirementsWithoutClaims
from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Int32, Quantity


class TokenBucketRateLimiter(Model, frozen=True, kw_only=True):
    """TBD"""

    burst: Int32
    qps: float


class RateLimiter(Model, frozen=True, kw_only=True):
    """TBD"""

    token_bucket_rate_limiter: TokenBucketRateLimiter | None = None


class RESTClientConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    rate_limiter: RateLimiter | None = None


class ReloadableComponentConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    rest_client: RESTClientConfiguration | None = None


class LogVerbosity(Model, frozen=True, kw_only=True):
    """TBD"""

    node_verbosity: dict[str, Int32] | None = None
    virt_api: Int32 | None = field(default=None, name="virtAPI")
    virt_controller: Int32 | None = None
    virt_handler: Int32 | None = None
    virt_launcher: Int32 | None = None
    virt_operator: Int32 | None = None
    virt_synchronization_controller: Int32 | None = None


class DiskVerification(Model, frozen=True, kw_only=True):
    """TBD"""

    memory_limit: Quantity


class DeveloperConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    cluster_profiler: bool | None = None
    cpu_allocation_ratio: Int32 | None = None
    disabled_feature_gates: tuple[str, ...] | None = None
    disk_verification: DiskVerification | None = None
    feature_gates: tuple[str, ...] | None = None
    log_verbosity: LogVerbosity | None = None
    memory_overcommit: Int32 | None = None
    minimum_cluster_tsc_frequency: int | None = field(default=None, name="minimumClusterTSCFrequency")
    minimum_reserve_pvc_bytes: int | None = field(default=None, name="minimumReservePVCBytes")
    node_selectors: dict[str, str] | None = None
    pvc_tolerate_less_space_up_to_percent: Int32 | None = None
    use_emulation: bool | None = None


class TLSConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    ciphers: tuple[str, ...] | None = None
    min_tls_version: str | None = field(default=None, name="minTLSVersion")


class CustomProfile(Model, frozen=True, kw_only=True):
    """TBD"""

    localhost_profile: str | None = None
    runtime_default_profile: bool | None = None


class VirtualMachineInstanceProfile(Model, frozen=True, kw_only=True):
    """TBD"""

    custom_profile: CustomProfile | None = None


class SeccompConfiguration(Model, frozen=True, kw_only=True):
    """TBD"""

    virtual_machine_instance_profile: VirtualMachineInstanceProfile | None = None


class SupportContainerResources(Model, frozen=True, kw_only=True):
    """TBD"""

    resources: ResourceRequirementsWithoutClaims
    type: str


class CommonInstancetypesDeployment(Model, frozen=True, kw_only=True):
    """TBD"""

    enabled: bool | None = None


class VirtTemplateDeployment(Model, frozen=True, kw_only=True):
    """TBD"""

    enabled: bool | None = None
