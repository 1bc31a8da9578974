"""Checkpoints: moments from which the next incremental backup goes on."""

from typing import Annotated

from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Time


class BackupVolumeInfo(Model, frozen=True, kw_only=True):
    """One volume of a backup."""

    data_endpoint: Annotated[str | None, doc("Where its bytes are read in mode Pull.")] = None
    map_endpoint: Annotated[str | None, doc("Where the list of its changed ranges is in mode Pull.")] = None
    volume_name: Annotated[str, doc("Name of the volume.")]


class BackupCheckpoint(Model, frozen=True, kw_only=True):
    """A moment from which the next incremental backup goes on."""

    creation_time: Annotated[Time | None, doc("When it was.")] = None
    name: Annotated[str | None, doc("Its name in the guest's disks.")] = None
    volumes: Annotated[
        tuple[BackupVolumeInfo, ...] | None, doc("Volumes that were backed up at that moment.")
    ] = None
