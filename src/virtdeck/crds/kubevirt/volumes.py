"""What is behind a disk or file system of a VMI."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.core import claims
from virtdeck.crds.core.references import DownwardAPIVolumeFile, LocalObjectReference
from virtdeck.crds.model import Model, doc, one_of
from virtdeck.crds.scalars import Quantity

MOST_LABEL_BYTES = 32  # ISO 9660's volume identifier
_LABEL = (
    f"Label of the disk, by which the guest finds it; cfgdata when absent, at most {MOST_LABEL_BYTES} bytes."
)


class CloudInitConfigDriveSource(Model, frozen=True, kw_only=True):
    """What cloud-init reads at the first boot, as OpenStack's config drive."""

    network_data: Annotated[
        str | None,
        doc(
            "Network configuration of cloud-init, version 1 or 2, at most 2048 bytes. Excludes "
            "networkDataBase64 and networkDataSecretRef."
        ),
    ] = None
    network_data_base64: Annotated[
        str | None, doc("The same in Base64. Excludes networkData and networkDataSecretRef.")
    ] = None
    network_data_secret_ref: Annotated[
        LocalObjectReference | None,
        doc(
            "Secret of this namespace with the key networkdata (or networkData), without that limit. "
            "Excludes the other two."
        ),
    ] = None
    secret_ref: Annotated[
        LocalObjectReference | None,
        doc(
            "Secret of this namespace with the key userdata (or userData): for credentials, and for data "
            "that is too long. Excludes userData and userDataBase64."
        ),
    ] = None
    user_data: Annotated[
        str | None,
        doc(
            "What cloud-init does at the first start, as #cloud-config … or a script, at most 2048 bytes. "
            "Whoever may read the object can read it: passwords belong into secretRef. Excludes "
            "userDataBase64 and secretRef."
        ),
    ] = None
    user_data_base64: Annotated[str | None, doc("The same in Base64. Excludes userData and secretRef.")] = (
        None
    )


class CloudInitNoCloudSource(Model, frozen=True, kw_only=True):
    """What cloud-init reads at the first boot, as NoCloud."""

    network_data: Annotated[
        str | None,
        doc(
            "Network configuration of cloud-init, version 1 or 2, at most 2048 bytes. Excludes "
            "networkDataBase64 and networkDataSecretRef."
        ),
    ] = None
    network_data_base64: Annotated[
        str | None, doc("The same in Base64. Excludes networkData and networkDataSecretRef.")
    ] = None
    network_data_secret_ref: Annotated[
        LocalObjectReference | None,
        doc(
            "Secret of this namespace with the key networkdata (or networkData), without that limit. "
            "Excludes the other two."
        ),
    ] = None
    secret_ref: Annotated[
        LocalObjectReference | None,
        doc(
            "Secret of this namespace with the key userdata (or userData): for credentials, and for data "
            "that is too long. Excludes userData and userDataBase64."
        ),
    ] = None
    user_data: Annotated[
        str | None,
        doc(
            "What cloud-init does at the first start, as #cloud-config … or a script, at most 2048 bytes. "
            "Whoever may read the object can read it: passwords belong into secretRef. Excludes "
            "userDataBase64 and secretRef."
        ),
    ] = None
    user_data_base64: Annotated[str | None, doc("The same in Base64. Excludes userData and secretRef.")] = (
        None
    )


class ConfigMapVolumeSource(Model, frozen=True, kw_only=True):
    """A config map as a disk with files."""

    name: Annotated[str | None, doc("ConfigMap of this namespace.")] = None
    optional: Annotated[
        bool | None,
        doc("true: the VMI starts without it when it does not exist. false when absent: it waits."),
    ] = None
    volume_label: Annotated[
        str | None,
        doc(_LABEL),
    ] = None


class ContainerDiskSource(Model, frozen=True, kw_only=True):
    """A disk in a container image; what the guest writes is lost when it stops."""

    image: Annotated[
        str,
        doc(
            "Reference of the image, as registry.example.com/containerdisks/fedora:latest. The guest's "
            "writes are lost when it stops."
        ),
    ]
    image_pull_policy: Annotated[
        str | None,
        one_of("Always", "IfNotPresent", "Never"),
        doc(
            "When the registry is asked: Always, IfNotPresent or Never. Always for the tag latest, else "
            "IfNotPresent."
        ),
    ] = None
    image_pull_secret: Annotated[
        str | None, doc("Secret of this namespace with the registry's credentials; none when absent.")
    ] = None
    path: Annotated[str | None, doc("Path of the disk in the image; the one file in /disk when absent.")] = (
        None
    )


class ContainerPathVolumeSource(Model, frozen=True, kw_only=True):
    """A folder of the launcher."""

    path: Annotated[
        str,
        doc("Absolute path of the folder in the launcher's container, below a volume that is mounted there."),
    ]
    read_only: Annotated[bool | None, doc("true: the guest cannot write to it. true when absent.")] = None


class DataVolumeSource(Model, frozen=True, kw_only=True):
    """A disk that is filled before the VM starts."""

    name: Annotated[
        str,
        doc(
            "DataVolume of this namespace, and the claim of the same name; the guest waits until it is "
            "filled."
        ),
    ]
    hotpluggable: Annotated[
        bool | None,
        doc(
            "true: it may be taken away while the guest runs. Set by who attaches it later; false when "
            "absent."
        ),
    ] = None


class DownwardAPIVolumeSource(Model, frozen=True, kw_only=True):
    """Fields of the VMI as a disk with files."""

    fields: Annotated[
        tuple[DownwardAPIVolumeFile, ...] | None, doc("The files, each with a field of the VMI in it.")
    ] = None
    volume_label: Annotated[
        str | None,
        doc(_LABEL),
    ] = None


class DownwardMetricsVolumeSource(Model, frozen=True, kw_only=True):
    """A few figures of the host as a disk."""


class EmptyDiskSource(Model, frozen=True, kw_only=True):
    """A fresh empty disk; lost when the guest stops."""

    capacity: Annotated[
        Quantity,
        doc(
            "Size, as 2Gi. The disk is made on the node, grows as it is filled, and is gone when the "
            "guest stops."
        ),
    ]


class EphemeralVolumeSource(Model, frozen=True, kw_only=True):
    """A claim that is only read; what the guest writes is lost when it stops."""

    persistent_volume_claim: Annotated[
        claims.PersistentVolumeClaimVolumeSource | None,
        doc(
            "The claim, which is only read. What the guest writes goes to the node and is lost when it "
            "stops, so several guests can share it."
        ),
    ] = None


class HostDisk(Model, frozen=True, kw_only=True):
    """A file of the node."""

    capacity: Annotated[
        Quantity | None,
        doc("Size of the file when it is made, as 10Gi; with type DiskOrCreate, which needs it."),
    ] = None
    path: Annotated[str, doc("Absolute path of the file on the node. Needs the feature gate HostDisk.")]
    shared: Annotated[bool | None, doc("true: several VMIs may use it at once. false when absent.")] = None
    type: Annotated[str, doc("Disk: the file must exist. DiskOrCreate: it is made when it does not.")]


class MemoryDumpVolumeSource(Model, frozen=True, kw_only=True):
    """Where the guest's memory is written to."""

    claim_name: Annotated[
        str,
        doc(
            "PersistentVolumeClaim of this namespace with a file system, large enough for the guest's "
            "memory and 100 MiB."
        ),
    ]
    hotpluggable: Annotated[
        bool | None,
        doc(
            "true: it may be taken away while the guest runs. Set by who attaches it later; false when "
            "absent."
        ),
    ] = None
    read_only: Annotated[bool | None, doc("true: nothing is written to it. false when absent.")] = None


class PersistentVolumeClaimVolumeSource(Model, frozen=True, kw_only=True):
    """A disk on persistent storage."""

    claim_name: Annotated[
        str, doc("PersistentVolumeClaim of this namespace; the guest waits until it is bound.")
    ]
    hotpluggable: Annotated[
        bool | None,
        doc(
            "true: it may be taken away while the guest runs. Set by who attaches it later; false when "
            "absent."
        ),
    ] = None
    read_only: Annotated[bool | None, doc("true: nothing is written to it. false when absent.")] = None


class SecretVolumeSource(Model, frozen=True, kw_only=True):
    """A secret as a disk with files."""

    optional: Annotated[
        bool | None,
        doc("true: the VMI starts without it when it does not exist. false when absent: it waits."),
    ] = None
    secret_name: Annotated[str | None, doc("Secret of this namespace.")] = None
    volume_label: Annotated[
        str | None,
        doc(_LABEL),
    ] = None


class ServiceAccountVolumeSource(Model, frozen=True, kw_only=True):
    """A service account's token as a disk with files."""

    service_account_name: Annotated[
        str | None,
        doc("Service account of this namespace; at most one such volume, and the launcher's pod runs as it."),
    ] = None


class SysprepSource(Model, frozen=True, kw_only=True):
    """Answers to the questions of Windows' setup."""

    config_map: Annotated[
        LocalObjectReference | None,
        doc("ConfigMap with the keys autounattend.xml and unattend.xml. Excludes secret."),
    ] = None
    secret: Annotated[
        LocalObjectReference | None,
        doc(
            "Secret with the keys autounattend.xml and unattend.xml, for answers with passwords. Excludes "
            "configMap."
        ),
    ] = None


class Volume(Model, frozen=True, kw_only=True):
    """What is behind a disk or file system: a name and exactly one source."""

    name: Annotated[
        str,
        doc(
            "Name, which a disk or file system refers to; at most 63 characters, unique. One kind of "
            "source follows."
        ),
    ]
    cloud_init_config_drive: Annotated[
        CloudInitConfigDriveSource | None,
        doc(
            "What cloud-init reads at the first start, as OpenStack's config drive. One cloud-init volume "
            "in each VMI."
        ),
    ] = None
    cloud_init_no_cloud: Annotated[
        CloudInitNoCloudSource | None,
        doc("What cloud-init reads at the first start, as NoCloud. One cloud-init volume in each VMI."),
    ] = None
    config_map: Annotated[
        ConfigMapVolumeSource | None,
        doc("The entries of a ConfigMap, as files on a small disk or in a shared folder."),
    ] = None
    container_disk: Annotated[
        ContainerDiskSource | None,
        doc("A disk in a container image: the same at each start, its changes are lost."),
    ] = None
    container_path: Annotated[
        ContainerPathVolumeSource | None,
        doc("A folder of the launcher's container. Needs the feature gate ContainerPathVolumes."),
    ] = None
    data_volume: Annotated[
        DataVolumeSource | None,
        doc("A lasting disk that is filled (from an image, a clone …) before the guest starts."),
    ] = None
    downward_api: Annotated[
        DownwardAPIVolumeSource | None,
        doc("Fields of the VMI, as labels and annotations, as files on a small disk or in a shared folder."),
    ] = field(default=None, name="downwardAPI")
    downward_metrics: Annotated[
        DownwardMetricsVolumeSource | None,
        doc("A few figures of the host, on a small disk. Needs the feature gate DownwardMetrics."),
    ] = None
    empty_disk: Annotated[
        EmptyDiskSource | None, doc("A fresh empty disk, for swap and other things that need not last.")
    ] = None
    ephemeral: Annotated[
        EphemeralVolumeSource | None,
        doc("A claim that is only read, with a layer for the guest's writes that is lost when it stops."),
    ] = None
    host_disk: Annotated[
        HostDisk | None,
        doc("A file of the node. Needs the feature gate HostDisk; the guest is bound to that node."),
    ] = None
    memory_dump: Annotated[
        MemoryDumpVolumeSource | None,
        doc("Where the guest's memory was written to; virtctl memory-dump adds it."),
    ] = None
    persistent_volume_claim: Annotated[
        PersistentVolumeClaimVolumeSource | None,
        doc(
            "A lasting disk on storage that is there already: a block device, or the file disk.img in a "
            "file system."
        ),
    ] = None
    secret: Annotated[
        SecretVolumeSource | None,
        doc("The entries of a Secret, as files on a small disk or in a shared folder."),
    ] = None
    service_account: Annotated[
        ServiceAccountVolumeSource | None,
        doc(
            "The token of a service account, as files on a small disk, so that programs in the guest can "
            "ask the API."
        ),
    ] = None
    sysprep: Annotated[
        SysprepSource | None, doc("Answers to the questions of Windows' setup, on a CD-ROM.")
    ] = None


class UtilityVolume(Model, frozen=True, kw_only=True):
    """A claim that virtdeck attaches for a task of its own."""

    name: Annotated[str, doc("Name of the volume.")]
    claim_name: Annotated[str, doc("PersistentVolumeClaim of this namespace with a file system.")]
    read_only: Annotated[bool | None, doc("true: nothing is written to it. false when absent.")] = None
    type: Annotated[str | None, doc("The task that it is for: MemoryDump or Backup.")] = None
