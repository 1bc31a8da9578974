"""Volumes that hand files to the guest: their labels. Source: spec.volumes[].{configMap,secret,…}."""

from typing import Final

from msgspec import Struct

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.crds.kubevirt.volumes import MOST_LABEL_BYTES, Volume

LABEL: Final = "cfgdata"
SYSPREP_LABEL: Final = "unattendCD"
ANSWERS: Final = ("autounattend.xml", "unattend.xml")


class FileDisk(Struct, frozen=True, kw_only=True):
    """One ISO image. one_of: names of which one must be in it."""

    label: str
    one_of: tuple[str, ...] = ()


def file_disk(volume: Volume) -> FileDisk | None:
    """The disk that hands over the volume's files; None when it has other content. Raises: Invalid."""
    if volume.sysprep:
        return FileDisk(label=SYSPREP_LABEL, one_of=ANSWERS)
    if volume.service_account:
        return FileDisk(label=LABEL)
    source = volume.config_map or volume.secret or volume.downward_api
    return FileDisk(label=_label(volume.name, source.volume_label)) if source else None


def _label(name: str, asked: str | None) -> str:
    if asked and len(asked.encode()) > MOST_LABEL_BYTES:
        message = f"must be at most {MOST_LABEL_BYTES} bytes long, as a CD's label is"
        raise Invalid(f"volume {name}: volumeLabel {message}", causes=(Cause("volumeLabel", message),))
    return asked or LABEL
