"""GPUs of NVIDIA's Grace machines, which pass through with a memory of their own (V117–V125)."""

import re
from collections.abc import Iterator

from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, NOT_SUPPORTED, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.verdict import gate_words

RULES: Rules[Subject] = Rules("VMI")

GATE = "GraceIOVirtualization"
_SELECTOR = re.compile(r"(?:0X)?([0-9A-F]{4}):(?:0X)?([0-9A-F]{4}|\*)", re.ASCII)
_NVIDIA, _GRACE = "10DE", frozenset({"2342", "2348", "2941"})  # GH200 and GB200
_NAME = "spec.domain.devices.{gpus|hostDevices}[].deviceName"
_ROOT_COMPLEX, _NO_HOLE = "kubevirt.io/placePCIDevicesOnRootComplex", "kubevirt.io/disablePCIHole64"


@RULES.rule(
    "V117",
    _NAME,
    INVALID,
    "{name!r} is permitted by a pciVendorSelector for every device of NVIDIA; with the gate "
    f"{GATE} an administrator must name the device, as 10DE:2342",
)
def selector_names_the_device(vmi: Subject) -> Iterator[Place]:
    """The gate is on and nobody could tell whether the device is one of a Grace machine."""
    for kind, index, name, device in _nvidia(vmi) if vmi.gate(GATE) else ():
        if device == "*":
            yield at(kind, index, name=name)


@RULES.gate("V118", _NAME, GATE)
def grace_needs_its_gate(vmi: Subject) -> Iterator[Place]:
    """The device is one of a Grace machine and the gate is off."""
    yield from (at(kind, index) for kind, index, *_ in _grace(vmi))


@RULES.rule("V119", "spec.architecture", NOT_SUPPORTED, "must be arm64 for the GPUs of a Grace machine")
def grace_is_arm(vmi: Subject) -> Iterator[Place]:
    """It is another."""
    if _uses_grace(vmi) and vmi.architecture != "arm64":
        yield at()


@RULES.rule("V120", "spec.domain.machine.type", NOT_SUPPORTED, "must be virt for the GPUs of a Grace machine")
def grace_is_on_virt(vmi: Subject) -> Iterator[Place]:
    """It is another."""
    machine = vmi.domain.machine.type if vmi.domain.machine else None
    if _uses_grace(vmi) and machine and machine != "virt":
        yield at()


@RULES.rule(
    "V121", "spec.domain.cpu.dedicatedCpuPlacement", REQUIRED, "must be true for the GPUs of a Grace machine"
)
def grace_is_dedicated(vmi: Subject) -> Iterator[Place]:
    """The processors are not the guest's own."""
    if _uses_grace(vmi) and not vmi.cpu.dedicated_cpu_placement:
        yield at()


@RULES.rule("V122", "spec.domain.devices", FORBIDDEN, gate_words("PCINUMAAwareTopology"))
def grace_knows_its_node(vmi: Subject) -> Iterator[Place]:
    """There are GPUs of a Grace machine and the gate is off."""
    if _uses_grace(vmi) and not vmi.gate("PCINUMAAwareTopology"):
        yield at()


@RULES.rule("V123", "spec.domain.devices", FORBIDDEN, gate_words("IOMMUFD"))
def grace_has_a_memory_unit(vmi: Subject) -> Iterator[Place]:
    """There are GPUs of a Grace machine and the gate is off."""
    if _uses_grace(vmi) and not vmi.gate("IOMMUFD"):
        yield at()


@RULES.rule("V124", "metadata.annotations[]", INVALID, "cannot be true with the GPUs of a Grace machine")
def grace_is_behind_ports(vmi: Subject) -> Iterator[Place]:
    """placePCIDevicesOnRootComplex is true."""
    if (vmi.metadata.annotations or {}).get(_ROOT_COMPLEX) == "true" and _uses_grace(vmi):
        yield at(_ROOT_COMPLEX)


@RULES.rule("V125", "metadata.annotations[]", INVALID, "cannot be true with the GPUs of a Grace machine")
def grace_needs_the_hole(vmi: Subject) -> Iterator[Place]:
    """disablePCIHole64 is true, and their memory stands above 4 GiB."""
    if (vmi.metadata.annotations or {}).get(_NO_HOLE) == "true" and _uses_grace(vmi):
        yield at(_NO_HOLE)


def _uses_grace(vmi: Subject) -> bool:
    return vmi.gate(GATE) and any(True for _ in _grace(vmi))


def _grace(vmi: Subject) -> Iterator[tuple[str, int, str, str]]:
    return (found for found in _nvidia(vmi) if found[3] in _GRACE)


def _nvidia(vmi: Subject) -> Iterator[tuple[str, int, str, str]]:
    """Devices that the KubeVirt object permits as NVIDIA's: kind, index, name and PCI device id."""
    permitted = vmi.cluster.permitted_pci
    if not permitted:
        return
    gpus, devices = vmi.devices.gpus or (), vmi.devices.host_devices or ()
    for kind, names in (
        ("gpus", [gpu.device_name or "" for gpu in gpus]),
        ("hostDevices", [device.device_name or "" for device in devices]),
    ):
        for index, name in enumerate(names):
            found = _SELECTOR.fullmatch(permitted.get(name, "").strip().upper())
            if found and found[1] == _NVIDIA:
                yield kind, index, name, found[2]
