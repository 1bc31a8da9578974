"""What a guest is told at its first boot (V159–V165). Messages never quote it: it holds passwords."""

import base64
import binascii
from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.volumes import CloudInitConfigDriveSource, CloudInitNoCloudSource
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import invalid, required

MOST_BYTES = 2048

Source = CloudInitNoCloudSource | CloudInitConfigDriveSource


def encoded_data_decodes(subject: Subject) -> Iterator[Cause]:
    """V159, V162"""
    for path, source in _sources(subject):
        for name, text in (
            ("userDataBase64", source.user_data_base64),
            ("networkDataBase64", source.network_data_base64),
        ):
            if text and _decoded(text) is None:
                yield invalid(f"{path}.{name}", "must be Base64")


def data_comes_from_one_place(subject: Subject) -> Iterator[Cause]:
    """V160, V163, V165"""
    for path, source in _sources(subject):
        user = _given(source.user_data, source.user_data_base64, source.secret_ref)
        network = _given(source.network_data, source.network_data_base64, source.network_data_secret_ref)
        if user > 1:
            yield invalid(path, "must have only one of userData, userDataBase64, secretRef")
        if network > 1:
            yield invalid(path, "must have only one of networkData, networkDataBase64, networkDataSecretRef")
        if user + network == 0:
            yield required(path, "must have userData, userDataBase64, secretRef or one of networkData…")


def data_is_short(subject: Subject) -> Iterator[Cause]:
    """V161, V164: what is longer belongs into a secret."""
    for path, source in _sources(subject):
        texts = (
            ("userData", source.user_data, False),
            ("userDataBase64", source.user_data_base64, True),
            ("networkData", source.network_data, False),
            ("networkDataBase64", source.network_data_base64, True),
        )
        for name, text, encoded in texts:
            if _size(text or "", encoded) > MOST_BYTES:
                secret = "secretRef" if name.startswith("user") else "networkDataSecretRef"
                yield invalid(
                    f"{path}.{name}",
                    f"must have at most {MOST_BYTES} bytes; put more into a secret and use {secret}",
                )


def secrets_are_named(subject: Subject) -> Iterator[Cause]:
    """Ours"""
    for path, source in _sources(subject):
        for name, secret in (
            ("secretRef", source.secret_ref),
            ("networkDataSecretRef", source.network_data_secret_ref),
        ):
            if secret is not None and not secret.name:
                yield required(f"{path}.{name}.name", "must name a secret of this namespace")


def _sources(subject: Subject) -> Iterator[tuple[str, Source]]:
    for path, volume in subject.each_volume():
        if volume.cloud_init_no_cloud is not None:
            yield f"{path}.cloudInitNoCloud", volume.cloud_init_no_cloud
        if volume.cloud_init_config_drive is not None:
            yield f"{path}.cloudInitConfigDrive", volume.cloud_init_config_drive


def _given(*values: object | None) -> int:
    return sum(value not in (None, "") for value in values)


def _size(text: str, encoded: bool) -> int:
    return len((_decoded(text) or b"") if encoded else text.encode("utf-8", "surrogatepass"))


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None


RULES: tuple[Rule, ...] = (encoded_data_decodes, data_comes_from_one_place, data_is_short, secrets_are_named)
