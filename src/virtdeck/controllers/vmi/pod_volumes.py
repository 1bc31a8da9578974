"""The launcher pod's volumes and where the container sees them."""

from collections.abc import Iterator
from typing import NamedTuple

from virtdeck.controllers.vmi.pod_files import FILES, file_volume
from virtdeck.crds.core.claims import PersistentVolumeClaimVolumeSource
from virtdeck.crds.core.pod_volumes import EmptyDir, ImageVolume, PodVolume, SecretVolume, VolumeMount
from virtdeck.crds.core.references import LocalObjectReference
from virtdeck.crds.kubevirt.firmware import KernelBootContainer
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.kubevirt.volumes import Volume

PRIVATE = "/run/kubevirt-private"
CONTAINER_DISKS = "/run/kubevirt/container-disks"
KERNEL_BOOT = "/run/kubevirt/kernel-boot"
SECRETS = "/run/kubevirt/secrets"  # a folder, no secret

_OWN = (
    ("private", PRIVATE),
    ("libvirt-runtime", "/run/libvirt"),
    ("ephemeral-disks", "/run/kubevirt-ephemeral-disks"),
)


class Mounted(NamedTuple):
    """A volume of the pod and its place in the compute container."""

    volume: PodVolume
    mount: VolumeMount


def pod_volumes(vmi: VirtualMachineInstance) -> tuple[Mounted, ...]:
    """All volumes of the pod; a launcher's own first."""
    own = (_mounted(PodVolume(name=name, empty_dir=EmptyDir()), path) for name, path in _OWN)
    sources = (found for volume in vmi.spec.volumes or () for found in _sources(volume))
    return (*own, *sources, *_kernel_boot(vmi), *_ssh_keys(vmi))


def image_pull_secrets(vmi: VirtualMachineInstance) -> tuple[LocalObjectReference, ...] | None:
    """Every secret that a disk or kernel image names, once each."""
    disks = [volume.container_disk for volume in vmi.spec.volumes or () if volume.container_disk]
    kernel = _kernel_container(vmi)
    names = [source.image_pull_secret for source in (*disks, *((kernel,) if kernel else ()))]
    found = tuple(LocalObjectReference(name=name) for name in dict.fromkeys(names) if name)
    return found or None


def _sources(volume: Volume) -> Iterator[Mounted]:
    if disk := volume.container_disk:
        image = ImageVolume(reference=disk.image, pull_policy=disk.image_pull_policy)
        path = f"{CONTAINER_DISKS}/{volume.name}"
        yield _mounted(PodVolume(name=volume.name, image=image), path, read_only=True)
    if seed := volume.cloud_init_no_cloud or volume.cloud_init_config_drive:
        yield from _secret(f"{volume.name}-udata", seed.secret_ref)
        yield from _secret(f"{volume.name}-ndata", seed.network_data_secret_ref)
    if files := file_volume(volume):
        yield _mounted(files, f"{FILES}/{volume.name}", read_only=True)
    if claim := _claim_name(volume):
        source = PersistentVolumeClaimVolumeSource(claim_name=claim)
        pod_volume = PodVolume(name=volume.name, persistent_volume_claim=source)
        yield _mounted(pod_volume, f"{PRIVATE}/vmi-disks/{volume.name}")


def _secret(name: str, reference: LocalObjectReference | None) -> Iterator[Mounted]:
    if reference and reference.name:
        source = SecretVolume(secret_name=reference.name)
        yield _mounted(PodVolume(name=name, secret=source), f"{SECRETS}/{name}", read_only=True)


def _ssh_keys(vmi: VirtualMachineInstance) -> Iterator[Mounted]:
    """Secrets with the keys that cloud-init reads; those for the guest agent are not the pod's."""
    for index, item in enumerate(vmi.spec.access_credentials or ()):
        keys = item.ssh_public_key
        if keys and keys.source.secret and not keys.propagation_method.qemu_guest_agent:
            yield from _secret(
                f"access-cred-{index}", LocalObjectReference(name=keys.source.secret.secret_name)
            )


def _claim_name(volume: Volume) -> str | None:
    if volume.persistent_volume_claim:
        return volume.persistent_volume_claim.claim_name
    if volume.data_volume:
        return volume.data_volume.name
    if volume.ephemeral and volume.ephemeral.persistent_volume_claim:
        return volume.ephemeral.persistent_volume_claim.claim_name
    return None


def _kernel_container(vmi: VirtualMachineInstance) -> KernelBootContainer | None:
    firmware = vmi.spec.domain.firmware
    return firmware.kernel_boot.container if firmware and firmware.kernel_boot else None


def _kernel_boot(vmi: VirtualMachineInstance) -> Iterator[Mounted]:
    if source := _kernel_container(vmi):
        image = ImageVolume(reference=source.image, pull_policy=source.image_pull_policy)
        yield _mounted(PodVolume(name="kernel-boot", image=image), KERNEL_BOOT, read_only=True)


def _mounted(volume: PodVolume, path: str, *, read_only: bool | None = None) -> Mounted:
    return Mounted(volume, VolumeMount(name=volume.name, mount_path=path, read_only=read_only))
