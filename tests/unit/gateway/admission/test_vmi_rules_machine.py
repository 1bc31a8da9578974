"""Rules on the machine: memory, processors, firmware, architecture. Each row breaks one rule."""

from typing import Any

import pytest
from tests.unit.gateway.admission.build import causes, fields, vmi

from virtdeck.gateway.admission import ClusterConfig


def _cpu(**cpu: Any) -> dict[str, Any]:
    return {"domain": {"cpu": cpu}}


def _resources(
    requests: dict[str, Any] | None = None, limits: dict[str, Any] | None = None
) -> dict[str, Any]:
    return {"domain": {"resources": {"requests": requests or {}, "limits": limits or {}}}}


def _dedicated(**domain: Any) -> dict[str, Any]:
    return {"domain": {"cpu": {"dedicatedCpuPlacement": True, **domain.pop("cpu", {})}, **domain}}


def _efi(**efi: Any) -> dict[str, Any]:
    return {"domain": {"firmware": {"bootloader": {"efi": efi}}}}


def _boot(**boot: Any) -> dict[str, Any]:
    return {"domain": {"firmware": {"kernelBoot": boot}}}


def _hyperv(**hyperv: Any) -> dict[str, Any]:
    return {"domain": {"features": {"hyperv": hyperv}}}


def _timer(**timer: Any) -> dict[str, Any]:
    return {"domain": {"clock": {"timer": timer}}}


_OFF = {"enabled": False}
_PAGES = {"memory": {"guest": "3Mi", "hugepages": {"pageSize": "2Mi"}}}
_GUEST, _REQUEST, _LIMIT = (
    "spec.domain.memory.guest",
    "spec.domain.resources.requests.memory",
    "spec.domain.resources.limits.memory",
)
_CPU_REQUEST, _CPU_LIMIT = "spec.domain.resources.requests.cpu", "spec.domain.resources.limits.cpu"

BROKEN = [
    ("V2", {"domain": {"memory": None}}, _GUEST),
    ("V29", _resources({"memory": "-1Mi"}), _REQUEST),
    ("V30", _resources({"memory": "64"}), _REQUEST),
    ("V30", {"domain": {"memory": {"guest": "128"}}}, _GUEST),
    ("V31", _resources(limits={"memory": "-1Gi"}), _LIMIT),
    ("V32", _resources({"memory": "2Gi"}, {"memory": "1Gi"}), _REQUEST),
    ("V33", _resources(limits={"memory": "64Mi"}), _GUEST),
    (
        "V34",
        {"domain": {"memory": {"hugepages": {"pageSize": "big"}}}},
        "spec.domain.memory.hugepages.pageSize",
    ),
    ("V35", {"domain": {"memory": {"guest": "1Mi", "hugepages": {"pageSize": "2Mi"}}}}, _GUEST),
    ("V36", {"domain": _PAGES}, _GUEST),
    ("readable", {"domain": {"memory": {"guest": "128 MB"}}}, _GUEST),
    ("V37", _resources({"cpu": "-1"}), _CPU_REQUEST),
    ("V37", _resources({"cpu": "two"}), _CPU_REQUEST),
    ("V38", _resources(limits={"cpu": "-1"}), _CPU_LIMIT),
    ("V39", _resources({"cpu": "2"}, {"cpu": "1"}), _CPU_REQUEST),
    ("V40", _dedicated(memory=None), _LIMIT),
    ("V41", _dedicated(resources={"limits": {"cpu": "1500m"}}), _CPU_LIMIT),
    ("V42", _dedicated(resources={"requests": {"cpu": "1500m"}}), _CPU_REQUEST),
    ("V43", _dedicated(resources={"requests": {"memory": "1Gi"}, "limits": {"memory": "2Gi"}}), _REQUEST),
    ("V45", _dedicated(resources={"requests": {"cpu": "1"}, "limits": {"cpu": "2"}}), _CPU_REQUEST),
    ("V46", _dedicated(cpu={"cores": 2}, resources={"limits": {"cpu": "3"}}), "spec.domain.cpu"),
    ("V47", _dedicated(cpu={"threads": 4, "cores": 1}), "spec.domain.cpu.threads"),
    ("V48", {"architecture": "arm64", **_cpu(threads=2)}, "spec.domain.cpu.threads"),
    ("V50", _cpu(numa={"guestMappingPassthrough": {}}), "spec.domain.cpu.numa.guestMappingPassthrough"),
    (
        "V51",
        _dedicated(cpu={"numa": {"guestMappingPassthrough": {}}}),
        "spec.domain.cpu.numa.guestMappingPassthrough",
    ),
    ("V52", _cpu(isolateEmulatorThread=True), "spec.domain.cpu.isolateEmulatorThread"),
    ("V53", _cpu(realtime={}), "spec.domain.cpu.realtime"),
    ("V54", _dedicated(cpu={"realtime": {}}), "spec.domain.cpu.realtime"),
    ("V55", _cpu(features=[{"name": "vmx", "policy": "maybe"}]), "spec.domain.cpu.features[0].policy"),
    ("V56", _cpu(sockets=4, maxSockets=2), "spec.domain.cpu.sockets"),
    ("V57", {"domain": {"memory": {"reservedOverhead": {}}}}, "spec.domain.memory.reservedOverhead"),
    ("width", _cpu(cores=64, sockets=16), "spec.domain.cpu"),
    ("V58", {"domain": {"machine": {"type": "i440fx"}}}, "spec.domain.machine.type"),
    (
        "V59",
        {"domain": {"firmware": {"bootloader": {"bios": {}, "efi": {}}}}},
        "spec.domain.firmware.bootloader",
    ),
    ("V60", _efi(), "spec.domain.firmware.bootloader.efi.secureBoot"),
    ("V61", {"domain": {"firmware": {"acpi": {}}}}, "spec.domain.firmware.acpi"),
    (
        "V62",
        {"domain": {"firmware": {"acpi": {"slicNameRef": "gone"}}}},
        "spec.domain.firmware.acpi.slicNameRef",
    ),
    (
        "V63",
        {"domain": {"firmware": {"acpi": {"msdmNameRef": "root"}}}},
        "spec.domain.firmware.acpi.msdmNameRef",
    ),
    ("V64", _boot(kernelArgs="quiet"), "spec.domain.firmware.kernelBoot.container"),
    (
        "V65",
        _boot(container={"image": "", "kernelPath": "/k"}),
        "spec.domain.firmware.kernelBoot.container.image",
    ),
    ("V66", _boot(container={"image": "i"}), "spec.domain.firmware.kernelBoot.container"),
    (
        "V67",
        _boot(container={"image": "i", "kernelPath": "boot/k"}),
        "spec.domain.firmware.kernelBoot.container.kernelPath",
    ),
    (
        "V67",
        _boot(container={"image": "i", "kernelPath": "/boot/../etc/shadow"}),
        "spec.domain.firmware.kernelBoot.container.kernelPath",
    ),
    (
        "V68",
        _boot(container={"image": "i", "initrdPath": "/"}),
        "spec.domain.firmware.kernelBoot.container.initrdPath",
    ),
    ("V78", {"domain": {"rebootPolicy": "Sleep"}}, "spec.domain.rebootPolicy"),
    ("clock", {"domain": {"clock": {"utc": {}, "timezone": "Europe/Berlin"}}}, "spec.domain.clock"),
    ("clock", {"domain": {"clock": {"timezone": "../etc/passwd"}}}, "spec.domain.clock.timezone"),
    ("clock", _timer(pit={"tickPolicy": "hurry"}), "spec.domain.clock.timer.pit.tickPolicy"),
    ("clock", _timer(rtc={"track": "sun"}), "spec.domain.clock.timer.rtc.track"),
    ("identity", {"domain": {"firmware": {"uuid": "mine"}}}, "spec.domain.firmware.uuid"),
    ("words", _cpu(model="Haswell,+x"), "spec.domain.cpu.model"),
    ("words", _cpu(features=[{"name": "a b"}]), "spec.domain.cpu.features[0].name"),
    ("bounds", _hyperv(spinlocks={"spinlocks": 1}), "spec.domain.features.hyperv.spinlocks.spinlocks"),
    ("bounds", _hyperv(vendorid={"vendorid": "x" * 13}), "spec.domain.features.hyperv.vendorid.vendorid"),
    (
        "V79",
        {"domain": {"features": {"hyperv": {}, "hypervPassthrough": {}}}},
        "spec.domain.features.hypervPassthrough",
    ),
    ("V80", _hyperv(synic={}, vpindex=_OFF), "spec.domain.features.hyperv.vpindex"),
    ("V80", _hyperv(synictimer={}, synic=_OFF), "spec.domain.features.hyperv.synic"),
    ("V80", _hyperv(tlbflush={}, vpindex=_OFF), "spec.domain.features.hyperv.vpindex"),
    ("V80", _hyperv(ipi={}, vpindex=_OFF), "spec.domain.features.hyperv.vpindex"),
    ("V80", _hyperv(evmcs={}, vapic=_OFF), "spec.domain.features.hyperv.vapic"),
    (
        "V82",
        {
            "domain": {
                "features": {"hyperv": {"evmcs": {}}},
                "cpu": {"features": [{"name": "vmx", "policy": "forbid"}]},
            }
        },
        "spec.domain.cpu.features",
    ),
]


@pytest.mark.parametrize(
    ("rule", "spec", "field"), BROKEN, ids=[f"{r}-{i}" for i, (r, _, _) in enumerate(BROKEN)]
)
def test_a_machine_that_breaks_the_rule_is_refused(rule: str, spec: dict[str, Any], field: str) -> None:
    assert field in fields(spec), rule


SOUND: list[dict[str, Any]] = [
    {},
    _resources({"memory": "256Mi", "cpu": "100m"}, {"memory": "1Gi", "cpu": 2}),
    {"domain": {"memory": {"guest": 1073741824}}},
    {"domain": {"memory": {"guest": "4Mi", "hugepages": {"pageSize": "2Mi"}}}},
    {"domain": {"memory": None, "resources": {"requests": {"memory": "64M"}}}},
    _dedicated(cpu={"cores": 2}, resources={"limits": {"cpu": "2", "memory": "1Gi"}}),
    _dedicated(cpu={"cores": 2, "threads": 2}),
    _efi(secureBoot=False),
    {"domain": {"firmware": {"bootloader": {"efi": {}}}, "features": {"smm": {}}}},
    _boot(
        container={
            "image": "virtdeck/demo-kernel:1",
            "kernelPath": "/boot/vmlinuz",
            "initrdPath": "/boot/initrd",
        }
    ),
    _hyperv(synictimer={}, ipi={}, evmcs={}, tlbflush={}),
    {"domain": {"machine": {"type": "pc-q35-rhel9.4.0"}}},
    {
        "domain": {
            "clock": {"timezone": "America/Argentina/Ushuaia", "timer": {"pit": {"tickPolicy": "delay"}}}
        }
    },
    _cpu(model="Skylake-Client-noTSX-IBRS", features=[{"name": "vmx"}]),
    {"domain": {"rebootPolicy": "Terminate"}},
]


@pytest.mark.parametrize("spec", SOUND, ids=str)
def test_a_sound_machine_is_let_through(spec: dict[str, Any]) -> None:
    assert causes(spec) == []


@pytest.mark.parametrize(
    ("rule", "architecture", "spec", "field"),
    [
        ("V83", "amd64", {"video": {"type": "cga"}}, "spec.domain.devices.video.type"),
        ("V84", "amd64", {"watchdog": {"name": "w", "diag288": {}}}, "spec.domain.devices.watchdog.diag288"),
        (
            "action",
            "amd64",
            {"watchdog": {"name": "w", "i6300esb": {"action": "explode"}}},
            "spec.domain.devices.watchdog.i6300esb.action",
        ),
        ("V85", "arm64", {"video": {"type": "vga"}}, "spec.domain.devices.video.type"),
        (
            "V88",
            "arm64",
            {"disks": [{"name": "root", "disk": {"bus": "sata"}}]},
            "spec.domain.devices.disks[0].disk.bus",
        ),
        (
            "V89",
            "arm64",
            {"disks": [{"name": "root", "cdrom": {"bus": "usb"}}]},
            "spec.domain.devices.disks[0].cdrom.bus",
        ),
        (
            "V90",
            "arm64",
            {"disks": [{"name": "root", "lun": {"bus": "sata"}}]},
            "spec.domain.devices.disks[0].lun.bus",
        ),
        ("V91", "arm64", {"watchdog": {"name": "w"}}, "spec.domain.devices.watchdog"),
        ("V92", "arm64", {"sound": {"name": "s"}}, "spec.domain.devices.sound"),
        ("V93", "s390x", {"video": {"type": "vga"}}, "spec.domain.devices.video.type"),
        (
            "V94",
            "s390x",
            {"watchdog": {"name": "w", "i6300esb": {}}},
            "spec.domain.devices.watchdog.i6300esb",
        ),
        ("V115", "s390x", {"panicDevices": [{}]}, "spec.domain.devices.panicDevices[0]"),
    ],
)
def test_each_architecture_has_its_own_devices(
    rule: str, architecture: str, spec: dict[str, Any], field: str
) -> None:
    assert field in fields({"architecture": architecture, "domain": {"devices": spec}}), rule


@pytest.mark.parametrize(
    ("rule", "domain", "field"),
    [
        ("V86", {"firmware": {"bootloader": {"bios": {}}}}, "spec.domain.firmware.bootloader.bios"),
        ("V87", {"cpu": {"model": "Haswell"}}, "spec.domain.cpu.model"),
    ],
)
def test_arm_has_its_own_firmware(rule: str, domain: dict[str, Any], field: str) -> None:
    assert field in fields({"architecture": "arm64", "domain": domain}), rule


@pytest.mark.parametrize("architecture", ["amd64", "arm64", "s390x"])
def test_defaults_of_every_architecture_pass_the_rules(architecture: str) -> None:
    assert causes({"architecture": architecture}) == []


def test_gates_open_what_they_guard() -> None:
    spec: dict[str, Any] = {"domain": {"memory": {"reservedOverhead": {}}}}
    assert causes(spec, cluster=ClusterConfig(enabled_gates=frozenset({"ReservedOverheadMemlock"}))) == []
    closed = ClusterConfig(disabled_gates=frozenset({"RebootPolicy"}))
    assert fields({"domain": {"rebootPolicy": "Reboot"}}, cluster=closed) == {"spec.domain.rebootPolicy"}


def test_a_limit_follows_the_guest_with_live_update() -> None:
    assert causes(_resources(limits={"memory": "64Mi"}), cluster=ClusterConfig(live_update=True)) == []


def test_a_message_says_what_to_write() -> None:
    (cause,) = causes({"domain": {"memory": {"guest": "128"}}})
    assert "512Mi" in cause.message
    assert vmi()["spec"]["domain"]["memory"] == {"guest": "128Mi"}
