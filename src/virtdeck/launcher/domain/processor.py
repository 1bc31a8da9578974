"""The processors that the guest sees. Source: spec.domain.cpu."""

from typing import Final

from virtdeck.crds.kubevirt.cpu import CPU
from virtdeck.launcher.domain.elements.machine import Cpu, CpuFeature, CpuModel, Topology, Vcpu
from virtdeck.launcher.domain.request import Request

HOST_MODEL: Final = "host-model"
HOST_PASSTHROUGH: Final = "host-passthrough"


def boot_vcpus(request: Request) -> int:
    """How many processors are there when the guest starts."""
    said = request.domain.cpu or CPU()
    return (said.sockets or 1) * (said.cores or 1) * (said.threads or 1)


def vcpu(request: Request) -> Vcpu:
    """All sockets that may ever be plugged, and those that are plugged at boot."""
    most, now = _topology(request), boot_vcpus(request)
    total = most.sockets * most.cores * most.threads
    return Vcpu(current=now if now != total else None, value=str(total))


def cpu(request: Request) -> Cpu:
    """A named model as it is; otherwise the host's, or under emulation all that QEMU can do."""
    said = request.domain.cpu or CPU()
    features = tuple(
        CpuFeature(policy=feature.policy or "require", name=feature.name) for feature in said.features or ()
    )
    topology = _topology(request)
    if said.model not in (None, HOST_MODEL, HOST_PASSTHROUGH):
        return Cpu(
            mode="custom",
            match="exact",
            # Emulation lacks some features of every model; a guest that starts is worth more than the check.
            check="none" if request.emulated else "partial",
            model=CpuModel(fallback="allow" if request.emulated else "forbid", value=said.model or ""),
            topology=topology,
            feature=features,
        )
    mode = "maximum" if request.emulated else said.model or HOST_MODEL
    return Cpu(mode=mode, topology=topology, feature=features)


def _topology(request: Request) -> Topology:
    said = request.domain.cpu or CPU()
    sockets = max(said.sockets or 1, said.max_sockets or 1)
    return Topology(sockets=sockets, cores=said.cores or 1, threads=said.threads or 1)
