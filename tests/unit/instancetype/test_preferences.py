"""What a preference fills in, and that it fills in nothing else."""

from typing import Any

import pytest
from tests.unit.instancetype.machines import Plain, chosen, devices, domain, size, taste, template

from virtdeck.instancetype.expansion import expand
from virtdeck.instancetype.paths import put, reach


def preferred(before: Plain, **spec: Any) -> Plain:
    found: Plain = expand(before, chosen(preference=taste(**spec)), "bridge")["spec"]
    return found


def _device(**spec: Any) -> Plain:
    return {"devices": spec}


# The preference, the field that it fills, the value that comes of it, another that the template may have.
FIELDS: list[tuple[Plain, str, Any, Any]] = [
    ({"preferredArchitecture": "arm64"}, "architecture", "arm64", "amd64"),
    ({"preferredSubdomain": "sub"}, "subdomain", "sub", "other"),
    ({"preferredTerminationGracePeriodSeconds": 7}, "terminationGracePeriodSeconds", 7, 0),
    ({"preferredLaunchSecurity": {"sev": {}}}, "domain.launchSecurity", {"sev": {}}, {"snp": {}}),
    ({"machine": {"preferredMachineType": "pc-q35-9.0"}}, "domain.machine.type", "pc-q35-9.0", "q35"),
    (
        {"clock": {"preferredTimer": {"pit": {"tickPolicy": "delay"}}}},
        "domain.clock.timer",
        {"pit": {"tickPolicy": "delay"}},
        {"rtc": {}},
    ),
    ({"clock": {"preferredClockOffset": {"timezone": "UTC"}}}, "domain.clock.timezone", "UTC", "Asia/Taipei"),
    (
        {"clock": {"preferredClockOffset": {"utc": {"offsetSeconds": 5}}}},
        "domain.clock.utc",
        {"offsetSeconds": 5},
        {},
    ),
    (
        {"features": {"preferredAcpi": {"enabled": True}}},
        "domain.features.acpi",
        {"enabled": True},
        {"enabled": False},
    ),
    (
        {"features": {"preferredApic": {"endOfInterrupt": True}}},
        "domain.features.apic",
        {"endOfInterrupt": True},
        {},
    ),
    (
        {"features": {"preferredKvm": {"hidden": True}}},
        "domain.features.kvm",
        {"hidden": True},
        {"hidden": False},
    ),
    ({"features": {"preferredPvspinlock": {}}}, "domain.features.pvspinlock", {}, {"enabled": False}),
    ({"features": {"preferredSmm": {}}}, "domain.features.smm", {}, {"enabled": False}),
    (
        {"features": {"preferredHyperv": {"spinlocks": {"spinlocks": 8191}}}},
        "domain.features.hyperv.spinlocks",
        {"spinlocks": 8191},
        {},
    ),
    ({"firmware": {"preferredUseBios": True}}, "domain.firmware.bootloader", {"bios": {}}, {"efi": {}}),
    (
        {"firmware": {"preferredUseBios": True, "preferredUseBiosSerial": True}},
        "domain.firmware.bootloader.bios.useSerial",
        True,
        False,
    ),
    (
        {"firmware": {"preferredEfi": {"secureBoot": True}}},
        "domain.firmware.bootloader",
        {"efi": {"secureBoot": True}},
        {"bios": {}},
    ),
    (
        {"firmware": {"preferredUseEfi": True, "preferredUseSecureBoot": True}},
        "domain.firmware.bootloader",
        {"efi": {"secureBoot": True}},
        {"bios": {}},
    ),
    (
        _device(preferredAutoattachGraphicsDevice=False),
        "domain.devices.autoattachGraphicsDevice",
        False,
        True,
    ),
    (_device(preferredAutoattachInputDevice=True), "domain.devices.autoattachInputDevice", True, False),
    (_device(preferredAutoattachMemBalloon=False), "domain.devices.autoattachMemBalloon", False, True),
    (_device(preferredAutoattachPodInterface=False), "domain.devices.autoattachPodInterface", False, True),
    (_device(preferredAutoattachSerialConsole=False), "domain.devices.autoattachSerialConsole", False, True),
    (_device(preferredBlockMultiQueue=True), "domain.devices.blockMultiQueue", True, False),
    (_device(preferredDisableHotplug=True), "domain.devices.disableHotplug", True, False),
    (
        _device(preferredNetworkInterfaceMultiQueue=True),
        "domain.devices.networkInterfaceMultiqueue",
        True,
        False,
    ),
    (_device(preferredRng={}), "domain.devices.rng", {}, {}),
    (_device(preferredTPM={"persistent": True}), "domain.devices.tpm", {"persistent": True}, {}),
    (_device(preferredUseVirtioTransitional=True), "domain.devices.useVirtioTransitional", True, False),
    (_device(preferredVideoType="virtio"), "domain.devices.video", {"type": "virtio"}, {"type": "vga"}),
]
IDS = [row[1] for row in FIELDS]


@pytest.mark.parametrize(("preference", "field", "value", "other"), FIELDS, ids=IDS)
def test_an_open_field_is_filled(preference: Plain, field: str, value: Any, other: Any) -> None:
    assert reach(preferred(template(), **preference), field) == value


@pytest.mark.parametrize(("preference", "field", "value", "other"), FIELDS, ids=IDS)
def test_what_the_template_says_is_kept(preference: Plain, field: str, value: Any, other: Any) -> None:
    before = template()
    put(before["spec"], field, other)
    assert reach(preferred(before, **preference), field) == other


# Device of a list, preference, field of the device, value.
LISTED: list[tuple[str, Plain, Plain, str, Any]] = [
    ("disks", {"name": "d"}, {"preferredDiskBus": "virtio"}, "disk.bus", "virtio"),
    ("disks", {"name": "d", "disk": {}}, {"preferredDiskBus": "sata"}, "disk.bus", "sata"),
    ("disks", {"name": "d", "cdrom": {}}, {"preferredCdromBus": "scsi"}, "cdrom.bus", "scsi"),
    ("disks", {"name": "d", "lun": {}}, {"preferredLunBus": "scsi"}, "lun.bus", "scsi"),
    ("disks", {"name": "d"}, {"preferredDiskCache": "none"}, "cache", "none"),
    ("disks", {"name": "d"}, {"preferredDiskIO": "native"}, "io", "native"),
    (
        "disks",
        {"name": "d"},
        {"preferredDiskBlockSize": {"matchVolume": {}}},
        "blockSize",
        {"matchVolume": {}},
    ),
    (
        "disks",
        {"name": "d", "disk": {"bus": "virtio"}},
        {"preferredDiskDedicatedIoThread": True},
        "dedicatedIOThread",
        True,
    ),
    ("interfaces", {"name": "i", "bridge": {}}, {"preferredInterfaceModel": "e1000e"}, "model", "e1000e"),
    ("inputs", {"name": "i"}, {"preferredInputBus": "virtio"}, "bus", "virtio"),
    ("inputs", {"name": "i"}, {"preferredInputType": "tablet"}, "type", "tablet"),
    (
        "gpus",
        {"name": "g"},
        {"preferredVirtualGPUOptions": {"display": {}}},
        "virtualGPUOptions",
        {"display": {}},
    ),
    ("panicDevices", {}, {"preferredPanicDeviceModel": "isa"}, "model", "isa"),
]


@pytest.mark.parametrize(("kind", "device", "preference", "field", "value"), LISTED)
def test_each_listed_device_is_filled(
    kind: str, device: Plain, preference: Plain, field: str, value: Any
) -> None:
    found = preferred(devices(**{kind: [device]}), devices=preference)
    assert reach(found["domain"]["devices"][kind][0], field) == value


@pytest.mark.parametrize(("kind", "device", "preference", "field", "value"), LISTED)
def test_what_a_device_says_is_kept(
    kind: str, device: Plain, preference: Plain, field: str, value: Any
) -> None:
    before = devices(**{kind: [device]})
    put(before["spec"]["domain"]["devices"][kind][0], field, "mine")
    found = preferred(before, devices=preference)
    assert reach(found["domain"]["devices"][kind][0], field) == "mine"


@pytest.mark.parametrize(
    ("device", "preference"),
    [
        ({"name": "d", "cdrom": {}}, {"preferredDiskBus": "virtio", "preferredDiskCache": "none"}),
        ({"name": "d", "disk": {"bus": "sata"}}, {"preferredDiskDedicatedIoThread": True}),
    ],
)
def test_a_disk_gets_only_what_fits_it(device: Plain, preference: Plain) -> None:
    found = preferred(devices(disks=[device]), devices=preference)
    assert found["domain"]["devices"]["disks"] == [device]


def test_devices_that_attach_unasked_are_as_the_preference_likes_them() -> None:
    before = template({"volumes": [{"name": "root", "containerDisk": {"image": "i"}}]})
    found = preferred(
        before,
        devices={
            "preferredDiskBus": "virtio",
            "preferredInterfaceModel": "e1000",
            "preferredAutoattachInputDevice": True,
            "preferredInputBus": "virtio",
        },
    )
    assert found["domain"]["devices"] == {
        "autoattachInputDevice": True,
        "disks": [{"name": "root", "disk": {"bus": "virtio"}}],
        "inputs": [{"name": "default-0", "bus": "virtio", "type": "tablet"}],
        "interfaces": [{"name": "default", "bridge": {}, "model": "e1000"}],
    }
    assert found["networks"] == [{"name": "default", "pod": {}}]


def test_a_preference_can_keep_a_guest_off_the_network() -> None:
    found = preferred(template(), devices={"preferredAutoattachPodInterface": False})
    assert "networks" not in found


@pytest.mark.parametrize(
    ("interface", "network", "bound"),
    [
        ({"name": "a"}, {"name": "a", "pod": {}}, True),
        ({"name": "a"}, {"name": "a", "multus": {"networkName": "x"}}, False),
        ({"name": "a"}, {"name": "b", "pod": {}}, False),
        ({"name": "a", "bridge": {}}, {"name": "a", "pod": {}}, False),
        ({"name": "a", "binding": {"name": "p"}}, {"name": "a", "pod": {}}, False),
    ],
)
def test_masquerade_is_for_unbound_interfaces_on_the_pod_network(
    interface: Plain, network: Plain, bound: bool
) -> None:
    before = template({"domain": {"devices": {"interfaces": [interface]}}, "networks": [network]})
    found = preferred(before, devices={"preferredInterfaceMasquerade": {}})
    assert ("masquerade" in found["domain"]["devices"]["interfaces"][0]) is bound


def test_a_sound_card_is_not_invented() -> None:
    preference: Plain = {"devices": {"preferredSoundModel": "ac97"}}
    assert "sound" not in preferred(template(), **preference)["domain"]["devices"]
    found = preferred(devices(sound={"name": "s"}), **preference)
    assert found["domain"]["devices"]["sound"] == {"name": "s", "model": "ac97"}


def test_a_guest_without_a_screen_gets_no_graphics_card() -> None:
    found = preferred(devices(autoattachGraphicsDevice=False), devices={"preferredVideoType": "vga"})
    assert "video" not in found["domain"]["devices"]


def test_a_panic_device_is_added_when_a_model_is_preferred() -> None:
    found = preferred(template(), devices={"preferredPanicDeviceModel": "hyperv"})
    assert found["domain"]["devices"]["panicDevices"] == [{"model": "hyperv"}]


def test_half_a_clock_is_never_mixed() -> None:
    found = preferred(domain(clock={"utc": {}}), clock={"preferredClockOffset": {"timezone": "Asia/Taipei"}})
    assert found["domain"]["clock"] == {"utc": {}}


def test_enlightenments_are_left_alone_when_the_host_passes_its_own_through() -> None:
    before = domain(features={"hypervPassthrough": {"enabled": True}})
    found = preferred(before, features={"preferredHyperv": {"relaxed": {}}})
    assert "hyperv" not in found["domain"]["features"]


def test_processor_features_are_added_by_name() -> None:
    before = domain(cpu={"features": [{"name": "vmx", "policy": "disable"}]})
    wanted = [{"name": "vmx", "policy": "require"}, {"name": "svm", "policy": "optional"}]
    found = preferred(before, cpu={"preferredCPUFeatures": wanted})
    assert found["domain"]["cpu"]["features"] == [{"name": "vmx", "policy": "disable"}, wanted[1]]


def test_annotations_are_added_beside_the_templates() -> None:
    before = template(annotations={"a": "mine"})
    found = expand(before, chosen(preference=taste(annotations={"a": "its", "b": "its"})), "bridge")
    assert found["metadata"]["annotations"] == {"a": "mine", "b": "its"}


def test_a_preference_counts_for_what_the_instance_type_gave() -> None:
    wanted = chosen(
        size(gpus=[{"name": "g"}]), taste(devices={"preferredVirtualGPUOptions": {"display": {}}})
    )
    found = expand(template(), wanted, "bridge")
    assert found["spec"]["domain"]["devices"]["gpus"] == [{"name": "g", "virtualGPUOptions": {"display": {}}}]


def test_nothing_chosen_changes_nothing() -> None:
    before = template({"volumes": [{"name": "root"}]})
    assert expand(before, chosen(), "bridge") is before
