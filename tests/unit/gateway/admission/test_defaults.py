"""What is filled in (D4–D39), and that nothing else is."""

from copy import deepcopy
from typing import Any

import pytest
from tests.unit.gateway.admission.build import (
    ALICE,
    CLUSTER,
    CONTROLLER,
    FRESH,
    HANDLER,
    Plain,
    devices,
    vm,
    vmi,
)

from virtdeck.gateway.admission import ClusterConfig, mutate_vm, mutate_vmi

_ID = FRESH.new_id()


def _made(spec: Plain, cluster: ClusterConfig = CLUSTER) -> Any:
    return mutate_vmi(vmi(spec), None, ALICE, cluster, FRESH)


def _domain(spec: Plain, cluster: ClusterConfig = CLUSTER) -> Any:
    return _made(spec, cluster)["spec"]["domain"]


def _resources(requests: Plain | None = None, limits: Plain | None = None) -> Plain:
    return {"resources": {"requests": requests or {}, "limits": limits or {}}}


def test_a_vm_keeps_its_identity_machine_and_slots() -> None:
    """D4–D7"""
    made = mutate_vm(vm(), None, CLUSTER, FRESH)
    template = made["spec"]["template"]
    assert template["spec"]["domain"]["firmware"] == {"uuid": _ID, "serial": _ID}
    assert template["spec"]["architecture"] == "amd64"
    assert template["spec"]["domain"]["machine"] == {"type": "q35"}
    assert template["metadata"]["annotations"] == {"kubevirt.io/pci-topology-version": "v3"}
    assert "cpu" not in template["spec"]["domain"], "the rest is filled in when it starts"


def test_a_vm_that_exists_gets_no_new_identity() -> None:
    """D4"""
    stored = vm()
    assert "firmware" not in mutate_vm(vm(), stored, CLUSTER, FRESH)["spec"]["template"]["spec"]["domain"]


def test_an_update_that_does_not_mention_the_identity_keeps_it() -> None:
    stored = mutate_vm(vm(), None, CLUSTER, FRESH)
    replaced = mutate_vm(vm(), stored, CLUSTER, FRESH)
    assert replaced["spec"]["template"]["spec"]["domain"]["firmware"] == {"uuid": _ID, "serial": _ID}
    other = {"domain": {"firmware": {"uuid": "other"}}}
    changed = mutate_vm(vm(template=other), stored, CLUSTER, FRESH)
    assert changed["spec"]["template"]["spec"]["domain"]["firmware"]["uuid"] == "other"


def test_an_identity_that_was_given_stays() -> None:
    given = {"domain": {"firmware": {"uuid": "a", "serial": "b"}, "machine": {"type": "pc-q35-9.2"}}}
    template = mutate_vm(vm(template=given), None, CLUSTER, FRESH)["spec"]["template"]["spec"]
    assert template["domain"]["firmware"] == {"uuid": "a", "serial": "b"}
    assert template["domain"]["machine"] == {"type": "pc-q35-9.2"}


@pytest.mark.parametrize(
    ("rule", "domain", "cluster", "cpu_request"),
    [
        ("D10", _resources(limits={"cpu": "2"}), CLUSTER, "2"),
        ("D10", _resources({"cpu": "1"}, {"cpu": "2"}), CLUSTER, "1"),
        ("D11", {}, ClusterConfig(cpu_request="250m"), "250m"),
        ("D11", {}, ClusterConfig(cpu_request="100m"), None),
        ("D11", _resources({"cpu": "1"}), ClusterConfig(cpu_request="250m"), "1"),
    ],
)
def test_cpu_is_requested(rule: str, domain: Plain, cluster: ClusterConfig, cpu_request: str | None) -> None:
    resources = _domain({"domain": domain}, cluster).get("resources") or {}
    assert (resources.get("requests") or {}).get("cpu") == cpu_request, rule


@pytest.mark.parametrize(
    ("rule", "domain", "guest"),
    [
        ("D12", _resources({"memory": "1Gi"}, {"memory": "2Gi"}), "1Gi"),
        ("D12", _resources(limits={"memory": "2Gi"}), "2Gi"),
        ("D13", {"memory": {"guest": None, "hugepages": {"pageSize": "2Mi"}}}, "2Mi"),
    ],
)
def test_the_guest_has_memory(rule: str, domain: Plain, guest: str) -> None:
    domain = {"memory": {"guest": None}, **domain}
    assert _domain({"domain": domain})["memory"]["guest"] == guest, rule


@pytest.mark.parametrize(
    ("domain", "topology"),
    [
        ({}, (1, 1, 1)),
        ({"cpu": {"cores": 4}}, (1, 4, 1)),
        (_resources(limits={"cpu": "2500m"}), (3, 1, 1)),
        (_resources({"cpu": "100m"}), (1, 1, 1)),
        (_resources({"cpu": "1e30"}), (2**31 - 1, 1, 1)),
        ({"cpu": {"cores": 2}, **_resources(limits={"cpu": "8"})}, (1, 2, 1)),
    ],
)
def test_the_guest_has_a_topology(domain: Plain, topology: tuple[int, int, int]) -> None:
    """D14"""
    cpu = _domain({"domain": domain})["cpu"]
    assert (cpu["sockets"], cpu["cores"], cpu["threads"]) == topology


@pytest.mark.parametrize(
    ("image", "policy"),
    [
        ("a/b", "Always"),
        ("a/b:latest", "Always"),
        ("host:5000/b", "Always"),
        ("host:5000/b:1", "IfNotPresent"),
        ("a/b@sha256:00", "IfNotPresent"),
    ],
)
def test_images_that_may_change_are_looked_up_anew(image: str, policy: str) -> None:
    """D15"""
    kernel = {"firmware": {"kernelBoot": {"container": {"image": image, "kernelPath": "/k"}}}}
    made = _made({"domain": kernel, "volumes": [{"name": "root", "containerDisk": {"image": image}}]})
    assert made["spec"]["volumes"][0]["containerDisk"]["imagePullPolicy"] == policy
    assert made["spec"]["domain"]["firmware"]["kernelBoot"]["container"]["imagePullPolicy"] == policy


def test_a_vmi_is_on_the_pod_network_unless_it_says_otherwise() -> None:
    """D17"""
    bare: Plain = {"networks": None, "domain": {"devices": {"interfaces": None}}}
    made = _made(bare, ClusterConfig(default_interface="masquerade"))["spec"]
    assert made["domain"]["devices"]["interfaces"] == [{"name": "default", "masquerade": {}}]
    assert made["networks"] == [{"name": "default", "pod": {}}]
    assert "bridge" in _domain(bare)["devices"]["interfaces"][0]
    bare["domain"]["devices"]["autoattachPodInterface"] = False
    assert "networks" not in _made(bare)["spec"]


def test_every_volume_becomes_a_disk_and_every_disk_has_a_bus() -> None:
    """D18–D21"""
    made = _domain(
        {
            **devices(disks=[{"name": "root", "cdrom": {}}, {"name": "b", "lun": {}}]),
            "volumes": [{"name": name, "emptyDisk": {"capacity": "1Gi"}} for name in ("root", "b", "c")],
        }
    )
    assert made["devices"]["disks"] == [
        {"name": "root", "cdrom": {"bus": "sata", "readonly": True, "tray": "closed"}},
        {"name": "b", "lun": {"bus": "sata"}},
        {"name": "c", "disk": {"bus": "sata"}},
    ]
    arm = _made({"architecture": "arm64", **devices(disks=[{"name": "root", "cdrom": {}}, {"name": "b"}])})
    assert [
        disk.get("disk", disk.get("cdrom"))["bus"] for disk in arm["spec"]["domain"]["devices"]["disks"]
    ] == [
        "scsi",
        "virtio",
    ]


def test_devices_that_are_named_are_completed() -> None:
    """D22, D23, D25"""
    made = _domain(
        {
            "domain": {
                "devices": {"watchdog": {"name": "w"}, "inputs": [{"name": "i", "type": ""}]},
                "clock": {"timer": {"hpet": {}, "rtc": {"present": False}}},
            }
        }
    )
    assert made["devices"]["watchdog"]["i6300esb"] == {"action": "reset"}
    assert made["devices"]["inputs"] == [{"name": "i", "bus": "usb", "type": "tablet"}]
    assert made["clock"]["timer"] == {"hpet": {"present": True}, "rtc": {"present": False}}


def test_features_that_are_named_are_on_and_bring_what_they_build_on() -> None:
    """D26, D27"""
    made = _domain(
        {"domain": {"features": {"smm": {}, "hyperv": {"synictimer": {}, "evmcs": {}, "spinlocks": {}}}}}
    )
    features, on = made["features"], {"enabled": True}
    assert features["acpi"] == features["smm"] == on
    assert features["hyperv"]["synic"] == features["hyperv"]["vpindex"] == features["hyperv"]["vapic"] == on
    assert features["hyperv"]["spinlocks"] == {"enabled": True, "spinlocks": 4096}
    assert made["cpu"]["features"] == [{"name": "vmx", "policy": "require"}]


def test_arm_boots_by_efi_with_the_hosts_processor() -> None:
    """D28"""
    made = _domain({"architecture": "arm64"})
    assert made["cpu"]["model"] == "host-passthrough"
    assert made["firmware"]["bootloader"] == {"efi": {"secureBoot": False}}
    assert made["machine"] == {"type": "virt"}


def test_the_processors_model_comes_from_the_cluster() -> None:
    """D16, D29"""
    cluster = ClusterConfig(cpu_model="Haswell", eviction_strategy="LiveMigrate")
    assert _domain({}, cluster)["cpu"]["model"] == "Haswell"
    assert _made({}, cluster)["spec"]["evictionStrategy"] == "LiveMigrate"
    assert _domain({})["cpu"]["model"] == "host-model"


def test_probes_are_completed() -> None:
    """D30"""
    probe = _made({"readinessProbe": {"guestAgentPing": {}, "periodSeconds": 3}})["spec"]["readinessProbe"]
    assert probe == {
        "guestAgentPing": {},
        "timeoutSeconds": 1,
        "periodSeconds": 3,
        "successThreshold": 1,
        "failureThreshold": 3,
    }


def test_room_to_grow_is_kept_with_live_update_only() -> None:
    """D31"""
    live = ClusterConfig(live_update=True)
    spec: Plain = {"domain": {"memory": {"guest": "1Gi"}, "cpu": {"sockets": 2}}}
    assert _domain(spec, live)["cpu"]["maxSockets"] == 8
    assert _domain(spec, live)["memory"]["maxGuest"] == "4Gi"
    assert "maxGuest" not in _domain({"domain": {"memory": {"guest": "100Mi"}}}, live)["memory"]
    assert "maxSockets" not in _domain(spec)["cpu"]
    assert _domain({"domain": {"cpu": {"sockets": 256, "cores": 2}}}, live)["cpu"]["maxSockets"] == 256


def test_a_new_vmi_is_pending_with_a_finalizer_and_nobodys_status() -> None:
    """D32, D36–D38"""
    forged = vmi() | {"status": {"nodeName": "elsewhere", "phase": "Running"}}
    made = mutate_vmi(forged, None, ALICE, CLUSTER, FRESH)
    assert made["status"] == {
        "phase": "Pending",
        "phaseTransitionTimestamps": [{"phase": "Pending", "phaseTransitionTimestamp": FRESH.now}],
        "currentCPUTopology": {"cores": 1, "sockets": 1, "threads": 1},
        "memory": {"guestAtBoot": "128Mi", "guestCurrent": "128Mi", "guestRequested": "128Mi"},
        "runtimeUser": 107,
    }
    assert made["metadata"]["finalizers"] == ["kubevirt.io/foregroundDeleteVirtualMachine"]
    assert made["metadata"]["annotations"]["kubevirt.io/pci-topology-version"] == "v3"
    kept = vmi() | {"status": {"virtualMachineRevisionName": "r"}}
    assert mutate_vmi(kept, None, CONTROLLER, CLUSTER, FRESH)["status"]["virtualMachineRevisionName"] == "r"


def test_status_is_written_by_components_only() -> None:
    """D39"""
    old, new = vmi() | {"status": {"phase": "Running"}}, vmi() | {"status": {"phase": "Failed"}}
    assert mutate_vmi(new, old, ALICE, CLUSTER, FRESH)["status"] == {"phase": "Running"}
    assert mutate_vmi(new, vmi(), ALICE, CLUSTER, FRESH).get("status") is None
    assert mutate_vmi(new, old, HANDLER, CLUSTER, FRESH) == new
    impostor = type(ALICE)("system:serviceaccount:default:kubevirt-handler")
    assert mutate_vmi(new, old, impostor, CLUSTER, FRESH)["status"] == {"phase": "Running"}


@pytest.mark.parametrize("broken", [{}, {"spec": None}, {"spec": {"domain": 3}}, {"spec": {"template": []}}])
def test_what_cannot_be_read_is_left_as_it_is(broken: Plain) -> None:
    assert mutate_vm(broken, None, CLUSTER, FRESH) is broken
    assert mutate_vmi(broken, None, ALICE, CLUSTER, FRESH) is broken


def test_the_object_that_was_sent_is_not_changed_and_the_future_rides_along() -> None:
    sent = vmi({"fromTheFuture": {"a": 1}})
    before = deepcopy(sent)
    made: Any = mutate_vmi(sent, None, ALICE, CLUSTER, FRESH)
    assert sent == before
    assert made["spec"]["fromTheFuture"] == {"a": 1}
