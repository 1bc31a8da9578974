"""Templates of DataVolumes: disks that are filled before the first start."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.core.claims import PersistentVolumeClaimSpec, VolumeResourceRequirements
from virtdeck.crds.core.references import TypedLocalObjectReference, TypedObjectReference
from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.model import Model, one_of
from virtdeck.crds.selectors import LabelSelector


class DataVolumeTemplateDummyStatus(Model, frozen=True, kw_only=True):
    """TBD"""


class DataVolumeBlankImage(Model, frozen=True, kw_only=True):
    """TBD"""


class DataVolumeCheckpoint(Model, frozen=True, kw_only=True):
    """TBD"""

    current: str
    previous: str


class DataVolumeSourceGCS(Model, frozen=True, kw_only=True):
    """TBD"""

    secret_ref: str | None = None
    url: str


class DataVolumeSourceHTTP(Model, frozen=True, kw_only=True):
    """TBD"""

    cert_config_map: str | None = None
    extra_headers: tuple[str, ...] | None = None
    secret_extra_headers: tuple[str, ...] | None = None
    secret_ref: str | None = None
    url: str


class DataVolumeSourceImageIO(Model, frozen=True, kw_only=True):
    """TBD"""

    cert_config_map: str | None = None
    disk_id: str
    insecure_skip_verify: bool | None = None
    secret_ref: str | None = None
    url: str


class DataVolumeSourcePVC(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    namespace: str


class DataVolumeSourceRef(Model, frozen=True, kw_only=True):
    """TBD"""

    kind: str
    name: str
    namespace: str | None = None


class PlatformOptions(Model, frozen=True, kw_only=True):
    """TBD"""

    architecture: str | None = None


class DataVolumeSourceRegistry(Model, frozen=True, kw_only=True):
    """TBD"""

    cert_config_map: str | None = None
    image_stream: str | None = None
    platform: PlatformOptions | None = None
    pull_method: str | None = None
    secret_ref: str | None = None
    url: str | None = None


class DataVolumeSourceS3(Model, frozen=True, kw_only=True):
    """TBD"""

    cert_config_map: str | None = None
    secret_ref: str | None = None
    url: str


class DataVolumeSourceSnapshot(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str
    namespace: str


class DataVolumeSourceUpload(Model, frozen=True, kw_only=True):
    """TBD"""


class DataVolumeSourceVDDK(Model, frozen=True, kw_only=True):
    """TBD"""

    backing_file: str | None = None
    extra_args: str | None = None
    init_image_url: str | None = field(default=None, name="initImageURL")
    secret_ref: str | None = None
    thumbprint: str | None = None
    url: str | None = None
    uuid: str | None = None


class DataVolumeSource(Model, frozen=True, kw_only=True):
    """TBD"""

    blank: DataVolumeBlankImage | None = None
    gcs: DataVolumeSourceGCS | None = None
    http: DataVolumeSourceHTTP | None = None
    imageio: DataVolumeSourceImageIO | None = None
    pvc: DataVolumeSourcePVC | None = None
    registry: DataVolumeSourceRegistry | None = None
    s3: DataVolumeSourceS3 | None = None
    snapshot: DataVolumeSourceSnapshot | None = None
    upload: DataVolumeSourceUpload | None = None
    vddk: DataVolumeSourceVDDK | None = None


class StorageSpec(Model, frozen=True, kw_only=True):
    """TBD"""

    access_modes: tuple[str, ...] | None = None
    data_source: TypedLocalObjectReference | None = None
    data_source_ref: TypedObjectReference | None = None
    resources: VolumeResourceRequirements | None = None
    selector: LabelSelector | None = None
    storage_class_name: str | None = None
    volume_mode: Annotated[str | None, one_of("Block", "Filesystem", "FromStorageProfile")] = None
    volume_name: str | None = None


class DataVolumeSpec(Model, frozen=True, kw_only=True):
    """TBD"""

    checkpoints: tuple[DataVolumeCheckpoint, ...] | None = None
    content_type: str | None = None
    final_checkpoint: bool | None = None
    preallocation: bool | None = None
    priority_class_name: str | None = None
    pvc: PersistentVolumeClaimSpec | None = None
    source: DataVolumeSource | None = None
    source_ref: DataVolumeSourceRef | None = None
    storage: StorageSpec | None = None


class DataVolumeTemplateSpec(Model, frozen=True, kw_only=True):
    """TBD"""

    api_version: str | None = None
    kind: str | None = None
    metadata: ObjectMeta = ObjectMeta()
    spec: DataVolumeSpec
    status: DataVolumeTemplateDummyStatus | None = None
