"""The whole domain in one expression."""

from virtdeck.launcher.domain import (
    clock,
    disks,
    features,
    firmware,
    interfaces,
    iothreads,
    memory,
    peripherals,
    processor,
    refusals,
)
from virtdeck.launcher.domain.codec import render
from virtdeck.launcher.domain.elements.devices import Devices
from virtdeck.launcher.domain.elements.domain import Domain
from virtdeck.launcher.domain.request import Request
from virtdeck.launcher.emulator import EMULATOR


def build_domain(request: Request) -> Domain:
    """The domain that the VMI describes. Raises: Invalid with all that cannot be carried."""
    refusals.require_carried(request)
    return Domain(
        type="qemu" if request.emulated else "kvm",
        name=domain_name(request),
        uuid=firmware.system_uuid(request),
        memory=memory.memory(request),
        vcpu=processor.vcpu(request),
        iothreads=iothreads.iothreads(request),
        sysinfo=firmware.sysinfo(request),
        os=firmware.os(request),
        features=features.features(request),
        cpu=processor.cpu(request),
        clock=clock.clock(request),
        on_poweroff="destroy",
        on_reboot="destroy" if request.domain.reboot_policy == "Terminate" else "restart",
        on_crash="destroy",
        devices=_devices(request),
    )


def render_domain(request: Request) -> str:
    """The domain's XML."""
    return render("domain", build_domain(request))


def domain_name(request: Request) -> str:
    """``<namespace>_<name>``, as KubeVirt has it."""
    metadata = request.vmi.metadata
    return f"{metadata.namespace}_{metadata.name}"


def _devices(request: Request) -> Devices:
    return Devices(
        emulator=EMULATOR,
        disk=disks.disks(request),
        controller=peripherals.controllers(request),
        interface=interfaces.interfaces(request),
        serial=peripherals.serial(request),
        channel=peripherals.channels(request),
        input=peripherals.inputs(request),
        tpm=peripherals.tpm(request),
        graphics=peripherals.graphics(request),
        sound=peripherals.sound(request),
        audio=peripherals.audio(request),
        video=peripherals.video(request),
        watchdog=peripherals.watchdogs(request),
        balloon=memory.balloon(request),
        rng=peripherals.rng(request),
        panic=peripherals.panics(request),
    )
