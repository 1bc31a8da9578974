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

    current: Annotated[str, doc("Snapshot that this step copies.")]
    previous: Annotated[str, doc("Snapshot of the step before; empty for the first.")]


class DataVolumeSourceGCS(Model, frozen=True, kw_only=True):
    """Google Cloud Storage."""

    secret_ref: Annotated[str | None, doc("Secret of this namespace with the service account's key.")] = None
    url: Annotated[str, doc("The object, as gs://bucket/disk.qcow2.")]


class DataVolumeSourceHTTP(Model, frozen=True, kw_only=True):
    """A web server."""

    cert_config_map: Annotated[
        str | None, doc("ConfigMap with certificates that are trusted; the system's when absent.")
    ] = None
    extra_headers: Annotated[
        tuple[str, ...] | None, doc("Further headers of the request, as X-Example: yes.")
    ] = None
    secret_extra_headers: Annotated[
        tuple[str, ...] | None, doc("Secrets with further headers of the request.")
    ] = None
    secret_ref: Annotated[
        str | None, doc("Secret of this namespace with accessKeyId (user) and secretKey (password).")
    ] = None
    url: Annotated[
        str, doc("The disk, as https://images.example.com/disk.qcow2; qcow2, raw, vmdk …, also compressed.")
    ]


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
    image_stream: Annotated[
        str | None, doc("OpenShift's image stream; with pullMethod: node. Excludes url.")
    ] = None
    platform: Annotated[PlatformOptions | None, doc("Which of the image's variants.")] = None
    pull_method: Annotated[
        str | None,
        doc("pod (the default): a pod reads the image from the registry. node: the node pulls it."),
    ] = None
    secret_ref: Annotated[str | None, doc("Secret of this namespace with the credentials.")] = None
    url: Annotated[
        str | None, doc("The image, as docker://registry.example.com/containerdisks/fedora:latest.")
    ] = None


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

    access_modes: Annotated[
        tuple[str, ...] | None,
        doc(
            "Who may use it at once: ReadWriteOnce, ReadWriteMany, ReadOnlyMany; the class's own when "
            "absent. Migration needs ReadWriteMany."
        ),
    ] = None
    data_source: Annotated[
        TypedLocalObjectReference | None, doc("What it is filled from, in this namespace.")
    ] = None
    data_source_ref: Annotated[
        TypedObjectReference | None, doc("What it is filled from, in any namespace.")
    ] = None
    resources: Annotated[
        VolumeResourceRequirements | None,
        doc("How much, as requests: {storage: 10Gi}; the size of the source when absent."),
    ] = None
    selector: Annotated[LabelSelector | None, doc("Which volumes suit.")] = None
    storage_class_name: Annotated[str | None, doc("Class of storage; the default class when absent.")] = None
    volume_mode: Annotated[
        str | None,
        one_of("Block", "Filesystem", "FromStorageProfile"),
        doc("Filesystem, or Block for a bare device; the class's own when absent."),
    ] = None
    volume_name: Annotated[str | None, doc("The very volume.")] = None


class DataVolumeSpec(Model, frozen=True, kw_only=True):
    """A disk and where its contents come from."""

    checkpoints: Annotated[tuple[DataVolumeCheckpoint, ...] | None, doc("Steps of an import in steps.")] = (
        None
    )
    content_type: Annotated[
        str | None, doc("kubevirt (the default): a disk. archive: a tar file that is unpacked.")
    ] = None
    final_checkpoint: Annotated[bool | None, doc("The last step is reached.")] = None
    preallocation: Annotated[
        bool | None,
        doc("true: all of it is written at once, so that the guest's writes are faster. false when absent."),
    ] = None
    priority_class_name: Annotated[
        str | None, doc("PriorityClass of the pods that fill it; the cluster's default when absent.")
    ] = None
    pvc: Annotated[
        PersistentVolumeClaimSpec | None, doc("The storage, in every detail. Excludes storage.")
    ] = None
    source: Annotated[
        DataVolumeSource | None, doc("Where the contents come from, one of its kinds. Excludes sourceRef.")
    ] = None
    source_ref: Annotated[
        DataVolumeSourceRef | None,
        doc(
            "A DataSource that says where the contents come from, so that it can be kept current. "
            "Excludes source."
        ),
    ] = None
    storage: Annotated[
        StorageSpec | None, doc("The storage, with the class's own defaults. Excludes pvc.")
    ] = None


class DataVolumeTemplateSpec(Model, frozen=True, kw_only=True):
    """A disk that is made with the virtual machine."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[DataVolumeSpec, doc("The disk and where its contents come from.")]
    status: Annotated[DataVolumeTemplateDummyStatus | None, doc("Nothing.")] = None
