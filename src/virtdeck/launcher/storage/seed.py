"""The files of a cloud-init seed, NoCloud or ConfigDrive. Source: spec.volumes[].cloudInit*."""

import binascii
from base64 import b64decode
from collections.abc import Iterable
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


class MetaData(msgspec.Struct, frozen=True, kw_only=True):
    """The machine's own facts as JSON, with the SSH keys of these mounted Secrets under ``keys_field``."""

    facts: dict[str, str]
    keys_field: str
    key_folders: tuple[str, ...]


Content = bytes | SecretRef | MetaData


class Seed(msgspec.Struct, frozen=True, kw_only=True):
    """One ISO image: its label, and each file by its path inside."""

    label: str
    files: dict[str, Content]


def no_cloud(vmi: VirtualMachineInstance, volume: Volume, source: Source, secrets: str) -> Seed:
    """What cloud-init's NoCloud data source reads."""
    facts = {"instance-id": instance_id(vmi), "local-hostname": host_name(vmi)}
    folders = _key_folders(vmi, secrets, "no_cloud")
    network = _network_data(volume, source, secrets)
    return Seed(
        label=NO_CLOUD_LABEL,
        files={
            "meta-data": MetaData(facts=facts, keys_field="public-keys", key_folders=folders),
            "user-data": _user_data(volume, source, secrets),
            **({"network-config": network} if network else {}),
        },
    )


def config_drive(vmi: VirtualMachineInstance, volume: Volume, source: Source, secrets: str) -> Seed:
    """What cloud-init's ConfigDrive data source reads (OpenStack's layout)."""
    facts = {
        "uuid": instance_id(vmi),
        "instance_id": instance_id(vmi),
        "hostname": host_name(vmi),
        "local_hostname": host_name(vmi),
    }
    folders = _key_folders(vmi, secrets, "config_drive")
    meta = MetaData(facts=facts, keys_field="public_keys", key_folders=folders)
    network = _network_data(volume, source, secrets)
    return Seed(
        label=CONFIG_DRIVE_LABEL,
        files={
            "openstack/latest/meta_data.json": meta,
            "openstack/latest/user_data": _user_data(volume, source, secrets),
            **({"openstack/latest/network_data.json": network} if network else {}),
        },
    )


def meta_data(content: MetaData, texts: Iterable[str]) -> bytes:
    """The file that cloud-init reads. texts: of the Secrets' entries, a key each line."""
    keys = [line.strip() for text in texts for line in text.splitlines()]
    found = {str(number): key for number, key in enumerate(key for key in keys if key)}
    return msgspec.json.encode(content.facts | ({content.keys_field: found} if found else {}))


def host_name(vmi: VirtualMachineInstance) -> str:
    """What the guest is to call itself."""
    return vmi.spec.hostname or vmi.metadata.name or ""


def instance_id(vmi: VirtualMachineInstance) -> str:
    """cloud-init runs again when this changes: the machine's own identity."""
    firmware = vmi.spec.domain.firmware
    return (firmware.uuid if firmware else None) or vmi.metadata.uid or ""


def _key_folders(vmi: VirtualMachineInstance, secrets: str, method: str) -> tuple[str, ...]:
    """Where the keys are mounted that go this way. Source: spec.accessCredentials[].sshPublicKey"""
    return tuple(
        f"{secrets}/access-cred-{index}"
        for index, item in enumerate(vmi.spec.access_credentials or ())
        if item.ssh_public_key and getattr(item.ssh_public_key.propagation_method, method) is not None
    )


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
