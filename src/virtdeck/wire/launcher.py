"""What virt-handler and virt-launcher say to each other over ``launcher.sock``."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

PROTOCOL_VERSIONS = (1,)

Accelerator = Literal["kvm", "tcg"]
DiskFormat = Literal["raw", "qcow2"]


class Message(Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel", tag_field="type"):
    """Root of all messages; ``type`` on the wire is the class's name."""


# ---- what the node knows and the launcher needs


class HostFacts(Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """What virt-handler found out about this node by trying."""

    accelerator: Accelerator
    arch: str = "amd64"


class ImageFacts(Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A disk image that virt-handler has inspected: nothing else may be opened.

    path: inside the container. virtual_size: bytes.
    """

    path: str
    format: DiskFormat
    virtual_size: int


class InterfaceFacts(Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A tap that virt-handler made for one of the VMI's interfaces."""

    name: str
    tap: str
    mac: str
    mtu: int = 1500


class DhcpFacts(Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """One DHCP service that the launcher runs on ``bridge`` for the guest."""

    bridge: str
    server: str
    address: str
    prefix_length: int
    mac: str
    router: str | None = None
    dns: tuple[str, ...] = ()
    search: tuple[str, ...] = ()
    mtu: int = 1500
    host_name: str = ""


# ---- requests of virt-handler


class Sync(Message, frozen=True):
    """Make the domain be as this VMI says; repeated at will.

    vmi: the object as JSON has it. images: by volume name. kernel/initrd: paths inside the container.
    """

    id: int
    vmi: dict[str, Any]
    host: HostFacts
    images: dict[str, ImageFacts] = {}
    interfaces: tuple[InterfaceFacts, ...] = ()
    dhcp: tuple[DhcpFacts, ...] = ()
    kernel: str | None = None
    initrd: str | None = None


class Pause(Message, frozen=True):
    id: int


class Unpause(Message, frozen=True):
    id: int


class Reset(Message, frozen=True):
    id: int


class SoftReboot(Message, frozen=True):
    """Ask the guest to reboot: by the agent if it is there, else by ACPI."""

    id: int


class Shutdown(Message, frozen=True):
    """Ask the guest to power off by ACPI; may be repeated."""

    id: int


class Destroy(Message, frozen=True):
    """End the guest at once."""

    id: int


class Freeze(Message, frozen=True):
    id: int
    unfreeze_after_seconds: float


class Unfreeze(Message, frozen=True):
    id: int


class ReadGuestInfo(Message, frozen=True):
    """Answered by GuestInfo, read from the agent now."""

    id: int


class TakeScreenshot(Message, frozen=True):
    """Answered by Screenshot."""

    id: int


class SendKeys(Message, frozen=True):
    """Press each chord (Linux key codes) for ``hold_milliseconds``, one after the other."""

    id: int
    chords: tuple[tuple[int, ...], ...]
    hold_milliseconds: int = 20


class ReadStats(Message, frozen=True):
    """Answered by Stats."""

    id: int


class Farewell(Message, frozen=True):
    """virt-handler has recorded the domain's end; the launcher may exit."""

    id: int


Request = (
    Sync
    | Pause
    | Unpause
    | Reset
    | SoftReboot
    | Shutdown
    | Destroy
    | Freeze
    | Unfreeze
    | ReadGuestInfo
    | TakeScreenshot
    | SendKeys
    | ReadStats
    | Farewell
)

# ---- what the launcher says

DomainPhase = Literal["NoDomain", "Starting", "Running", "Paused", "ShuttingDown", "Ended"]
EndReason = Literal["Shutdown", "Destroyed", "Crashed", "Panicked", "Failed", "LibvirtLost"]
PauseReason = Literal["PausedByUser", "PausedIOError", "PausedByMigrationMonitor", "StartedPaused"]


class AgentFacts(Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """What the guest agent says: claims, already cut to bounds, never identities.

    os: keys as in the VMI's guestOSInfo. interfaces: ``{"name", "mac", "ipAddresses": [...]}``, no loopback.
    """

    connected: bool = False
    version: str = ""
    os: dict[str, str] = {}
    host_name: str = ""
    interfaces: tuple[dict[str, Any], ...] = ()
    truncated: bool = False


class DomainFacts(Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """What libvirt says of the domain that runs. memory_bytes: current."""

    uuid: str = ""
    machine: str = ""
    memory_bytes: int = 0
    vcpus: int = 0
    disk_targets: dict[str, str] = {}
    macs: dict[str, str] = {}


class LauncherState(Message, frozen=True):
    """All that virt-handler needs for the VMI's status, whole at each change.

    serial: counts up by one at each change. since: RFC 3339, when the phase began.
    """

    serial: int
    phase: DomainPhase
    since: str
    end_reason: EndReason | None = None
    pause_reason: PauseReason | None = None
    message: str = ""
    domain: DomainFacts | None = None
    agent: AgentFacts = AgentFacts()
    reboots: int = 0


class Hello(Message, frozen=True):
    """First message of the launcher on a connection."""

    versions: tuple[int, ...]
    name: str
    namespace: str
    uid: str


class Done(Message, frozen=True):
    """The request with this id was carried out."""

    id: int


class Failed(Message, frozen=True):
    """The request with this id was not carried out; ``reason`` is an error class of ``basis.errors``."""

    id: int
    reason: Literal["Invalid", "Conflict", "Unready", "HostFault", "Lost", "Absent", "Bug"]
    message: str


class GuestInfo(Message, frozen=True):
    """Answer of the agent, cut to bounds; users and filesystems as KubeVirt's API shows them."""

    id: int
    agent: AgentFacts
    users: tuple[dict[str, Any], ...] = ()
    filesystems: tuple[dict[str, Any], ...] = ()
    timezone: str = ""
    fs_freeze_status: str = ""
    supported_commands: tuple[str, ...] = ()


class Screenshot(Message, frozen=True):
    """The screen as PNG, base64 on the wire."""

    id: int
    png: Annotated[bytes, Meta(max_length=3 * 1024 * 1024)]


class Stats(Message, frozen=True):
    """Counters as libvirt's domstats names them."""

    id: int
    values: dict[str, Any]


Reply = LauncherState | Hello | Done | Failed | GuestInfo | Screenshot | Stats
