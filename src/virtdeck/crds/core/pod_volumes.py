"""Volumes of a pod, as far as launcher pods use them."""

from msgspec import field

from virtdeck.crds.core.claims import PersistentVolumeClaimVolumeSource
from virtdeck.crds.core.references import DownwardAPIVolumeFile
from virtdeck.crds.model import Model
from virtdeck.crds.scalars import Int32, Quantity


class EmptyDir(Model, frozen=True, kw_only=True):
    """A fresh folder that goes with the pod. medium: empty or Memory."""

    medium: str | None = None
    size_limit: Quantity | None = None


class KeyToPath(Model, frozen=True, kw_only=True):
    """One entry of a secret or config map as a file."""

    key: str
    path: str
    mode: Int32 | None = None


class SecretVolume(Model, frozen=True, kw_only=True):
    """A secret's entries as files."""

    secret_name: str | None = None
    items: tuple[KeyToPath, ...] | None = None
    default_mode: Int32 | None = None
    optional: bool | None = None


class ConfigMapVolume(Model, frozen=True, kw_only=True):
    """A config map's entries as files."""

    name: str | None = None
    items: tuple[KeyToPath, ...] | None = None
    default_mode: Int32 | None = None
    optional: bool | None = None


class DownwardAPIVolume(Model, frozen=True, kw_only=True):
    """Fields of the pod itself as files."""

    items: tuple[DownwardAPIVolumeFile, ...] | None = None
    default_mode: Int32 | None = None


class ServiceAccountTokenProjection(Model, frozen=True, kw_only=True):
    """A token of the pod's service account as a file. expiration_seconds: at least 600."""

    audience: str | None = None
    expiration_seconds: int | None = None
    path: str


class ConfigMapProjection(Model, frozen=True, kw_only=True):
    """A config map's entries among other files."""

    name: str | None = None
    items: tuple[KeyToPath, ...] | None = None
    optional: bool | None = None


class SecretProjection(Model, frozen=True, kw_only=True):
    """A secret's entries among other files."""

    name: str | None = None
    items: tuple[KeyToPath, ...] | None = None
    optional: bool | None = None


class DownwardAPIProjection(Model, frozen=True, kw_only=True):
    """Fields of the pod itself among other files."""

    items: tuple[DownwardAPIVolumeFile, ...] | None = None


class VolumeProjection(Model, frozen=True, kw_only=True):
    """One source of a projected volume."""

    secret: SecretProjection | None = None
    config_map: ConfigMapProjection | None = None
    downward_api: DownwardAPIProjection | None = field(default=None, name="downwardAPI")
    service_account_token: ServiceAccountTokenProjection | None = None


class ProjectedVolume(Model, frozen=True, kw_only=True):
    """Several sources in one folder."""

    sources: tuple[VolumeProjection, ...] | None = None
    default_mode: Int32 | None = None


class ImageVolume(Model, frozen=True, kw_only=True):
    """The files of a container image, read-only."""

    reference: str | None = None
    pull_policy: str | None = None


class HostPath(Model, frozen=True, kw_only=True):
    """A path of the node."""

    path: str
    type: str | None = None


class PodVolume(Model, frozen=True, kw_only=True):
    """One volume: a name and exactly one source."""

    name: str
    empty_dir: EmptyDir | None = None
    secret: SecretVolume | None = None
    config_map: ConfigMapVolume | None = None
    downward_api: DownwardAPIVolume | None = field(default=None, name="downwardAPI")
    projected: ProjectedVolume | None = None
    image: ImageVolume | None = None
    host_path: HostPath | None = None
    persistent_volume_claim: PersistentVolumeClaimVolumeSource | None = None


class VolumeMount(Model, frozen=True, kw_only=True):
    """Where a container sees a volume."""

    name: str
    mount_path: str
    sub_path: str | None = None
    read_only: bool | None = None
    mount_propagation: str | None = None
