"""What is sent with a request to one of virt-api's subresources."""

from typing import Annotated

from msgspec import Meta

from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Duration, Time
from virtdeck.crds.selectors import LabelSelector

DryRun = Annotated[
    tuple[str, ...] | None, doc("All: everything is checked and nothing is done; other words are ignored.")
]
ApiVersion = Annotated[str | None, doc("kubevirt.io/v1; nobody looks at it.")]
KindName = Annotated[str | None, doc("Name of the options; nobody looks at it.")]


class StartOptions(Model, frozen=True, kw_only=True):
    """How a virtual machine is started."""

    api_version: ApiVersion = None
    kind: KindName = None
    dry_run: DryRun = None
    paused: Annotated[
        bool | None, doc("The guest's processors stand still until it is unpaused. false when absent.")
    ] = None


class StopOptions(Model, frozen=True, kw_only=True):
    """How a virtual machine is stopped."""

    api_version: ApiVersion = None
    kind: KindName = None
    dry_run: DryRun = None
    grace_period: Annotated[
        int | None,
        doc(
            "Seconds that the guest has for shutting down by itself; 0 switches it off at once. The VMI's "
            "terminationGracePeriodSeconds when absent."
        ),
    ] = None


class RestartOptions(Model, frozen=True, kw_only=True):
    """How a virtual machine is restarted."""

    api_version: ApiVersion = None
    kind: KindName = None
    dry_run: DryRun = None
    grace_period_seconds: Annotated[
        int | None,
        doc(
            "0 switches the guest off at once; absent lets it shut down by itself. No other number is taken."
        ),
    ] = None


class MigrateOptions(Model, frozen=True, kw_only=True):
    """Where a guest moves to."""

    api_version: ApiVersion = None
    kind: KindName = None
    dry_run: DryRun = None
    added_node_selector: Annotated[
        dict[str, str] | None,
        doc("Labels that the target node must have besides those that the VMI asks for."),
    ] = None


class PauseOptions(Model, frozen=True, kw_only=True):
    """How a guest is paused."""

    api_version: ApiVersion = None
    kind: KindName = None
    dry_run: DryRun = None


class UnpauseOptions(Model, frozen=True, kw_only=True):
    """How a guest goes on."""

    api_version: ApiVersion = None
    kind: KindName = None
    dry_run: DryRun = None


class FreezeUnfreezeTimeout(Model, frozen=True, kw_only=True):
    """How long the guest's file systems stay quiet."""

    unfreeze_timeout: Annotated[
        Duration, doc("After so long they are thawed by themselves, as 5m; at most 10m.")
    ]


class EvacuateCancelOptions(Model, frozen=True, kw_only=True):
    """An evacuation that does not happen after all."""

    api_version: ApiVersion = None
    kind: KindName = None
    dry_run: DryRun = None
    evacuation_node_name: Annotated[str, doc("Node that the guest was to leave.")]


class ObjectGraphOptions(Model, frozen=True, kw_only=True):
    """Which objects are shown."""

    include_optional_nodes: Annotated[
        bool | None, doc("Also those that the machine can do without. true when absent.")
    ] = None
    label_selector: Annotated[LabelSelector | None, doc("Only objects with these labels.")] = None


class SEVSessionOptions(Model, frozen=True, kw_only=True):
    """The owner's side of an encrypted guest's start."""

    dh_cert: Annotated[str | None, doc("The owner's Diffie-Hellman certificate, base64.")] = None
    session: Annotated[str | None, doc("The session's blob, base64.")] = None


class SEVSecretOptions(Model, frozen=True, kw_only=True):
    """A secret for an encrypted guest that waits, paused, for it."""

    header: Annotated[str | None, doc("The secret's header, base64.")] = None
    secret: Annotated[str | None, doc("The encrypted secret, base64.")] = None


Chord = Annotated[tuple[Annotated[int, Meta(ge=0, le=767)], ...], Meta(min_length=1, max_length=16)]


class SendKeysOptions(Model, frozen=True, kw_only=True):
    """Keys that are pressed in the guest, one chord after the other."""

    chords: Annotated[
        Annotated[tuple[Chord, ...], Meta(max_length=4096)],
        doc("Each a list of Linux key codes that are held together: [[29,56,111]] is Ctrl+Alt+Delete."),
    ]
    hold_milliseconds: Annotated[
        int | None, doc("How long each chord is held, in milliseconds; 20 when absent.")
    ] = None


class BackupOptions(Model, frozen=True, kw_only=True):
    """How a running guest's disks are backed up; sent by virt-controller."""

    backup_cert: Annotated[str | None, doc("Certificate for the connection to the export server.")] = None
    backup_key: Annotated[str | None, doc("Its key.")] = None
    backup_name: Annotated[str | None, doc("Name of the VirtualMachineBackup.")] = None
    backup_start_time: Annotated[Time | None, doc("When it began.")] = None
    ca_cert: Annotated[str | None, doc("Authority of the export server.")] = None
    cmd: Annotated[str | None, doc("Start, Abort or Export.")] = None
    export_server_addr: Annotated[str | None, doc("Address of the export server.")] = None
    export_server_name: Annotated[str | None, doc("Name in the export server's certificate.")] = None
    incremental: Annotated[str | None, doc("Checkpoint that changes are counted from; all when absent.")] = (
        None
    )
    mode: Annotated[str | None, doc("Push or Pull.")] = None
    skip_quiesce: Annotated[bool | None, doc("File systems are not frozen before. false when absent.")] = None
    target_path: Annotated[str | None, doc("Folder that the backup is written to in mode Push.")] = None
