"""What cannot be carried is refused with its field, all of it at once."""

from typing import Any

import pytest
from tests.unit.launcher.domain.test_golden import request_of

from virtdeck.basis.errors import Invalid
from virtdeck.launcher.domain.build import build_domain

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("spec.domain.launchSecurity", {"launchSecurity": {"sev": {}}}, {}),
    ("spec.domain.cpu.dedicatedCpuPlacement", {"cpu": {"dedicatedCpuPlacement": True}}, {}),
    ("spec.domain.cpu.numa", {"cpu": {"numa": {"guestMappingPassthrough": {}}}}, {}),
    ("spec.domain.cpu.realtime", {"cpu": {"realtime": {}}}, {}),
    ("spec.domain.memory.hugepages", {"memory": {"guest": "1Gi", "hugepages": {"pageSize": "2Mi"}}}, {}),
    ("spec.domain.memory.guest", {"memory": {"guest": "1Ki"}}, {}),
    ("spec.domain.memory.guest", {"memory": None}, {}),
    ("spec.domain.firmware.acpi", {"firmware": {"acpi": {"slicNameRef": "s"}}}, {}),
    (
        "spec.domain.firmware.bootloader.efi.persistent",
        {"firmware": {"bootloader": {"efi": {"persistent": True}}}},
        {},
    ),
    ("spec.domain.machine.type", {"machine": {"type": "pc"}}, {}),
    ("spec.architecture", {}, {"architecture": "s390x"}),
    (
        "spec.accessCredentials",
        {},
        {
            "accessCredentials": [
                {
                    "sshPublicKey": {
                        "source": {"secret": {"secretName": "s"}},
                        "propagationMethod": {"qemuGuestAgent": {"users": ["u"]}},
                    }
                }
            ]
        },
    ),
    ("spec.domain.devices.gpus", {"devices": {"gpus": [{"name": "g", "deviceName": "d"}]}}, {}),
    ("spec.domain.devices.hostDevices", {"devices": {"hostDevices": [{"name": "g", "deviceName": "d"}]}}, {}),
    ("spec.domain.devices.tpm", {"devices": {"tpm": {}}}, {}),
    ("spec.domain.devices.watchdog.diag288", {"devices": {"watchdog": {"name": "w", "diag288": {}}}}, {}),
    ("spec.domain.devices.panicDevices[0].model", {"devices": {"panicDevices": [{"model": "s390"}]}}, {}),
    ("spec.domain.devices.disks[0].name", {"devices": {"disks": [{"name": "a", "disk": {}}]}}, {}),
    (
        "spec.domain.devices.disks[0].bus",
        {"devices": {"disks": [{"name": "a", "disk": {"bus": "ide"}}]}},
        {"volumes": [{"name": "a", "emptyDisk": {"capacity": "1Gi"}}]},
    ),
    (
        "spec.domain.devices.disks[0].disk.pciAddress",
        {"devices": {"disks": [{"name": "a", "disk": {"bus": "virtio", "pciAddress": "1:2"}}]}},
        {"volumes": [{"name": "a", "emptyDisk": {"capacity": "1Gi"}}]},
    ),
    ("spec.volumes[0]", {}, {"volumes": [{"name": "a", "hostDisk": {"path": "/x", "type": "Disk"}}]}),
    (
        "spec.domain.devices.interfaces[0].model",
        {"devices": {"interfaces": [{"name": "a", "bridge": {}, "model": "virtio,x=y"}]}},
        {},
    ),
]


@pytest.mark.parametrize(("field", "domain", "spec"), CASES)
def test_what_cannot_be_carried_is_refused(field: str, domain: dict[str, Any], spec: dict[str, Any]) -> None:
    plain = {
        "metadata": {"name": "a", "namespace": "b", "uid": "c"},
        "spec": {"domain": {"devices": {}, "memory": {"guest": "1Gi"}, **domain}, **spec},
    }
    with pytest.raises(Invalid) as refused:
        build_domain(request_of(plain, {"accelerator": "kvm"}))
    assert field in {cause.field for cause in refused.value.causes}


def test_all_causes_are_named_at_once() -> None:
    plain = {
        "metadata": {"name": "a", "namespace": "b", "uid": "c"},
        "spec": {"architecture": "arm64", "domain": {"devices": {"downwardMetrics": {}}}},
    }
    with pytest.raises(Invalid) as refused:
        build_domain(request_of(plain, {"accelerator": "kvm"}))
    assert len(refused.value.causes) == 3
