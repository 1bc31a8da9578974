"""What virt-api answers about a running guest and the installation."""

from typing import Annotated

from msgspec import field

from virtdeck.crds.answers import ListMeta
from virtdeck.crds.core.references import TypedObjectReference
from virtdeck.crds.kubevirt.vmi_status import VirtualMachineInstanceGuestOSInfo
from virtdeck.crds.model import Model, doc, one_of
from virtdeck.crds.scalars import Int32, Time


class GuestAgentCommandInfo(Model, frozen=True, kw_only=True):
    """One thing that the guest agent can do."""

    name: Annotated[str, doc("Name of the command, as guest-fsfreeze-freeze.")]
    enabled: Annotated[bool | None, doc("Whether the guest lets it be used.")] = None


class VirtualMachineInstanceGuestOSUser(Model, frozen=True, kw_only=True):
    """Somebody who is logged in to the guest."""

    user_name: Annotated[str, doc("Name in the guest.")]
    domain: Annotated[str | None, doc("Domain of a Windows user.")] = None
    login_time: Annotated[float | None, doc("When, in seconds since 1970.")] = None


class VirtualMachineInstanceFileSystemDisk(Model, frozen=True, kw_only=True):
    """A disk that a file system lies on."""

    bus_type: Annotated[str, doc("How the guest sees it, as virtio or scsi.")]
    serial: Annotated[str | None, doc("Its serial number.")] = None


class VirtualMachineInstanceFileSystem(Model, frozen=True, kw_only=True):
    """One file system that the guest has mounted."""

    disk: Annotated[
        tuple[VirtualMachineInstanceFileSystemDisk, ...] | None, doc("The disks that it lies on.")
    ] = None
    disk_name: Annotated[str, doc("Name of the device in the guest, as vda1.")]
    file_system_type: Annotated[str, doc("ext4, xfs, NTFS …")]
    mount_point: Annotated[str, doc("Where it is mounted.")]
    total_bytes: Annotated[int, doc("Its size in bytes.")]
    used_bytes: Annotated[int, doc("How much of it is used, in bytes.")]


class VirtualMachineInstanceFileSystemInfo(Model, frozen=True, kw_only=True):
    """The guest's file systems."""

    disks: Annotated[tuple[VirtualMachineInstanceFileSystem, ...], doc("All that the agent tells of.")]


class VirtualMachineInstanceFileSystemList(Model, frozen=True, kw_only=True):
    """The guest's file systems, as a list."""

    api_version: Annotated[str | None, doc("kubevirt.io/v1.")] = None
    kind: Annotated[str | None, doc("VirtualMachineInstanceFileSystemList.")] = None
    metadata: Annotated[ListMeta | None, doc("Empty.")] = None
    items: Annotated[tuple[VirtualMachineInstanceFileSystem, ...], doc("All that the agent tells of.")]


class VirtualMachineInstanceGuestOSUserList(Model, frozen=True, kw_only=True):
    """Who is logged in to the guest."""

    api_version: Annotated[str | None, doc("kubevirt.io/v1.")] = None
    kind: Annotated[str | None, doc("VirtualMachineInstanceGuestOSUserList.")] = None
    metadata: Annotated[ListMeta | None, doc("Empty.")] = None
    items: Annotated[tuple[VirtualMachineInstanceGuestOSUser, ...], doc("All that the agent tells of.")]


class VirtualMachineInstanceGuestAgentInfo(Model, frozen=True, kw_only=True):
    """All that the guest agent says of its guest."""

    api_version: Annotated[str | None, doc("kubevirt.io/v1.")] = None
    kind: Annotated[str | None, doc("VirtualMachineInstanceGuestAgentInfo.")] = None
    fs_freeze_status: Annotated[str | None, doc("frozen while file systems are quiet, thawed else.")] = None
    fs_info: Annotated[VirtualMachineInstanceFileSystemInfo | None, doc("The guest's file systems.")] = None
    guest_agent_version: Annotated[str | None, doc("Version of the agent.")] = None
    hostname: Annotated[str | None, doc("The guest's own host name.")] = None
    os: Annotated[VirtualMachineInstanceGuestOSInfo | None, doc("The guest's operating system.")] = None
    supported_commands: Annotated[tuple[GuestAgentCommandInfo, ...] | None, doc("What the agent can do.")] = (
        None
    )
    timezone: Annotated[str | None, doc("Name and offset of the guest's time zone.")] = None
    user_list: Annotated[tuple[VirtualMachineInstanceGuestOSUser, ...] | None, doc("Who is logged in.")] = (
        None
    )


class Session(Model, frozen=True, kw_only=True):
    """Somebody who has the screen or the serial console open."""

    id: Annotated[str, doc("Name of the session.")]
    kind: Annotated[str, one_of("vnc", "console"), doc("vnc or console.")]
    user: Annotated[str, doc("Who.")]
    origin: Annotated[str, doc("From where: virtctl or browser.")]
    since: Annotated[Time, doc("Since when.")]
    mode: Annotated[str, doc("take or ask (holds it), watch (looks on).")]


class SessionList(Model, frozen=True, kw_only=True):
    """Who has the screen or the serial console open."""

    items: Annotated[tuple[Session, ...], doc("All of them.")]


class ObjectGraphNode(Model, frozen=True, kw_only=True):
    """An object that the machine depends on, with those that it depends on in turn."""

    object_reference: Annotated[TypedObjectReference, doc("The object.")]
    labels: Annotated[dict[str, str] | None, doc("What it is for: kubevirt.io/dependency-type.")] = None
    optional: Annotated[bool | None, doc("The machine can do without.")] = None
    children: Annotated["tuple[ObjectGraphNode, ...] | None", doc("What it depends on.")] = None


class SEVPlatformInfo(Model, frozen=True, kw_only=True):
    """The node's identity for the owner of an encrypted guest."""

    api_version: Annotated[str | None, doc("kubevirt.io/v1.")] = None
    kind: Annotated[str | None, doc("SEVPlatformInfo.")] = None
    cert_chain: Annotated[str | None, doc("The chain of certificates, base64.")] = None
    pdh: Annotated[str | None, doc("The platform's Diffie-Hellman key, base64.")] = None


class SEVMeasurementInfo(Model, frozen=True, kw_only=True):
    """What an encrypted guest was started with, measured by the processor."""

    api_version: Annotated[str | None, doc("kubevirt.io/v1.")] = None
    kind: Annotated[str | None, doc("SEVMeasurementInfo.")] = None
    api_major: Annotated[Int32 | None, doc("The firmware's API, major version.")] = None
    api_minor: Annotated[Int32 | None, doc("The firmware's API, minor version.")] = None
    build_id: Annotated[Int32 | None, doc("The firmware's build.")] = field(default=None, name="buildID")
    loader_sha: Annotated[str | None, doc("SHA-256 of the guest's firmware.")] = field(
        default=None, name="loaderSHA"
    )
    measurement: Annotated[str | None, doc("The measurement, base64.")] = None
    policy: Annotated[Int32 | None, doc("The policy that the guest runs under.")] = None


class VersionInfo(Model, frozen=True, kw_only=True):
    """What answers here."""

    git_version: Annotated[str, doc("Version of virtdeck.")]
    git_commit: Annotated[str, doc("Empty in a release.")]
    git_tree_state: Annotated[str, doc("Empty in a release.")]
    build_date: Annotated[str, doc("Empty in a release.")]
    go_version: Annotated[str, doc("Empty: it is Python.")]
    compiler: Annotated[str, doc("cpython.")]
    platform: Annotated[str, doc("System and processor, as linux/amd64.")]


class GuestfsInfo(Model, frozen=True, kw_only=True):
    """The image for virtctl guestfs; empty texts when none is offered."""

    registry: Annotated[str, doc("Registry of the image.")]
    tag: Annotated[str, doc("Its tag.")]
    digest: Annotated[str, doc("Its digest.")]
    image_prefix: Annotated[str, doc("What stands before its name.")]
    gs_image: Annotated[str, doc("The whole reference.")]


class Connectivity(Model, frozen=True, kw_only=True):
    """Whether something is reached."""

    connectivity: Annotated[str, one_of("ok", "failed"), doc("ok or failed.")]
    error: Annotated[str | None, doc("What is in the way.")] = None


class HealthReport(Model, frozen=True, kw_only=True):
    """Whether virt-api can do its work."""

    apiserver: Annotated[Connectivity, doc("Whether it reaches the API server.")]
