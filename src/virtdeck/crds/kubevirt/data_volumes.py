"""Templates of DataVolumes: disks that are filled before the first start."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.core.claims import PersistentVolumeClaimSpec, VolumeResourceRequirements
from virtdeck.crds.core.references import TypedLocalObjectReference, TypedObjectReference
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.model import Model, doc, one_of
from virtdeck.crds.selectors import LabelSelector


class DataVolumeTemplateDummyStatus(Model, frozen=True, kw_only=True):
    """Nothing."""


class DataVolumeBlankImage(Model, frozen=True, kw_only=True):
    """Nothing: the disk is empty."""


class DataVolumeCheckpoint(Model, frozen=True, kw_only=True):
    """One step of an import in steps."""

    current: Annotated[str, doc("This step.")]
    previous: Annotated[str, doc("The step before.")]


class DataVolumeSourceGCS(Model, frozen=True, kw_only=True):
    """Google Cloud Storage."""

    secret_ref: Annotated[str | None, doc("Secret of this namespace with the credentials.")] = None
    url: Annotated[str, doc("Where it is.")]


class DataVolumeSourceHTTP(Model, frozen=True, kw_only=True):
    """A web server."""

    cert_config_map: Annotated[str | None, doc("Config map with certificates that are trusted.")] = None
    extra_headers: Annotated[tuple[str, ...] | None, doc("Further headers of the request.")] = None
    secret_extra_headers: Annotated[
        tuple[str, ...] | None, doc("Secrets with further headers of the request.")
    ] = None
    secret_ref: Annotated[str | None, doc("Secret of this namespace with the credentials.")] = None
    url: Annotated[str, doc("Where it is.")]


class DataVolumeSourceImageIO(Model, frozen=True, kw_only=True):
    """oVirt's image service."""

    cert_config_map: Annotated[str | None, doc("Config map with certificates that are trusted.")] = None
    disk_id: Annotated[str, doc("Id of the disk.")]
    insecure_skip_verify: Annotated[bool | None, doc("Certificates are not checked.")] = None
    secret_ref: Annotated[str | None, doc("Secret of this namespace with the credentials.")] = None
    url: Annotated[str, doc("Where it is.")]


class DataVolumeSourcePVC(Model, frozen=True, kw_only=True):
    """Another claim."""

    name: Annotated[str, doc("Name of the claim.")]
    namespace: Annotated[str, doc("Namespace of the claim.")]


class DataVolumeSourceRef(Model, frozen=True, kw_only=True):
    """Something that says where the source is."""

    kind: Annotated[str, doc("DataSource.")]
    name: Annotated[str, doc("Its name.")]
    namespace: Annotated[str | None, doc("Its namespace; the same when absent.")] = None


class PlatformOptions(Model, frozen=True, kw_only=True):
    """Which of an image's variants."""

    architecture: Annotated[str | None, doc("Architecture, as amd64.")] = None


class DataVolumeSourceRegistry(Model, frozen=True, kw_only=True):
    """A container image."""

    cert_config_map: Annotated[str | None, doc("Config map with certificates that are trusted.")] = None
    image_stream: Annotated[str | None, doc("OpenShift's image stream.")] = None
    platform: Annotated[PlatformOptions | None, doc("Which of the image's variants.")] = None
    pull_method: Annotated[str | None, doc("pod or node.")] = None
    secret_ref: Annotated[str | None, doc("Secret of this namespace with the credentials.")] = None
    url: Annotated[str | None, doc("Where it is.")] = None


class DataVolumeSourceS3(Model, frozen=True, kw_only=True):
    """S3 storage."""

    cert_config_map: Annotated[str | None, doc("Config map with certificates that are trusted.")] = None
    secret_ref: Annotated[str | None, doc("Secret of this namespace with the credentials.")] = None
    url: Annotated[str, doc("Where it is.")]


class DataVolumeSourceSnapshot(Model, frozen=True, kw_only=True):
    """A volume snapshot."""

    name: Annotated[str, doc("Name of the snapshot.")]
    namespace: Annotated[str, doc("Namespace of the snapshot.")]


class DataVolumeSourceUpload(Model, frozen=True, kw_only=True):
    """Whatever is uploaded."""


class DataVolumeSourceVDDK(Model, frozen=True, kw_only=True):
    """VMware."""

    backing_file: Annotated[str | None, doc("File of the disk.")] = None
    extra_args: Annotated[str | None, doc("Config map with further arguments.")] = None
    init_image_url: Annotated[str | None, doc("Image with VMware's library.")] = field(
        default=None, name="initImageURL"
    )
    secret_ref: Annotated[str | None, doc("Secret of this namespace with the credentials.")] = None
    thumbprint: Annotated[str | None, doc("Fingerprint of the server.")] = None
    url: Annotated[str | None, doc("Where it is.")] = None
    uuid: Annotated[str | None, doc("Identity of the VM.")] = None


class DataVolumeSource(Model, frozen=True, kw_only=True):
    """Where the contents come from: exactly one."""

    blank: Annotated[DataVolumeBlankImage | None, doc("Nowhere: the disk is empty.")] = None
    gcs: Annotated[DataVolumeSourceGCS | None, doc("Google Cloud Storage.")] = None
    http: Annotated[DataVolumeSourceHTTP | None, doc("A web server.")] = None
    imageio: Annotated[DataVolumeSourceImageIO | None, doc("oVirt's image service.")] = None
    pvc: Annotated[DataVolumeSourcePVC | None, doc("Another claim.")] = None
    registry: Annotated[DataVolumeSourceRegistry | None, doc("A container image.")] = None
    s3: Annotated[DataVolumeSourceS3 | None, doc("S3 storage.")] = None
    snapshot: Annotated[DataVolumeSourceSnapshot | None, doc("A volume snapshot.")] = None
    upload: Annotated[DataVolumeSourceUpload | None, doc("Whatever is uploaded.")] = None
    vddk: Annotated[DataVolumeSourceVDDK | None, doc("VMware.")] = None


class StorageSpec(Model, frozen=True, kw_only=True):
    """The storage that is asked for, with the class's own defaults."""

    access_modes: Annotated[tuple[str, ...] | None, doc("Who may use it at once.")] = None
    data_source: Annotated[TypedLocalObjectReference | None, doc("What it is filled from.")] = None
    data_source_ref: Annotated[
        TypedObjectReference | None, doc("What it is filled from, in any namespace.")
    ] = None
    resources: Annotated[VolumeResourceRequirements | None, doc("How much.")] = None
    selector: Annotated[LabelSelector | None, doc("Which volumes suit.")] = None
    storage_class_name: Annotated[str | None, doc("Class of storage; the default class when absent.")] = None
    volume_mode: Annotated[
        str | None,
        one_of("Block", "Filesystem", "FromStorageProfile"),
        doc("A file system, or a bare block device."),
    ] = None
    volume_name: Annotated[str | None, doc("The very volume.")] = None


class DataVolumeSpec(Model, frozen=True, kw_only=True):
    """A disk and where its contents come from."""

    checkpoints: Annotated[tuple[DataVolumeCheckpoint, ...] | None, doc("Steps of an import in steps.")] = (
        None
    )
    content_type: Annotated[str | None, doc("kubevirt (a disk) or archive.")] = None
    final_checkpoint: Annotated[bool | None, doc("The last step is reached.")] = None
    preallocation: Annotated[bool | None, doc("All of it is written at once.")] = None
    priority_class_name: Annotated[str | None, doc("Priority of the pods that fill it.")] = None
    pvc: Annotated[PersistentVolumeClaimSpec | None, doc("The storage, in every detail.")] = None
    source: Annotated[DataVolumeSource | None, doc("Where the contents come from.")] = None
    source_ref: Annotated[
        DataVolumeSourceRef | None, doc("Something that says where the contents come from.")
    ] = None
    storage: Annotated[StorageSpec | None, doc("The storage, with the class's own defaults.")] = None


class DataVolumeTemplateSpec(Model, frozen=True, kw_only=True):
    """A disk that is made with the virtual machine."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[DataVolumeSpec, doc("The disk and where its contents come from.")]
    status: Annotated[DataVolumeTemplateDummyStatus | None, doc("Nothing.")] = None
