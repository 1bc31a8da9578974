"""What an instance chooses once."""

import ipaddress
import socket
from pathlib import Path

import pytest

from virtdeck.basis.errors import Conflict, Invalid
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


def test_inner_port_that_somebody_took_meanwhile_is_chosen_anew(tmp_path: Path) -> None:
    state = open_state(tmp_path / "state")
    first = choose_instance(state, None)
    with socket.socket() as other:
        # Connections that another instance has just ended there do not count.
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", first.apiserver_port))
        other.listen()
        second = choose_instance(state, None)
    assert second.apiserver_port != first.apiserver_port
    assert (second.gateway_port, second.handler_port) == (first.gateway_port, first.handler_port)


def test_taken_console_address_is_refused_with_the_way_out(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(Conflict, match="--listen"):
            choose_instance(open_state(tmp_path / "state"), f"127.0.0.1:{other.getsockname()[1]}")


def test_address_of_another_host_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=r"192\.0\.2\.7 is not an address of this host"):
        choose_instance(open_state(tmp_path / "state"), "192.0.2.7:443")


def test_pod_subnet_is_a_private_network_of_4096_addresses(tmp_path: Path) -> None:
    subnet = ipaddress.IPv4Network(choose_instance(open_state(tmp_path / "state"), None).pod_subnet)
    assert subnet.is_private
    assert subnet.num_addresses == 4096


def test_console_is_plain_http_only_on_loopback(tmp_path: Path) -> None:
    state = open_state(tmp_path / "state")
    assert choose_instance(state, "127.0.0.1:8128").console_url == "http://127.0.0.1:8128"
    assert choose_instance(state, "0.0.0.0:8129").console_url.startswith("https://")


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


def test_a_running_instance_does_not_claim_another_address(tmp_path: Path) -> None:
    state = open_state(tmp_path / "state")
    listen = choose_instance(state, "127.0.0.1:8131").listen
    assert choose_instance(state, listen, running=True).listen == listen
    with pytest.raises(Conflict, match="down first"):
        choose_instance(state, "127.0.0.1:8132", running=True)
    assert choose_instance(state, None, running=True).listen == listen
