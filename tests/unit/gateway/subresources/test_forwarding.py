"""Only the launcher's own address is dialled (S-22)."""

from typing import Any

import pytest
from tests.unit.gateway.subresources.build import vmi

from virtdeck.basis.errors import VirtdeckError
from virtdeck.crds.codec import decode
from virtdeck.crds.core.pod import Pod
from virtdeck.gateway.subresources.forwarding import launcher_address


def pod(*addresses: str, owner: str = "u1", uid: str = "p1") -> Pod:
    owners = [{"apiVersion": "v1", "kind": "V", "name": "a", "uid": owner, "controller": True}]
    status = {"podIP": addresses[0], "podIPs": [{"ip": ip} for ip in addresses]} if addresses else {}
    return decode(
        {
            "metadata": {"name": "p", "uid": uid, "ownerReferences": owners},
            "spec": {"containers": []},
            "status": status,
        },
        Pod,
    )


def at(*addresses: str, **status: Any) -> Any:
    interfaces = [{"ipAddress": addresses[0], "ipAddresses": list(addresses)}] if addresses else []
    return vmi(interfaces=interfaces, **status)


def test_the_address_that_pod_and_status_agree_on_is_dialled() -> None:
    assert launcher_address(at("10.0.0.5"), [pod("10.0.0.5")]) == "10.0.0.5"
    assert launcher_address(at("fd00::5", "10.0.0.5"), [pod("10.0.0.5", "fd00::5")]) == "10.0.0.5"


@pytest.mark.parametrize(
    "reported", ["127.0.0.1", "::1", "169.254.169.254", "fe80::1", "10.0.0.6", "::ffff:127.0.0.1"]
)
def test_what_only_the_agent_says_is_not(reported: str) -> None:
    with pytest.raises(VirtdeckError):
        launcher_address(at(reported), [pod("10.0.0.5")])


def test_a_pod_that_only_looks_like_the_launcher_is_not() -> None:
    with pytest.raises(VirtdeckError):
        launcher_address(at("127.0.0.1"), [pod("127.0.0.1", owner="other")])
    with pytest.raises(VirtdeckError):
        launcher_address(at("127.0.0.1", activePods={"p1": "node1"}), [pod("127.0.0.1", uid="p2")])


def test_without_a_pod_or_its_address_nothing_is() -> None:
    with pytest.raises(VirtdeckError):
        launcher_address(at("10.0.0.5"), [])
    with pytest.raises(VirtdeckError):
        launcher_address(at("10.0.0.5"), [pod()])
