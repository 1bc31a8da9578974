"""Examples for ``kinds.preset`` and ``defaults.presets``."""

from typing import Any

from tests.unit.gateway.admission.build import Plain, vmi
from tests.unit.gateway.admission.examples.example import Example
from tests.unit.gateway.admission.examples.writes import made, write

from virtdeck.crds.kubevirt.preset import VirtualMachineInstancePreset
from virtdeck.gateway.admission.defaults.presets import PresetDraft
from virtdeck.gateway.admission.kinds.write import Write


def _preset(domain: Plain | None) -> Write[VirtualMachineInstancePreset]:
    spec: Plain = {"selector": {}} | ({} if domain is None else {"domain": domain})
    return write(made({"metadata": {"name": "p"}, "spec": spec}, VirtualMachineInstancePreset))


def preset(name: str, domain: Plain, **labels: str) -> Plain:
    """A preset as the API server has it."""
    return {"metadata": {"name": name}, "spec": {"selector": {"matchLabels": labels}, "domain": domain}}


def _presets(*domains: Any) -> PresetDraft:
    return PresetDraft(vmi(), tuple(preset(f"p{number}", domain) for number, domain in enumerate(domains)))


_DISK = {"devices": {"disks": [{"name": "a", "disk": {"bus": "virtio"}}]}}
_SHARE = {"requests": {"cpu": "1"}}

EXAMPLES: dict[str, Example] = {
    "V337": Example(_preset(None), _preset({"devices": {}})),
    "V338": Example(
        _preset({"devices": {"disks": [{"name": "a", "disk": {"bus": "ide"}}]}}),
        _preset(_DISK),
        "spec.domain.devices.disks[0].disk.bus",
    ),
    "V339": Example(
        _preset({"devices": {}, "firmware": {"bootloader": {"bios": {}, "efi": {"secureBoot": False}}}}),
        _preset({"devices": {}, "firmware": {"bootloader": {"bios": {}}}}),
        "spec.domain.firmware.bootloader",
    ),
    "presets_agree": Example(
        _presets({"resources": _SHARE}, {"resources": {"requests": {"cpu": "2"}}}),
        _presets({"resources": _SHARE}, {"resources": {"requests": {"memory": "1Gi"}}}),
    ),
}
