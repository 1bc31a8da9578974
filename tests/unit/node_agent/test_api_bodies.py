"""What the API takes in bodies and gives in answers."""

from typing import Any

import pytest

from virtdeck.basis.errors import Invalid
from virtdeck.node_agent.api.guest import agent_info
from virtdeck.node_agent.api.lifecycle import MAX_CHORDS, parse_chords, parse_duration
from virtdeck.node_agent.api.metrics import render_stats
from virtdeck.wire.launcher import AgentFacts, GuestInfo


@pytest.mark.parametrize(
    ("text", "seconds"), [("5m", 300), ("10m", 600), ("1m30s", 90), ("500ms", 0.5), (7, 7)]
)
def test_durations_as_go_writes_them(text: object, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", [None, "", "5", "5 m", "-5m", "1d", "1h", True, []])
def test_no_duration_no_freeze(text: object) -> None:
    with pytest.raises(Invalid):
        parse_duration(text)


def test_chords_are_taken_with_their_hold() -> None:
    assert parse_chords({"chords": [[29, 56, 111]], "holdMilliseconds": 50}) == (((29, 56, 111),), 50)


@pytest.mark.parametrize(
    "body",
    [
        None,
        {},
        {"chords": "x"},
        {"chords": [[]]},
        {"chords": [["a"]]},
        {"chords": [[0]]},
        {"chords": [[True]]},
        {"chords": [[70000]]},
        {"chords": [[1]] * (MAX_CHORDS + 1)},
        {"chords": [[1]], "holdMilliseconds": 0},
        {"chords": [[1]], "holdMilliseconds": 10**9},
    ],
)
def test_bad_chords_are_refused_by_field(body: Any) -> None:
    with pytest.raises(Invalid) as caught:
        parse_chords(body)
    assert caught.value.causes


def test_guest_info_has_kubevirts_shape() -> None:
    info = GuestInfo(
        id=1,
        agent=AgentFacts(connected=True, version="7.2", os={"name": "Debian"}, host_name="vm"),
        users=({"userName": "root"},),
        filesystems=({"diskName": "vda1", "mountPoint": "/"},),
        timezone="UTC, 0",
        supported_commands=("guest-ping",),
    )
    shown = agent_info(info)
    assert shown["guestAgentVersion"] == "7.2"
    assert shown["os"] == {"name": "Debian"}
    assert shown["userList"] == [{"userName": "root"}]
    assert shown["fsInfo"] == {"disks": [{"diskName": "vda1", "mountPoint": "/"}]}
    assert shown["supportedCommands"] == [{"name": "guest-ping", "enabled": True}]


def test_counters_carry_kubevirts_names_and_units() -> None:
    values = {"cpu.time": 2_000_000_000, "balloon.current": 1024, "net.count": 1, "net.0.name": "tap0",
              "net.0.rx.bytes": 5}  # fmt: skip
    lines = render_stats({"name": "demo"}, values)
    assert 'kubevirt_vmi_cpu_usage_seconds_total{name="demo"} 2' in lines
    assert 'kubevirt_vmi_memory_actual_balloon_bytes{name="demo"} 1048576' in lines
    assert 'kubevirt_vmi_network_receive_bytes_total{name="demo",interface="tap0"} 5' in lines


def test_a_label_cannot_break_out_of_its_quotes() -> None:
    assert render_stats({"name": 'a"b\n\\'}, {"cpu.time": 1e9}) == [
        'kubevirt_vmi_cpu_usage_seconds_total{name="a\\"b\\n\\\\"} 1'
    ]
