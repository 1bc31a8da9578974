"""What a guest's agent says is cut to bounds, whatever it is."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from virtdeck.basis.errors import HostFault, Unready
from virtdeck.launcher.guest import answers
from virtdeck.launcher.guest.agent import GuestAgent, keep_known
from virtdeck.launcher.guest.bounds import MAX_ADDRESSES, MAX_INTERFACES, MAX_TEXT, Cutter
from virtdeck.wire.launcher import AgentFacts

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def interface(name: str = "eth0", addresses: int = 1) -> dict[str, Any]:
    found = [{"ip-address": f"10.0.{number // 250}.{number % 250 + 1}"} for number in range(addresses)]
    return {"name": name, "hardware-address": "02:00:00:00:00:01", "ip-addresses": found}


def test_interfaces_are_told_without_loopback() -> None:
    said = [{"name": "lo", "ip-addresses": [{"ip-address": "127.0.0.1"}]}, interface()]
    assert answers.interfaces(said, Cutter()) == (
        {"name": "eth0", "mac": "02:00:00:00:00:01", "ipAddresses": ["10.0.0.1"]},
    )


def test_a_flood_of_interfaces_is_cut_and_said_so() -> None:
    cut = Cutter()
    found = answers.interfaces([interface(f"eth{n}", 100) for n in range(10_000)], cut)
    assert len(found) == MAX_INTERFACES
    assert all(len(item["ipAddresses"]) == MAX_ADDRESSES for item in found)
    assert cut.truncated


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("x" * 10_000_000, "x" * MAX_TEXT),
        ("a\x00\x1b[31mb\u202ec\nd", "a[31mbcd"),
        (7, ""),
        (None, ""),
        ({"a": 1}, ""),
        ("\ud800", ""),
    ],
)
def test_texts_are_cut_and_cleaned(said: object, shown: str) -> None:
    assert answers.host_name({"host-name": said}, Cutter()) == shown


@pytest.mark.parametrize("address", ["nonsense", "10.0.0.1/8", "", 3, "1" * 1000, "fe80::1%eth0"])
def test_addresses_are_addresses(address: object) -> None:
    said = [{"name": "eth0", "ip-addresses": [{"ip-address": address}]}]
    shown = answers.interfaces(said, Cutter())[0]["ipAddresses"]
    assert shown == (["fe80::1"] if address == "fe80::1%eth0" else [])


@given(JSON)
def test_any_answer_gives_something_that_can_be_sent(said: object) -> None:
    cut = Cutter()
    for read in (
        answers.os_info,
        answers.host_name,
        answers.interfaces,
        answers.users,
        answers.filesystems,
        answers.version,
        answers.commands,
        answers.timezone,
    ):
        assert len(msgspec.json.encode(read(said, cut))) < 64 * 1024


@pytest.mark.anyio
@pytest.mark.parametrize(
    "text", ["", "{", "[" * 10_000, '{"error": {"class": "x"}}', "[]", "3", '{"a":' * 9999]
)
async def test_a_broken_agent_is_an_error_of_the_host(text: str) -> None:
    async def ask(_: str, __: int) -> str:
        return text

    with pytest.raises(HostFault):
        await GuestAgent(ask).read_facts()


def test_what_is_known_stays_while_the_disks_are_frozen() -> None:
    known = AgentFacts(connected=True, version="7.2.0", os={"id": "debian"}, host_name="demo")
    frozen = AgentFacts(connected=True, version="7.2.0")
    assert keep_known(known, frozen) is known
    assert keep_known(AgentFacts(), frozen) is frozen
    renamed = AgentFacts(connected=True, host_name="other")
    assert keep_known(known, renamed) is renamed


@pytest.mark.anyio
async def test_commands_that_the_agent_lacks_leave_their_fields_empty() -> None:
    async def ask(command: str, _: int) -> str:
        if "guest-info" in command:
            return '{"return": {"version": "7.2.0", "supported_commands": []}}'
        raise Unready("silent")

    facts = await GuestAgent(ask).read_facts()
    assert (facts.connected, facts.version, facts.os) == (True, "7.2.0", {})
