"""Machines that every rule lets through, and what rules say beside their field."""

import base64
from typing import Any

import pytest
from tests.unit.gateway.admission.build import Plain, causes, devices, nic, root_disk, root_volume

from virtdeck.gateway.admission import ClusterConfig

_IMAGE = {"name": "root", "containerDisk": {"image": "virtdeck/demo:1"}}
_POD, _LAN = {"name": "default", "pod": {}}, {"name": "other", "multus": {"networkName": "lan"}}


def _domain(**domain: Any) -> Plain:
    return {"domain": domain}


def _resources(requests: Plain, limits: Plain) -> Plain:
    return _domain(resources={"requests": requests, "limits": limits})


def _seed(**source: Any) -> Plain:
    return {"volumes": [_IMAGE, {"name": "seed", "cloudInitNoCloud": source}]}


SOUND: list[Plain] = [
    {},
    {"hostname": "web-1", "subdomain": "vms.example"},
    {"startStrategy": "Paused", "evictionStrategy": "LiveMigrateIfPossible"},
    {"readinessProbe": {"tcpSocket": {"port": 22}}, "livenessProbe": {"exec": {"command": ["true"]}}},
    {"nodeSelector": {"kubernetes.io/hostname": "node-1", "empty": ""}},
    _resources({"memory": "256Mi", "cpu": "100m"}, {"memory": "1Gi", "cpu": 2}),
    _domain(memory={"guest": 1073741824}),
    _domain(memory={"guest": "4Mi", "hugepages": {"pageSize": "2Mi"}}),
    _domain(memory=None, resources={"requests": {"memory": "64M"}}),
    _domain(
        cpu={"dedicatedCpuPlacement": True, "cores": 2}, resources={"limits": {"cpu": "2", "memory": "1Gi"}}
    ),
    _domain(cpu={"model": "Skylake-Client-noTSX-IBRS", "features": [{"name": "vmx"}]}),
    _domain(firmware={"bootloader": {"efi": {}}}, features={"smm": {}}),
    _domain(features={"hyperv": {"synictimer": {}, "ipi": {}, "evmcs": {}, "tlbflush": {}}}),
    _domain(clock={"timezone": "Europe/Berlin", "timer": {"pit": {"tickPolicy": "delay"}}}),
    devices(panicDevices=[{"model": "pvpanic"}], sound={"name": "s", "model": "ac97"}),
    root_disk(bootOrder=1, serial="disk-1", cache="none", io="native", errorPolicy="stop"),
    devices(disks=[{"name": "root", "disk": {"bus": "virtio"}}, {"name": "tray", "cdrom": {"bus": "sata"}}]),
    root_volume(emptyDisk={"capacity": "2Gi"}),
    _seed(userData="#cloud-config", networkData="version: 2"),
    _seed(userDataBase64=base64.encodebytes(b"#cloud-config\n" * 40).decode()),
    nic(model="e1000", macAddress="02:00:00:12:34:56", bootOrder=1, state="down"),
    nic(masquerade=None, bridge={}),
    {"networks": [_POD, _LAN]}
    | devices(
        interfaces=[
            {"name": "default", "masquerade": {}},
            {"name": "other", "bridge": {}, "state": "absent"},
        ]
    ),
    {"networks": None, "domain": {"devices": {"interfaces": None, "autoattachPodInterface": False}}},
    {"networks": None, "domain": {"devices": {"interfaces": None}}},
]


@pytest.mark.parametrize("spec", SOUND, ids=str)
def test_what_is_sound_is_let_through(spec: Plain) -> None:
    assert causes(spec) == []


@pytest.mark.parametrize("architecture", ["amd64", "arm64", "s390x"])
def test_defaults_of_every_architecture_pass_the_rules(architecture: str) -> None:
    assert causes({"architecture": architecture}) == []


def test_a_message_says_what_to_write() -> None:
    (cause,) = causes(_domain(memory={"guest": "128"}))
    assert "512Mi" in cause.message


def test_a_message_names_the_gate_and_where_to_open_it() -> None:
    (cause,) = causes(root_volume(hostDisk={"path": "/srv/disk.img", "type": "Disk"}))
    assert "HostDisk" in cause.message
    assert "featureGates" in cause.message


def test_a_message_never_quotes_what_a_guest_is_told() -> None:
    spec = _seed(userData="password: hunter2" + "x" * 2048, userDataBase64="hunter2!")
    assert causes(spec)
    assert not any("hunter2" in cause.message for cause in causes(spec))


def test_an_administrator_may_open_what_stands_behind_a_gate() -> None:
    spec = root_volume(hostDisk={"path": "/srv/disk.img", "type": "Disk"})
    assert causes(spec, cluster=ClusterConfig(enabled_gates=frozenset({"HostDisk"}))) == []
