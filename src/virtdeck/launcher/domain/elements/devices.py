"""All devices but disks."""

from msgspec import field

from virtdeck.launcher.domain.elements.base import Element, Leaf, Text
from virtdeck.launcher.domain.elements.storage import Alias, Boot, Controller, Disk, PciAddress


class Mac(Element, frozen=True, kw_only=True):
    """Source: interface/mac."""

    address: str


class InterfaceTarget(Element, frozen=True, kw_only=True):
    """Source: interface/target. managed: "no" means that the tap is there already."""

    dev: str
    managed: str


class Model(Element, frozen=True, kw_only=True):
    """Source: interface/model, watchdog/model."""

    type: str


class InterfaceDriver(Element, frozen=True, kw_only=True):
    """Source: interface/driver."""

    name: str | None = None
    queues: int | None = None


class Mtu(Element, frozen=True, kw_only=True):
    """Source: interface/mtu."""

    size: int


class Rom(Element, frozen=True, kw_only=True):
    """Source: interface/rom."""

    enabled: str


class Link(Element, frozen=True, kw_only=True):
    """Source: interface/link."""

    state: str


class Acpi(Element, frozen=True, kw_only=True):
    """Source: interface/acpi."""

    index: int


class Interface(Element, frozen=True, kw_only=True):
    """Source: devices/interface."""

    type: str
    mac: Mac
    target: InterfaceTarget
    model: Model
    driver: InterfaceDriver | None = None
    link: Link | None = None
    mtu: Mtu | None = None
    boot: Boot | None = None
    rom: Rom | None = None
    acpi: Acpi | None = None
    alias: Alias
    address: PciAddress | None = None


class Reconnect(Element, frozen=True, kw_only=True):
    """Source: source/reconnect."""

    enabled: str
    timeout: int | None = None


class SocketSource(Element, frozen=True, kw_only=True):
    """Source: serial/source, channel/source."""

    mode: str
    path: str
    reconnect: Reconnect | None = None


class CharTarget(Element, frozen=True, kw_only=True):
    """Source: serial/target, channel/target."""

    type: str
    port: int | None = None
    name: str | None = None


class CharDevice(Element, frozen=True, kw_only=True):
    """Source: devices/serial, devices/channel."""

    type: str
    source: SocketSource
    target: CharTarget
    alias: Alias | None = None


class Input(Element, frozen=True, kw_only=True):
    """Source: devices/input."""

    type: str
    bus: str
    model: str | None = None
    alias: Alias | None = None


class Listen(Element, frozen=True, kw_only=True):
    """Source: graphics/listen."""

    type: str
    socket: str


class Graphics(Element, frozen=True, kw_only=True):
    """Source: devices/graphics."""

    type: str
    share_policy: str
    listen: Listen


class VideoModel(Element, frozen=True, kw_only=True):
    """Source: video/model. vram: KiB."""

    type: str
    vram: int | None = None
    heads: int | None = None


class Video(Element, frozen=True, kw_only=True):
    """Source: devices/video."""

    model: VideoModel


class Sound(Element, frozen=True, kw_only=True):
    """Source: devices/sound."""

    model: str
    alias: Alias | None = None


class Audio(Element, frozen=True, kw_only=True):
    """Source: devices/audio."""

    id: int
    type: str


class Watchdog(Element, frozen=True, kw_only=True):
    """Source: devices/watchdog."""

    model: str
    action: str
    alias: Alias | None = None


class BalloonStats(Element, frozen=True, kw_only=True):
    """Source: memballoon/stats. period: seconds."""

    period: int


class Balloon(Element, frozen=True, kw_only=True):
    """Source: devices/memballoon."""

    model: str
    free_page_reporting: str | None = None
    stats: BalloonStats | None = None


class RngBackend(Element, frozen=True, kw_only=True):
    """Source: rng/backend."""

    model: str
    value: Text


class Rng(Element, frozen=True, kw_only=True):
    """Source: devices/rng."""

    model: str
    backend: RngBackend


class TpmBackend(Element, frozen=True, kw_only=True):
    """Source: tpm/backend."""

    type: str
    version: str


class Tpm(Element, frozen=True, kw_only=True):
    """Source: devices/tpm."""

    model: str
    backend: TpmBackend


class Panic(Element, frozen=True, kw_only=True):
    """Source: devices/panic."""

    model: str


class Devices(Element, frozen=True, kw_only=True):
    """Source: devices."""

    emulator: Leaf | None = None
    disk: tuple[Disk, ...] = ()
    controller: tuple[Controller, ...] = ()
    interface: tuple[Interface, ...] = ()
    serial: tuple[CharDevice, ...] = ()
    channel: tuple[CharDevice, ...] = ()
    input: tuple[Input, ...] = ()
    tpm: Tpm | None = None
    graphics: tuple[Graphics, ...] = ()
    sound: tuple[Sound, ...] = ()
    audio: Audio | None = None
    video: tuple[Video, ...] = ()
    watchdog: tuple[Watchdog, ...] = ()
    balloon: Balloon | None = field(default=None, name="memballoon")
    rng: tuple[Rng, ...] = ()
    panic: tuple[Panic, ...] = ()
