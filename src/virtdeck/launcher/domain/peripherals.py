"""Screen, serial port, agent channel, random numbers, watchdog, pointer, sound, panic device, controllers."""

from typing import Final

from virtdeck.launcher.domain.disks import bus_of, wanted_disks
from virtdeck.launcher.domain.elements.devices import (
    Audio,
    CharDevice,
    CharTarget,
    Graphics,
    Input,
    Listen,
    Panic,
    Rng,
    RngBackend,
    SocketSource,
    Sound,
    Tpm,
    TpmBackend,
    Video,
    VideoModel,
    Watchdog,
)
from virtdeck.launcher.domain.elements.storage import Alias, Controller
from virtdeck.launcher.domain.firmware import efi
from virtdeck.launcher.domain.request import Request

VIDEO_MEMORY_KIB: Final = 16_384
AGENT_CHANNEL: Final = "org.qemu.guest_agent.0"


def controllers(request: Request) -> tuple[Controller, ...]:
    """USB only when a device needs it, SCSI likewise; the agent's channel always needs virtio-serial."""
    buses = {bus_of(disk) for disk in wanted_disks(request)}
    needs_usb = "usb" in buses or any(item.bus == "usb" for item in inputs(request))
    usb = Controller(type="usb", index=0, model="qemu-xhci" if needs_usb else "none")
    scsi = Controller(type="scsi", index=0, model=request.virtio_model)
    serial = Controller(type="virtio-serial", index=0, model=request.virtio_model)
    return (usb, scsi, serial) if "scsi" in buses else (usb, serial)


def graphics(request: Request) -> tuple[Graphics, ...]:
    """VNC on a Unix socket, never on a port. No viewer throws off another: virt-handler decides who may."""
    if request.devices.autoattach_graphics_device is False:
        return ()
    listen = Listen(type="socket", socket=request.sockets.vnc)
    return (Graphics(type="vnc", share_policy="ignore", listen=listen),)


def video(request: Request) -> tuple[Video, ...]:
    """Source: spec.domain.devices.video.type; VGA, or bochs where EFI has no use for VGA's past."""
    if request.devices.autoattach_graphics_device is False:
        return ()
    said = request.devices.video.type if request.devices.video else None
    kind = said or ("bochs" if efi(request) else "vga")
    memory = VIDEO_MEMORY_KIB if kind in ("vga", "bochs") else None
    return (Video(model=VideoModel(type=kind, vram=memory, heads=1)),)


def serial(request: Request) -> tuple[CharDevice, ...]:
    """QEMU connects to the launcher, so that not one byte of the boot is lost."""
    if request.devices.autoattach_serial_console is False:
        return ()
    source = SocketSource(mode="connect", path=request.sockets.serial)
    return (CharDevice(type="unix", source=source, target=CharTarget(type="isa-serial", port=0)),)


def channels(request: Request) -> tuple[CharDevice, ...]:
    """The guest agent's."""
    source = SocketSource(mode="bind", path=request.sockets.agent)
    return (CharDevice(type="unix", source=source, target=CharTarget(type="virtio", name=AGENT_CHANNEL)),)


def inputs(request: Request) -> tuple[Input, ...]:
    """Source: spec.domain.devices.inputs, autoattachInputDevice."""
    said = request.devices.inputs or ()
    given = tuple(
        Input(
            type=item.type or "tablet",
            bus=item.bus or "usb",
            # libvirt knows (non-)transitional models for pass-through input alone.
            model="virtio" if item.bus == "virtio" else None,
            alias=Alias(name=f"ua-{item.name}"),
        )
        for item in said
    )
    if given or not request.devices.autoattach_input_device:
        return given
    return (Input(type="tablet", bus="usb", alias=Alias(name="ua-default-0")),)


def rng(request: Request) -> tuple[Rng, ...]:
    """Source: spec.domain.devices.rng."""
    if request.devices.rng is None:
        return ()
    return (Rng(model=request.virtio_model, backend=RngBackend(model="random", value="/dev/urandom")),)


def watchdogs(request: Request) -> tuple[Watchdog, ...]:
    """Source: spec.domain.devices.watchdog."""
    said = request.devices.watchdog
    if said is None:
        return ()
    action = (said.i6300esb.action if said.i6300esb else None) or "reset"
    return (Watchdog(model="i6300esb", action=action, alias=Alias(name=f"ua-{said.name}")),)


def sound(request: Request) -> tuple[Sound, ...]:
    """Source: spec.domain.devices.sound."""
    said = request.devices.sound
    return (Sound(model=said.model or "ich9", alias=Alias(name=f"ua-{said.name}")),) if said else ()


def audio(request: Request) -> Audio | None:
    """What the guest plays is heard by nobody."""
    return Audio(id=1, type="none") if request.devices.sound else None


def tpm(request: Request) -> Tpm | None:
    """Source: spec.domain.devices.tpm."""
    said = request.devices.tpm
    if said is None or said.enabled is False:
        return None
    model = "tpm-crb" if said.persistent else "tpm-tis"
    return Tpm(model=model, backend=TpmBackend(type="emulator", version="2.0"))


def panics(request: Request) -> tuple[Panic, ...]:
    """Source: spec.domain.devices.panicDevices."""
    return tuple(Panic(model=item.model or "isa") for item in request.devices.panic_devices or ())
