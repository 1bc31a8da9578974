"""Network interfaces on taps that virt-handler made. Source: spec.domain.devices.interfaces."""

from typing import Final

from virtdeck.crds.kubevirt.network import Interface as InterfaceSpec
from virtdeck.launcher.domain.disks import pci_address
from virtdeck.launcher.domain.elements.devices import (
    Acpi,
    Interface,
    InterfaceDriver,
    InterfaceTarget,
    Link,
    Mac,
    Model,
    Mtu,
    Rom,
)
from virtdeck.launcher.domain.elements.storage import Alias, Boot
from virtdeck.launcher.domain.processor import boot_vcpus
from virtdeck.launcher.domain.request import Request
from virtdeck.wire.launcher import InterfaceFacts

ETHERNET_MTU: Final = 1500
MOST_QUEUES: Final = 256  # of one tap device


def interfaces(request: Request) -> tuple[Interface, ...]:
    """One for each tap, in the VMI's order; what is to be absent is left out."""
    specs = {spec.name: spec for spec in request.devices.interfaces or () if spec.state != "absent"}
    facts = {fact.name: fact for fact in request.interfaces}
    order = [name for name in specs if name in facts] + [
        name for name in facts if name not in {spec.name for spec in request.devices.interfaces or ()}
    ]
    return tuple(
        _interface(request, specs.get(name) or InterfaceSpec(name=name), facts[name]) for name in order
    )


def _interface(request: Request, spec: InterfaceSpec, fact: InterfaceFacts) -> Interface:
    model = spec.model or "virtio"
    return Interface(
        type="ethernet",
        mac=Mac(address=fact.mac),
        target=InterfaceTarget(dev=fact.tap, managed="no"),
        model=Model(type=request.virtio_model if model == "virtio" else model),
        driver=_driver(request) if model == "virtio" else None,
        link=Link(state="down") if spec.state == "down" else None,
        mtu=Mtu(size=fact.mtu) if fact.mtu != ETHERNET_MTU else None,
        boot=Boot(order=spec.boot_order) if spec.boot_order else None,
        # Without a boot order nobody boots from it: the option ROM would only cost memory and time.
        rom=None if spec.boot_order else Rom(enabled="no"),
        acpi=Acpi(index=spec.acpi_index) if spec.acpi_index else None,
        alias=Alias(name=f"ua-{spec.name}"),
        address=pci_address(spec.pci_address) if spec.pci_address else None,
    )


def _driver(request: Request) -> InterfaceDriver | None:
    if not request.devices.network_interface_multiqueue:
        return None
    return InterfaceDriver(queues=min(boot_vcpus(request), MOST_QUEUES))
