"""What a running guest's status shows, and how much of a guest's word it takes."""

from datetime import timedelta
from typing import Any

import pytest
from tests.unit.node_agent.builders import NOW, agent, connected, pod, seen, state, vmi

from virtdeck.node_agent.vmi.decide import decide
from virtdeck.node_agent.vmi.interfaces import MAX_ADDRESSES, MAX_INTERFACES, interface_statuses
from virtdeck.node_agent.vmi.status import migration_method, volume_statuses
from virtdeck.wire.launcher import AgentFacts, ImageFacts

NIC = {"name": "enp1s0", "mac": "02:00:00:00:00:07", "ipAddresses": ["10.0.2.2"]}


def interfaces(facts: AgentFacts) -> Any:
    return interface_statuses(seen(launcher=connected()), state(agent=facts))


def test_the_agent_names_the_interface_but_the_pod_gives_its_address() -> None:
    (shown,) = interfaces(agent(interfaces=(NIC,)))
    assert (shown.interface_name, shown.ip_address) == ("enp1s0", "10.88.0.5")
    assert shown.info_source == "domain, guest-agent"
    assert (shown.mac, shown.queue_count, shown.link_state) == ("02:00:00:00:00:07", 1, "up")


@pytest.mark.parametrize("lie", ["127.0.0.1", "::1", "169.254.169.254", "::ffff:127.0.0.1"])
def test_no_claim_of_the_guest_comes_first(lie: str) -> None:
    shown = interfaces(agent(interfaces=({**NIC, "ipAddresses": [lie]},)))
    assert shown[0].ip_address == "10.88.0.5"
    assert lie not in shown[0].ip_addresses


def test_interfaces_that_only_the_guest_knows_follow() -> None:
    shown = interfaces(agent(interfaces=(NIC, {"name": "docker0", "mac": "02:42:00:00:00:01"})))
    assert [(i.name, i.interface_name, i.info_source) for i in shown[1:]] == [
        (None, "docker0", "guest-agent")
    ]


def test_a_flood_of_interfaces_and_addresses_is_cut() -> None:
    flood = tuple({"name": f"x{n}", "ipAddresses": ["192.0.2.1"] * 1000} for n in range(10_000))
    shown = interfaces(agent(interfaces=flood))
    assert len(shown) == MAX_INTERFACES
    assert len(shown[1].ip_addresses) == MAX_ADDRESSES


def test_nonsense_from_the_agent_is_no_fault() -> None:
    assert len(interfaces(agent(interfaces=({"name": None, "ipAddresses": "x"}, {})))) == 3


def test_the_agents_connection_and_system_are_shown() -> None:
    facts = agent(os={"name": "Debian", "prettyName": "Debian 12", "versionId": "12", "kernelRelease": "6.1"})
    plan = decide(seen(launcher=connected(agent=facts)))
    assert plan.wanted is not None
    info = plan.wanted.status.guest_os_info
    assert info is not None
    assert (info.pretty_name, info.version_id) == ("Debian 12", "12")
    assert "AgentConnected" in [c.type for c in plan.wanted.status.conditions or ()]


def test_a_cut_report_is_said_to_be_cut() -> None:
    plan = decide(seen(launcher=connected(agent=agent(truncated=True))))
    assert plan.wanted is not None
    assert "GuestReportTruncated" in [c.type for c in plan.wanted.status.conditions or ()]


def test_volumes_show_target_and_size_in_the_order_of_their_names() -> None:
    obj = vmi(spec={"volumes": [
        {"name": "root", "containerDisk": {"image": "demo"}}, {"name": "init", "cloudInitNoCloud": {}},
    ]})  # fmt: skip
    images = {"root": ImageFacts(path="/x", format="raw", virtual_size=4096)}
    shown = volume_statuses(seen(obj, images=images), {"root": "vda", "init": "vdb"})
    assert [(v.name, v.target, v.size) for v in shown] == [("init", "vdb", None), ("root", "vda", 4096)]


def test_a_size_stays_known_after_a_restart() -> None:
    status = {"volumeStatus": [{"name": "root", "target": "vda", "size": 4096}]}
    obj = vmi("Running", spec={"volumes": [{"name": "root", "containerDisk": {"image": "x"}}]}, status=status)
    assert volume_statuses(seen(obj), {"root": "vda"})[0].size == 4096


def test_disks_of_this_node_alone_make_a_block_migration() -> None:
    assert migration_method(vmi(spec={"volumes": [{"name": "r", "containerDisk": {"image": "x"}}]})) == (
        "BlockMigration"
    )


def test_freezing_is_shown_and_taken_back() -> None:
    frozen = decide(seen(launcher=connected(), frozen_until=NOW + timedelta(seconds=5))).wanted
    assert frozen is not None
    assert frozen.status.fs_freeze_status == "frozen"
    kept = decide(seen(frozen, connected())).wanted
    assert kept is not None
    assert kept.status.fs_freeze_status == "frozen"
    thawed = decide(seen(kept, connected(), frozen_until=NOW)).wanted
    assert thawed is not None
    assert thawed.status.fs_freeze_status is None


def test_both_addresses_of_a_dual_stack_pod_are_shown() -> None:
    two = pod(podIPs=[{"ip": "10.88.0.5"}, {"ip": "fd00::5"}])
    shown = interface_statuses(seen(launcher=connected(), pod=two), state())
    assert shown is not None
    assert shown[0].ip_addresses == ("10.88.0.5", "fd00::5")
