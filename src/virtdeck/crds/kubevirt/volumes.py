"""What is behind a disk or file system of a VMI."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.core import claims
from virtdeck.crds.core.references import DownwardAPIVolumeFile, LocalObjectReference
from virtdeck.crds.model import Model, doc, one_of
from virtdeck.crds.scalars import Quantity


class CloudInitConfigDriveSource(Model, frozen=True, kw_only=True):
    """What cloud-init reads at the first boot, as OpenStack's config drive."""

    network_data: Annotated[str | None, doc("Network configuration, at most 2048 bytes.")] = None
    network_data_base64: Annotated[str | None, doc("Network configuration in Base64.")] = None
    network_data_secret_ref: Annotated[
        LocalObjectReference | None, doc("Secret of this namespace with the key networkdata.")
    ] = None
    secret_ref: Annotated[
        LocalObjectReference | None, doc("Secret of this namespace with the credentials.")
    ] = None
    user_data: Annotated[
        str | None,
        doc("User data, as #cloud-config …, at most 2048 bytes. Whoever may read the object can read it."),
    ] = None
    user_data_base64: Annotated[str | None, doc("User data in Base64.")] = None


class CloudInitNoCloudSource(Model, frozen=True, kw_only=True):
    """What cloud-init reads at the first boot, as NoCloud."""

    network_data: Annotated[str | None, doc("Network configuration, at most 2048 bytes.")] = None
    network_data_base64: Annotated[str | None, doc("Network configuration in Base64.")] = None
    network_data_secret_ref: Annotated[
        LocalObjectReference | None, doc("Secret of this namespace with the key networkdata.")
    ] = None
    secret_ref: Annotated[
        LocalObjectReference | None, doc("Secret of this namespace with the credentials.")
    ] = None
    user_data: Annotated[
        str | None,
        doc("User data, as #cloud-config …, at most 2048 bytes. Whoever may read the object can read it."),
    ] = None
    user_data_base64: Annotated[str | None, doc("User data in Base64.")] = None


class ConfigMapVolumeSource(Model, frozen=True, kw_only=True):
    """A config map as a disk with files."""

    name: Annotated[str | None, doc("Config map of this namespace.")] = None
    optional: Annotated[bool | None, doc("The VMI starts without it when it does not exist.")] = None
    volume_label: Annotated[str | None, doc("Label of the disk.")] = None


class ContainerDiskSource(Model, frozen=True, kw_only=True):
    """A disk in a container image; what the guest writes is lost when it stops."""

    image: Annotated[
        str, doc("Reference of the image, as registry.example.com/containerdisks/fedora:latest.")
    ]
    image_pull_policy: Annotated[
        str | None,
        one_of("Always", "IfNotPresent", "Never"),
        doc("When the registry is asked; Always for :latest, else IfNotPresent."),
    ] = None
    image_pull_secret: Annotated[
        str | None, doc("Secret of this namespace with the registry's credentials.")
    ] = None
    path: Annotated[str | None, doc("Path of the disk in the image; the one file in /disk when absent.")] = (
        None
    )


class ContainerPathVolumeSource(Model, frozen=True, kw_only=True):
    """A folder of the launcher."""

    path: Annotated[str, doc("The folder's path.")]
    read_only: Annotated[bool | None, doc("The guest cannot write to it.")] = None


class DataVolumeSource(Model, frozen=True, kw_only=True):
    """A disk that is filled before the VM starts."""

    name: Annotated[str, doc("DataVolume of this namespace.")]
    hotpluggable: Annotated[bool | None, doc("It may be attached and detached while the guest runs.")] = None


class DownwardAPIVolumeSource(Model, frozen=True, kw_only=True):
    """Fields of the VMI as a disk with files."""

    fields: Annotated[tuple[DownwardAPIVolumeFile, ...] | None, doc("The files.")] = None
    volume_label: Annotated[str | None, doc("Label of the disk.")] = None


class DownwardMetricsVolumeSource(Model, frozen=True, kw_only=True):
    """A few figures of the host as a disk."""


class EmptyDiskSource(Model, frozen=True, kw_only=True):
    """A fresh empty disk; lost when the guest stops."""

    capacity: Annotated[Quantity, doc("Size, as 2Gi.")]


class EphemeralVolumeSource(Model, frozen=True, kw_only=True):
    """A claim that is only read; what the guest writes is lost when it stops."""

    persistent_volume_claim: Annotated[claims.PersistentVolumeClaimVolumeSource | None, doc("The claim.")] = (
        None
    )


class HostDisk(Model, frozen=True, kw_only=True):
    """A file of the node."""

    capacity: Annotated[Quantity | None, doc("Size of the file when it is made.")] = None
    path: Annotated[str, doc("Path on the node.")]
    shared: Annotated[bool | None, doc("Several VMIs may use it.")] = None
    type: Annotated[str, doc("Disk must exist; DiskOrCreate is made when it does not.")]


class MemoryDumpVolumeSource(Model, frozen=True, kw_only=True):
    """Where the guest's memory is written to."""

    claim_name: Annotated[str, doc("PersistentVolumeClaim of this namespace.")]
    hotpluggable: Annotated[bool | None, doc("It may be attached and detached while the guest runs.")] = None
    read_only: Annotated[bool | None, doc("It is not written to.")] = None


class PersistentVolumeClaimVolumeSource(Model, frozen=True, kw_only=True):
    """A disk on persistent storage."""

    claim_name: Annotated[str, doc("PersistentVolumeClaim of this namespace.")]
    hotpluggable: Annotated[bool | None, doc("It may be attached and detached while the guest runs.")] = None
    read_only: Annotated[bool | None, doc("It is not written to.")] = None


class SecretVolumeSource(Model, frozen=True, kw_only=True):
    """A secret as a disk with files."""

    optional: Annotated[bool | None, doc("The VMI starts without it when it does not exist.")] = None
    secret_name: Annotated[str | None, doc("Secret of this namespace.")] = None
    volume_label: Annotated[str | None, doc("Label of the disk.")] = None


class ServiceAccountVolumeSource(Model, frozen=True, kw_only=True):
    """A service account's token as a disk with files."""

    service_account_name: Annotated[str | None, doc("Service account of this namespace.")] = None


class SysprepSource(Model, frozen=True, kw_only=True):
    """Answers to the questions of Windows' setup."""

    config_map: Annotated[
        LocalObjectReference | None, doc("Config map with autounattend.xml and unattend.xml.")
    ] = None
    secret: Annotated[LocalObjectReference | None, doc("Secret with autounattend.xml and unattend.xml.")] = (
        None
    )


class Volume(Model, frozen=True, kw_only=True):
    """What is behind a disk or file system: a name and exactly one source."""

    name: Annotated[str, doc("Name, which a disk or file system refers to.")]
    cloud_init_config_drive: Annotated[
        CloudInitConfigDriveSource | None, doc("What cloud-init reads, as OpenStack's config drive.")
    ] = None
    cloud_init_no_cloud: Annotated[
        CloudInitNoCloudSource | None, doc("What cloud-init reads, as NoCloud.")
    ] = None
    config_map: Annotated[ConfigMapVolumeSource | None, doc("A config map as a disk with files.")] = None
    container_disk: Annotated[ContainerDiskSource | None, doc("A disk in a container image.")] = None
    container_path: Annotated[ContainerPathVolumeSource | None, doc("A folder of the launcher.")] = None
    data_volume: Annotated[DataVolumeSource | None, doc("A disk that is filled before the VM starts.")] = None
    downward_api: Annotated[
        DownwardAPIVolumeSource | None, doc("Fields of the VMI as a disk with files.")
    ] = field(default=None, name="downwardAPI")
    downward_metrics: Annotated[DownwardMetricsVolumeSource | None, doc("A few figures of the host.")] = None
    empty_disk: Annotated[EmptyDiskSource | None, doc("A fresh empty disk.")] = None
    ephemeral: Annotated[EphemeralVolumeSource | None, doc("A claim that is only read.")] = None
    host_disk: Annotated[HostDisk | None, doc("A file of the node.")] = None
    memory_dump: Annotated[MemoryDumpVolumeSource | None, doc("Where the guest's memory is written to.")] = (
        None
    )
    persistent_volume_claim: Annotated[
        PersistentVolumeClaimVolumeSource | None, doc("A disk on persistent storage.")
    ] = None
    secret: Annotated[SecretVolumeSource | None, doc("A secret as a disk with files.")] = None
    service_account: Annotated[ServiceAccountVolumeSource | None, doc("A service account's token.")] = None
    sysprep: Annotated[SysprepSource | None, doc("Answers to the questions of Windows' setup.")] = None


class UtilityVolume(Model, frozen=True, kw_only=True):
    """A claim that virtdeck attaches for a task of its own."""

    name: Annotated[str, doc("Name of the volume.")]
    claim_name: Annotated[str, doc("PersistentVolumeClaim of this namespace.")]
    read_only: Annotated[bool | None, doc("It is not written to.")] = None
    type: Annotated[str | None, doc("The task: MemoryDump or Backup.")] = None
