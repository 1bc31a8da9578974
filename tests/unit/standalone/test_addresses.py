"""Which addresses an instance is reached by."""

import ipaddress

import pytest

from virtdeck.standalone.addresses import covered_hosts, in_url, reached_host


def test_one_address_is_reached_and_covered_as_itself() -> None:
    assert reached_host("192.0.2.7") == "192.0.2.7"
    assert covered_hosts("192.0.2.7") == ("192.0.2.7",)


@pytest.mark.parametrize("everywhere", ["0.0.0.0", "::"])
def test_every_address_is_reached_by_one_that_can_be_dialled_and_is_covered(everywhere: str) -> None:
    reached = reached_host(everywhere)
    assert reached == "localhost" or not ipaddress.ip_address(reached).is_unspecified
    assert reached in (*covered_hosts(everywhere), "localhost")


def test_certificate_names_no_address_that_cannot_be_dialled_without_more() -> None:
    found = [ipaddress.ip_address(host) for host in covered_hosts("0.0.0.0")]
    assert ipaddress.ip_address("127.0.0.1") in found
    assert not any(address.is_unspecified or address.is_link_local for address in found)


def test_urls_write_ipv6_in_brackets() -> None:
    assert in_url("2001:db8::7") == "[2001:db8::7]"
    assert in_url("192.0.2.7") == "192.0.2.7"
