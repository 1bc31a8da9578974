"""What is behind a disk or file system of a VMI."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.core import claims
from virtdeck.crds.core.references import DownwardAPIVolumeFile, LocalObjectReference
from virtdeck.crds.model import Model, one_of
from virtdeck.crds.scalars import Quantity


class CloudInitConfigDriveSource(Model, frozen=True, kw_only=True):
    """TBD"""

    network_data: str | None = None
    network_data_base64: str | None = None
    network_data_secret_ref: LocalObjectReference | None = None
    secret_ref: LocalObjectReference | None = None
    user_data: str | None = None
    user_data_base64: str | None = None


class CloudInitNoCloudSource(Model, frozen=True, kw_only=True):
    """TBD"""

    network_data: str | None = None
    network_data_base64: str | None = None
    network_data_secret_ref: LocalObjectReference | None = None
    secret_ref: LocalObjectReference | None = None
    user_data: str | None = None
    user_data_base64: str | None = None


class ConfigMapVolumeSource(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str | None = None
    optional: bool | None = None
    volume_label: str | None = None


class ContainerDiskSource(Model, frozen=True, kw_only=True):
    """TBD"""

    image: str
    image_pull_policy: Annotated[str | None, one_of("Always", "IfNotPresent", "Never")] = None
    image_pull_secret: str | None = None
    path: str | None = None


class ContainerPathVolumeSource(Model, frozen=True, kw_only=True):
    """TBD"""

    path: str
    read_only: bool | None = None


class DataVolumeSource(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    hotpluggable: bool | None = None


class DownwardAPIVolumeSource(Model, frozen=True, kw_only=True):
    """TBD"""

    fields: tuple[DownwardAPIVolumeFile, ...] | None = None
    volume_label: str | None = None


class DownwardMetricsVolumeSource(Model, frozen=True, kw_only=True):
    """TBD"""


class EmptyDiskSource(Model, frozen=True, kw_only=True):
    """TBD"""

    capacity: Quantity


class EphemeralVolumeSource(Model, frozen=True, kw_only=True):
    """TBD"""

    persistent_volume_claim: claims.PersistentVolumeClaimVolumeSource | None = None


class HostDisk(Model, frozen=True, kw_only=True):
    """TBD"""

    capacity: Quantity | None = None
    path: str
    shared: bool | None = None
    type: str


class MemoryDumpVolumeSource(Model, frozen=True, kw_only=True):
    """TBD"""

    claim_name: str
    hotpluggable: bool | None = None
    read_only: bool | None = None


class PersistentVolumeClaimVolumeSource(Model, frozen=True, kw_only=True):
    """TBD"""

    claim_name: str
    hotpluggable: bool | None = None
    read_only: bool | None = None


class SecretVolumeSource(Model, frozen=True, kw_only=True):
    """TBD"""

    optional: bool | None = None
    secret_name: str | None = None
    volume_label: str | None = None


class ServiceAccountVolumeSource(Model, frozen=True, kw_only=True):
    """TBD"""

    service_account_name: str | None = None


class SysprepSource(Model, frozen=True, kw_only=True):
    """TBD"""

    config_map: LocalObjectReference | None = None
    secret: LocalObjectReference | None = None


class Volume(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    cloud_init_config_drive: CloudInitConfigDriveSource | None = None
    cloud_init_no_cloud: CloudInitNoCloudSource | None = None
    config_map: ConfigMapVolumeSource | None = None
    container_disk: ContainerDiskSource | None = None
    container_path: ContainerPathVolumeSource | None = None
    data_volume: DataVolumeSource | None = None
    downward_api: DownwardAPIVolumeSource | None = field(default=None, name="downwardAPI")
    downward_metrics: DownwardMetricsVolumeSource | None = None
    empty_disk: EmptyDiskSource | None = None
    ephemeral: EphemeralVolumeSource | None = None
    host_disk: HostDisk | None = None
    memory_dump: MemoryDumpVolumeSource | None = None
    persistent_volume_claim: PersistentVolumeClaimVolumeSource | None = None
    secret: SecretVolumeSource | None = None
    service_account: ServiceAccountVolumeSource | None = None
    sysprep: SysprepSource | None = None


class UtilityVolume(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    claim_name: str
    read_only: bool | None = None
    type: str | None = None
