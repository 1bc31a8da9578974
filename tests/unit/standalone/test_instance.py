"""What an instance chooses once."""

import ipaddress
from pathlib import Path

import pytest

from virtdeck.basis.errors import Invalid
from virtdeck.standalone.instance import choose_instance, load_instance, split_address
from virtdeck.standalone.state import open_state


def test_second_start_keeps_what_the_first_chose(tmp_path: Path) -> None:
    state = open_state(tmp_path / "state")
    first = choose_instance(state, "127.0.0.1:8123")
    assert choose_instance(state, None) == first == load_instance(state)


def test_listen_address_can_be_changed_later(tmp_path: Path) -> None:
    state = open_state(tmp_path / "state")
    first = choose_instance(state, None)
    second = choose_instance(state, "127.0.0.1:8124")
    assert (second.listen, second.id, second.pod_subnet) == ("127.0.0.1:8124", first.id, first.pod_subnet)


def test_pod_subnet_is_a_private_network_of_4096_addresses(tmp_path: Path) -> None:
    subnet = ipaddress.IPv4Network(choose_instance(open_state(tmp_path / "state"), None).pod_subnet)
    assert subnet.is_private
    assert subnet.num_addresses == 4096


def test_console_is_plain_http_only_on_loopback(tmp_path: Path) -> None:
    state = open_state(tmp_path / "state")
    assert choose_instance(state, "127.0.0.1:80").console_url == "http://127.0.0.1:80"
    assert choose_instance(state, "192.0.2.7:443").console_url == "https://192.0.2.7:443"


@pytest.mark.parametrize(
    "text", ["8080", "localhost:80", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:http", ""]
)
def test_bad_listen_address_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(Invalid, match=r"127\.0\.0\.1:8900"):
        split_address(text)


def test_ipv6_listen_address_is_understood() -> None:
    assert split_address("[::1]:8900") == ("::1", 8900)


def test_damaged_instance_file_is_named(tmp_path: Path) -> None:
    state = open_state(tmp_path / "state")
    state.path("instance.json").write_text('{"id": 5}')
    with pytest.raises(Invalid, match=r"instance\.json is damaged"):
        load_instance(state)
