"""What the Node says, how KVM's probe is judged, and whose cgroup a process is in."""

import pytest
from tests.unit.node_agent.builders import KVM, NO_KVM, NOW, POD_UID

from virtdeck.crds.codec import decode
from virtdeck.crds.core.node import Node
from virtdeck.node_agent.host.facts import NodeFacts, metadata_patch, parse_cpu_vendor, status_patch
from virtdeck.node_agent.host.kvm import ProbeRun, judge
from virtdeck.node_agent.host.kvm_rom import probe_rom
from virtdeck.node_agent.launchers.peer import is_cgroup_of

FACTS = NodeFacts("https://127.0.0.1:8186", NO_KVM, "GenuineIntel")
BARE = decode({"metadata": {"name": "n"}}, Node)


@pytest.mark.parametrize(
    ("run", "usable", "reason"),
    [
        (ProbeRun(0x21), True, "Probed"),
        (ProbeRun(None), False, "MachineHung"),
        (ProbeRun(134, "qemu: error: failed to set MSR 0x10a"), False, "MachineFailed"),
        (ProbeRun(0), False, "MachineFailed"),
    ],
)
def test_only_a_machine_that_ran_proves_kvm(run: ProbeRun, usable: bool, reason: str) -> None:
    verdict = judge(run)
    assert (verdict.usable, verdict.reason) == (usable, reason)


def test_the_probe_repeats_what_qemu_said() -> None:
    assert "failed to set MSR" in judge(ProbeRun(134, "\nqemu: failed to set MSR 0x10a\nmore")).message


def test_the_probes_rom_begins_at_the_reset_vector() -> None:
    rom = probe_rom()
    assert len(rom) == 65536
    assert rom[0xFFF0:0xFFF5] == bytes.fromhex("ea000000f0")


def test_labels_and_heartbeat_of_the_node() -> None:
    meta = metadata_patch(FACTS, NOW)["metadata"]
    assert meta["labels"] == {
        "kubevirt.io/schedulable": "true",
        "kubevirt.io/kvm": "false",
        "cpu-vendor.node.kubevirt.io/Intel": "true",
    }
    assert meta["annotations"]["kubevirt.io/handler-endpoint"] == "https://127.0.0.1:8186"
    assert meta["annotations"]["kubevirt.io/heartbeat"] == "2026-11-30T12:00:00Z"


def test_kvm_that_does_not_work_is_said_in_the_nodes_status() -> None:
    patch = status_patch(FACTS, BARE, NOW)
    assert patch is not None
    (condition,) = patch["status"]["conditions"]
    assert (condition["type"], condition["status"], condition["reason"]) == (
        "KVMUsable",
        "False",
        "MachineFailed",
    )
    assert patch["status"]["allocatable"] == {"devices.kubevirt.io/kvm": "0"}


def test_kvm_that_works_is_offered_to_pods() -> None:
    patch = status_patch(NodeFacts("x", KVM), BARE, NOW)
    assert patch is not None
    assert patch["status"]["allocatable"]["devices.kubevirt.io/kvm"] != "0"


def test_a_node_that_says_so_already_is_not_written() -> None:
    patch = status_patch(FACTS, BARE, NOW)
    assert patch is not None
    assert status_patch(FACTS, decode({"metadata": {"name": "n"}, **patch}, Node), NOW) is None


def test_the_processors_vendor_is_read_from_cpuinfo() -> None:
    assert parse_cpu_vendor("processor\t: 0\nvendor_id\t: AuthenticAMD\n") == "AuthenticAMD"
    assert parse_cpu_vendor("") == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"5:memory:/kubepods/burstable/pod{POD_UID}/abc\n", True),
        (f"0::/kubepods.slice/kubepods-pod{POD_UID.replace('-', '_')}.slice/cri-1.scope\n", True),
        (f"4:pids:/virtdeck/x/{POD_UID}\n", True),
        (f"4:pids:/virtdeck/x/{POD_UID}0\n", False),
        (f"4:pids:/virtdeck/not-{POD_UID}\n", False),
        ("0::/user.slice\n", False),
        ("", False),
    ],
)
def test_a_process_is_of_the_pod_whose_cgroup_it_is_in(text: str, expected: bool) -> None:
    assert is_cgroup_of(text, POD_UID) is expected
