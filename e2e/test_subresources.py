"""What virtctl does beyond power: guest data, streams, port forwarding, over KubeVirt's own paths."""

import json
import subprocess
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest
from e2e.api import Api, Terminal
from e2e.machines import disk_vm
from e2e.product import Product, until
from websockets.exceptions import ConnectionClosed

pytestmark = [pytest.mark.root, pytest.mark.guest, pytest.mark.kubectl, pytest.mark.timeout(300)]

NAME = "guestbook"


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ssh") / "id"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
    return path


@pytest.fixture(scope="module")
def guest(product: Product, key: Path) -> Iterator[str]:
    seed = {
        "hostname": "book",
        "user": "writer",
        "password": "s3cret-pen",
        "chpasswd": {"expire": False},
        "ssh_authorized_keys": [key.with_suffix(".pub").read_text().strip()],
        "runcmd": [["sh", "-c", "echo seeded > /var/tmp/proof"]],
    }
    product.apply(disk_vm(NAME, "#cloud-config\n" + json.dumps(seed)))
    product.wait_for_phase(NAME, "Running")
    until(lambda: product.get("vmi", NAME), agent_is_connected, 90)
    yield NAME
    product.kubectl("delete", "vm", NAME, "--timeout=90s")


def agent_is_connected(vmi: dict) -> bool:  # type: ignore[type-arg]
    conditions = {c["type"]: c["status"] for c in vmi["status"].get("conditions", [])}
    return conditions.get("AgentConnected") == "True"


@pytest.fixture(scope="module")
def api(product: Product) -> Api:
    return Api(product)


def test_seed_made_user_host_name_and_ran_commands(guest: str, api: Api) -> None:
    with api.stream("virtualmachineinstances", guest, "console") as stream:
        terminal = Terminal(stream)
        terminal.log_in("writer", "s3cret-pen")
        assert terminal.run("hostname").strip() == "book"
        # Commands run beside the login prompt, once the network is there.
        wait = "until [ -e /var/tmp/proof ]; do sleep 1; done"
        assert terminal.run(f"{wait}; cat /var/tmp/proof").strip() == "seeded"


def test_status_shows_what_agent_and_node_know(guest: str, product: Product) -> None:
    status = (product.get("vmi", guest) or {})["status"]
    assert status["guestOSInfo"]["id"]
    [interface] = [i for i in status["interfaces"] if i.get("name") == "default"]
    assert interface["ipAddress"].startswith("10.")
    assert interface["mac"]
    assert {t["phase"] for t in status["phaseTransitionTimestamps"]} >= {
        "Pending",
        "Scheduling",
        "Scheduled",
        "Running",
    }


def test_guest_agent_reads(guest: str, api: Api) -> None:
    code, info = api.sub("GET", "virtualmachineinstances", guest, "guestosinfo")
    assert (code, info["hostname"]) == (200, "book")
    code, users = api.sub("GET", "virtualmachineinstances", guest, "userlist")
    assert (code, users["kind"]) == (200, "VirtualMachineInstanceGuestOSUserList")
    code, filesystems = api.sub("GET", "virtualmachineinstances", guest, "filesystemlist")
    assert code == 200
    assert "/" in [item["mountPoint"] for item in filesystems["items"]]


def test_screenshot_is_a_png(guest: str, api: Api) -> None:
    code, data = api.sub("GET", "virtualmachineinstances", guest, "vnc/screenshot")
    assert code == 200
    assert data.startswith(b"\x89PNG")


def test_vnc_stream_speaks_rfb(guest: str, api: Api) -> None:
    with api.stream("virtualmachineinstances", guest, "vnc") as stream:
        greeting = stream.recv(timeout=20)
        assert greeting[:7] == b"RFB 003"


def test_port_forward_reaches_the_guests_sshd(guest: str, api: Api) -> None:
    with api.stream("virtualmachineinstances", guest, "portforward/22/tcp") as stream:
        assert stream.recv(timeout=20)[:4] == b"SSH-"


def test_ssh_with_the_seeded_key_works_from_the_host(guest: str, product: Product, key: Path) -> None:
    [address] = [i["ipAddress"] for i in (product.get("vmi", guest) or {})["status"]["interfaces"]]
    answer = subprocess.run(
        [
            "ssh", "-i", key, "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
            "-o", "ConnectTimeout=20", f"writer@{address}", "hostname",
        ],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert answer.stdout.strip() == "book", answer.stderr


def test_second_console_takes_over_and_the_first_is_told_who(guest: str, api: Api) -> None:
    with (
        api.stream("virtualmachineinstances", guest, "console") as first,
        api.stream("virtualmachineinstances", guest, "console"),
        pytest.raises(ConnectionClosed, match="admin"),
    ):
        deque(first, maxlen=0)


def test_soft_reboot_boots_the_same_instance_again(guest: str, api: Api, product: Product) -> None:
    uid = (product.get("vmi", guest) or {})["metadata"]["uid"]
    with api.stream("virtualmachineinstances", guest, "console") as stream:
        terminal = Terminal(stream)
        assert api.sub("PUT", "virtualmachineinstances", guest, "softreboot")[0] == 200
        terminal.expect("login:", 90)
    assert (product.get("vmi", guest) or {})["metadata"]["uid"] == uid


def test_absent_machine_is_a_status_with_its_name(api: Api) -> None:
    code, status = api.sub("PUT", "virtualmachineinstances", "nobody", "pause")
    assert (code, status["reason"]) == (404, "NotFound")
    assert "nobody" in status["message"]


def test_version_needs_no_rights_beyond_a_name(api: Api) -> None:
    code, version = api.call("GET", "/apis/subresources.kubevirt.io/v1/version")
    assert code == 200
    assert version["gitVersion"]


def test_stranger_gets_nothing(product: Product, guest: str) -> None:
    code, status = Api(product, stranger=True).sub("GET", "virtualmachineinstances", guest, "guestosinfo")
    assert code in (401, 403)
    assert status["kind"] == "Status"
