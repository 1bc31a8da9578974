"""The files of a cloud-init seed, NoCloud or ConfigDrive. Source: spec.volumes[].cloudInit*."""

import binascii
from base64 import b64decode
from typing import Final

import msgspec

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.crds.kubevirt.volumes import CloudInitConfigDriveSource, CloudInitNoCloudSource, Volume

NO_CLOUD_LABEL: Final = "cidata"
CONFIG_DRIVE_LABEL: Final = "config-2"
USER_DATA_KEYS: Final = ("userdata", "userData")
NETWORK_DATA_KEYS: Final = ("networkdata", "networkData")

Source = CloudInitNoCloudSource | CloudInitConfigDriveSource


class SecretRef(msgspec.Struct, frozen=True):
    """Content that a mounted Secret holds under the first of these keys."""

    folder: str
    keys: tuple[str, ...]


Content = bytes | SecretRef


class Seed(msgspec.Struct, frozen=True, kw_only=True):
    """One ISO image: its label, and each file by its path inside."""

    label: str
    files: dict[str, Content]


def no_cloud(vmi: VirtualMachineInstance, volume: Volume, source: Source, secrets: str) -> Seed:
    """What cloud-init's NoCloud data source reads."""
    meta = {"instance-id": instance_id(vmi), "local-hostname": host_name(vmi)}
    network = _network_data(volume, source, secrets)
    return Seed(
        label=NO_CLOUD_LABEL,
        files={
            "meta-data": msgspec.json.encode(meta),
            "user-data": _user_data(volume, source, secrets),
            **({"network-config": network} if network else {}),
        },
    )


def config_drive(vmi: VirtualMachineInstance, volume: Volume, source: Source, secrets: str) -> Seed:
    """What cloud-init's ConfigDrive data source reads (OpenStack's layout)."""
    meta = {
        "uuid": instance_id(vmi),
        "instance_id": instance_id(vmi),
        "hostname": host_name(vmi),
        "local_hostname": host_name(vmi),
    }
    network = _network_data(volume, source, secrets)
    return Seed(
        label=CONFIG_DRIVE_LABEL,
        files={
            "openstack/latest/meta_data.json": msgspec.json.encode(meta),
            "openstack/latest/user_data": _user_data(volume, source, secrets),
            **({"openstack/latest/network_data.json": network} if network else {}),
        },
    )


def host_name(vmi: VirtualMachineInstance) -> str:
    """What the guest is to call itself."""
    return vmi.spec.hostname or vmi.metadata.name or ""


def instance_id(vmi: VirtualMachineInstance) -> str:
    """cloud-init runs again when this changes: the machine's own identity."""
    firmware = vmi.spec.domain.firmware
    return (firmware.uuid if firmware else None) or vmi.metadata.uid or ""


def _user_data(volume: Volume, source: Source, secrets: str) -> Content:
    if source.secret_ref:
        return SecretRef(f"{secrets}/{volume.name}-udata", USER_DATA_KEYS)
    if source.user_data_base64:
        return _decode(source.user_data_base64, f"{volume.name}: userDataBase64")
    return (source.user_data or "").encode()


def _network_data(volume: Volume, source: Source, secrets: str) -> Content | None:
    if source.network_data_secret_ref:
        return SecretRef(f"{secrets}/{volume.name}-ndata", NETWORK_DATA_KEYS)
    if source.network_data_base64:
        return _decode(source.network_data_base64, f"{volume.name}: networkDataBase64")
    return source.network_data.encode() if source.network_data else None


def _decode(text: str, field: str) -> bytes:
    try:
        return b64decode("".join(text.split()), validate=True)
    except binascii.Error as fault:
        message = "is not valid base64"
        raise Invalid(f"volume {field} {message}", causes=(Cause(field, message),)) from fault
