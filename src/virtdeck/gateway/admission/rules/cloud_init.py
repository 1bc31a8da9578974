"""What a guest is told at its first boot (V159–V165). Messages never quote it: it holds passwords."""

import base64
import binascii
from collections.abc import Iterator

from virtdeck.crds.kubevirt.volumes import CloudInitConfigDriveSource, CloudInitNoCloudSource
from virtdeck.gateway.admission.rule import INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

MOST_BYTES = 2048
_SOURCE = "spec.volumes[].{cloudInitNoCloud|cloudInitConfigDrive}"
_LONG = f"must have at most {MOST_BYTES} bytes; put more into a secret and use "

Source = CloudInitNoCloudSource | CloudInitConfigDriveSource
Found = Iterator[tuple[int, str, Source]]


@RULES.rule("V159", f"{_SOURCE}.userDataBase64", INVALID, "must be Base64")
def user_data_decodes(vmi: Subject) -> Iterator[Place]:
    """It cannot be decoded."""
    for index, name, source in sources(vmi):
        if source.user_data_base64 and decoded(source.user_data_base64) is None:
            yield at(index, name)


@RULES.rule("V160", _SOURCE, INVALID, "must have only one of userData, userDataBase64, secretRef")
def user_data_comes_from_one_place(vmi: Subject) -> Iterator[Place]:
    """It has several."""
    for index, name, source in sources(vmi):
        if _user(source) > 1:
            yield at(index, name)


@RULES.rule("V161", f"{_SOURCE}.{{userData|userDataBase64}}", INVALID, f"{_LONG}secretRef")
def user_data_is_short(vmi: Subject) -> Iterator[Place]:
    """It is longer."""
    for index, name, source in sources(vmi):
        for field in _too_long(userData=source.user_data, userDataBase64=source.user_data_base64):
            yield at(index, name, field)


@RULES.rule("V162", f"{_SOURCE}.networkDataBase64", INVALID, "must be Base64")
def network_data_decodes(vmi: Subject) -> Iterator[Place]:
    """It cannot be decoded."""
    for index, name, source in sources(vmi):
        if source.network_data_base64 and decoded(source.network_data_base64) is None:
            yield at(index, name)


@RULES.rule(
    "V163", _SOURCE, INVALID, "must have only one of networkData, networkDataBase64, networkDataSecretRef"
)
def network_data_comes_from_one_place(vmi: Subject) -> Iterator[Place]:
    """It has several."""
    for index, name, source in sources(vmi):
        if _network(source) > 1:
            yield at(index, name)


@RULES.rule("V164", f"{_SOURCE}.{{networkData|networkDataBase64}}", INVALID, f"{_LONG}networkDataSecretRef")
def network_data_is_short(vmi: Subject) -> Iterator[Place]:
    """It is longer."""
    for index, name, source in sources(vmi):
        texts = {"networkData": source.network_data, "networkDataBase64": source.network_data_base64}
        for field in _too_long(**texts):
            yield at(index, name, field)


@RULES.rule("V165", _SOURCE, REQUIRED, "must have userData, userDataBase64, secretRef or one of networkData…")
def something_is_told(vmi: Subject) -> Iterator[Place]:
    """It has neither user data nor network data."""
    for index, name, source in sources(vmi):
        if not _user(source) and not _network(source):
            yield at(index, name)


@RULES.rule(
    "", f"{_SOURCE}.{{secretRef|networkDataSecretRef}}.name", REQUIRED, "must name a secret of this namespace"
)
def seed_secret_is_named(vmi: Subject) -> Iterator[Place]:
    """It is empty."""
    for index, name, source in sources(vmi):
        if source.secret_ref is not None and not source.secret_ref.name:
            yield at(index, name, "secretRef")
        if source.network_data_secret_ref is not None and not source.network_data_secret_ref.name:
            yield at(index, name, "networkDataSecretRef")


def sources(vmi: Subject) -> Found:
    """Every volume that tells a guest something: its index, the name of its kind, the kind."""
    for index, volume in enumerate(vmi.spec.volumes or ()):
        if volume.cloud_init_no_cloud is not None:
            yield index, "cloudInitNoCloud", volume.cloud_init_no_cloud
        if volume.cloud_init_config_drive is not None:
            yield index, "cloudInitConfigDrive", volume.cloud_init_config_drive


def _user(source: Source) -> int:
    return sum(map(_given, (source.user_data, source.user_data_base64, source.secret_ref)))


def _network(source: Source) -> int:
    data = (source.network_data, source.network_data_base64, source.network_data_secret_ref)
    return sum(map(_given, data))


def _given(value: object | None) -> bool:
    return value not in (None, "")


def _too_long(**texts: str | None) -> Iterator[str]:
    for field, text in texts.items():
        if text and _size(text, field.endswith("Base64")) > MOST_BYTES:
            yield field


def _size(text: str, encoded: bool) -> int:
    if len(text) <= MOST_BYTES // 4:
        return len(text)
    return len((decoded(text) or b"") if encoded else text.encode("utf-8", "surrogatepass"))


def decoded(text: str) -> bytes | None:
    """The bytes of Base64; None when it is not."""
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
