"""Where an export's downloads are."""

from typing import Annotated

from virtdeck.crds.model import Model, doc


class VirtualMachineExportVolumeFormat(Model, frozen=True, kw_only=True):
    """One form in which a volume can be downloaded."""

    format: Annotated[str, doc("raw, gzip (of raw), dir, tar.gz or oci.")]
    url: Annotated[str, doc("Where it is.")]


class VirtualMachineExportVolume(Model, frozen=True, kw_only=True):
    """One volume."""

    formats: Annotated[
        tuple[VirtualMachineExportVolumeFormat, ...] | None, doc("Forms in which it can be downloaded.")
    ] = None
    name: Annotated[str, doc("Name of the volume.")]


class VirtualMachineExportManifest(Model, frozen=True, kw_only=True):
    """Manifests from which the machine can be made elsewhere."""

    type: Annotated[str, doc("all (machine, disks, certificate) or auth-header-secret (the token).")]
    url: Annotated[str, doc("Where they are, as YAML or JSON by the Accept header.")]


class VirtualMachineExportBackupEndpoint(Model, frozen=True, kw_only=True):
    """One way to read a backup."""

    endpoint: Annotated[str, doc("map (which ranges hold data) or data (their bytes).")]
    url: Annotated[str, doc("Where it is.")]


class VirtualMachineExportBackup(Model, frozen=True, kw_only=True):
    """One volume of a backup."""

    endpoints: Annotated[tuple[VirtualMachineExportBackupEndpoint, ...] | None, doc("Ways to read it.")] = (
        None
    )
    name: Annotated[str, doc("Name of the volume.")]


class VirtualMachineExportLink(Model, frozen=True, kw_only=True):
    """Downloads by one way into the cluster."""

    backups: Annotated[tuple[VirtualMachineExportBackup, ...] | None, doc("Volumes of a backup.")] = None
    cert: Annotated[str, doc("PEM of the authority to trust for these URLs.")]
    manifests: Annotated[
        tuple[VirtualMachineExportManifest, ...] | None, doc("Manifests to make the machine elsewhere.")
    ] = None
    volumes: Annotated[tuple[VirtualMachineExportVolume, ...] | None, doc("Volumes.")] = None


class VirtualMachineExportLinks(Model, frozen=True, kw_only=True):
    """Downloads, from outside and from inside the cluster."""

    external: Annotated[
        VirtualMachineExportLink | None, doc("From outside, where the cluster lets visitors in.")
    ] = None
    internal: Annotated[VirtualMachineExportLink | None, doc("From inside the cluster.")] = None
