"""Volumes that hand files to a guest: what the launcher makes a disk of, mounted into its pod."""

from msgspec.structs import replace

from virtdeck.crds.core.pod_volumes import (
    ConfigMapProjection,
    ConfigMapVolume,
    DownwardAPIProjection,
    DownwardAPIVolume,
    KeyToPath,
    PodVolume,
    ProjectedVolume,
    SecretVolume,
    ServiceAccountTokenProjection,
    VolumeProjection,
)
from virtdeck.crds.core.references import DownwardAPIVolumeFile, ObjectFieldSelector
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.kubevirt.volumes import DownwardAPIVolumeSource, SysprepSource, Volume

FILES = "/run/kubevirt/files"
_COMPUTE = "compute"

# A disk is made once and cannot be renewed while the guest runs, so the token must last as long as guests do;
# it is bound to the pod and ends with it. Kubernetes gives ordinary pods' tokens the same year.
_TOKEN_SECONDS = 365 * 24 * 3600


def file_volume(volume: Volume) -> PodVolume | None:
    """The pod's volume with the files of this one; None when it hands over none."""
    name = volume.name
    if source := volume.config_map:
        made = ConfigMapVolume(name=source.name, optional=source.optional)
        return PodVolume(name=name, config_map=made)
    if secret := volume.secret:
        return PodVolume(
            name=name, secret=SecretVolume(secret_name=secret.secret_name, optional=secret.optional)
        )
    if volume.downward_api:
        return PodVolume(name=name, downward_api=_fields(volume.downward_api))
    if volume.service_account:
        return PodVolume(name=name, projected=_account())
    return _sysprep(name, volume.sysprep) if volume.sysprep else None


def service_account(vmi: VirtualMachineInstance) -> str | None:
    """Whom the pod runs as: whose token a volume hands over, or whom the VMI names."""
    handed = (volume.service_account for volume in vmi.spec.volumes or () if volume.service_account)
    return next((source.service_account_name for source in handed), None) or vmi.spec.service_account_name


def _fields(source: DownwardAPIVolumeSource) -> DownwardAPIVolume:
    """The fields as the pod has them, its container's resources where none is named."""
    return DownwardAPIVolume(items=tuple(_field(item) for item in source.fields or ()))


def _field(item: DownwardAPIVolumeFile) -> DownwardAPIVolumeFile:
    resource = item.resource_field_ref
    if resource is None or resource.container_name:
        return item
    return replace(item, resource_field_ref=replace(resource, container_name=_COMPUTE))


def _account() -> ProjectedVolume:
    """What Kubernetes itself mounts into pods: the token, the authority to trust, the namespace."""
    authority = (KeyToPath(key="ca.crt", path="ca.crt"),)
    namespace = DownwardAPIVolumeFile(
        path="namespace", field_ref=ObjectFieldSelector(field_path="metadata.namespace")
    )
    token = ServiceAccountTokenProjection(path="token", expiration_seconds=_TOKEN_SECONDS)
    return ProjectedVolume(
        sources=(
            VolumeProjection(service_account_token=token),
            VolumeProjection(config_map=ConfigMapProjection(name="kube-root-ca.crt", items=authority)),
            VolumeProjection(downward_api=DownwardAPIProjection(items=(namespace,))),
        )
    )


def _sysprep(name: str, source: SysprepSource) -> PodVolume | None:
    if source.config_map:
        return PodVolume(name=name, config_map=ConfigMapVolume(name=source.config_map.name))
    if source.secret:
        return PodVolume(name=name, secret=SecretVolume(secret_name=source.secret.name))
    return None
