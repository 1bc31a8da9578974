"""VirtualMachineExport: disks and manifests that are handed out."""

from typing import Annotated

from virtdeck.crds.core.references import TypedLocalObjectReference
from virtdeck.crds.export.links import VirtualMachineExportLinks
from virtdeck.crds.meta import Condition, ObjectMeta
from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Duration, Time


class VirtualMachineExportSpec(Model, frozen=True, kw_only=True):
    """What is handed out, to whom, and for how long; it cannot be changed once the export exists."""

    source: Annotated[
        TypedLocalObjectReference,
        doc(
            "What is handed out: a PersistentVolumeClaim (no apiGroup), VirtualMachine (kubevirt.io),"
            " VirtualMachineSnapshot (snapshot.kubevirt.io), VirtualMachineBackup (backup.kubevirt.io) or"
            " VirtualMachineTemplate (template.kubevirt.io) of the same namespace."
        ),
    ]
    token_secret_ref: Annotated[
        str | None,
        doc(
            "Secret of the same namespace whose key token a download must show; export-token-<name>, made"
            " anew, when absent."
        ),
    ] = None
    ttl_duration: Annotated[
        Duration | None, doc("Time from its creation after which the export is deleted, as 2h (the default).")
    ] = None


class VirtualMachineExportStatus(Model, frozen=True, kw_only=True):
    """How far the export is, and where downloads are."""

    conditions: Annotated[
        tuple[Condition, ...] | None, doc("Ready, PVCReady, VolumesCreated and OCIReady, with their reasons.")
    ] = None
    links: Annotated[VirtualMachineExportLinks | None, doc("Where downloads are.")] = None
    phase: Annotated[str | None, doc("Pending, Ready, Terminated or Skipped.")] = None
    service_name: Annotated[str | None, doc("Service in front of the pod that serves the downloads.")] = None
    token_secret_ref: Annotated[str | None, doc("Secret whose key token a download must show.")] = None
    ttl_expiration_time: Annotated[Time | None, doc("When the export is deleted.")] = None
    virtual_machine_name: Annotated[
        str | None, doc("The virtual machine that the data is of, where there is one.")
    ] = None


class VirtualMachineExport(Model, frozen=True, kw_only=True):
    """Disks and manifests of a virtual machine, handed out over HTTPS to whoever shows a token."""

    api_version: Annotated[str | None, doc("Group and version of the API.")] = None
    kind: Annotated[str | None, doc("Kind of the object.")] = None
    metadata: Annotated[ObjectMeta, doc("Name, labels, owners.")] = ObjectMeta()
    spec: Annotated[VirtualMachineExportSpec, doc("What is handed out, to whom, and for how long.")]
    status: Annotated[
        VirtualMachineExportStatus | None, doc("How far the export is, and where downloads are.")
    ] = None
