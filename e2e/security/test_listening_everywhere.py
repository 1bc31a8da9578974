"""An instance that listens on every address: HTTPS, and pages that work by each address that is covered."""

import json
import socket
import ssl
import subprocess
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from e2e.product import Product, free_address
from e2e.web import ask

pytestmark = [pytest.mark.root, pytest.mark.kubectl]

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def everywhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    port = free_address().rpartition(":")[2]
    found = Product(tmp_path_factory.mktemp("everywhere") / "state", f"0.0.0.0:{port}")
    found.up("--no-demo")
    yield found
    found.command("down", "--vms")


def addresses() -> list[str]:
    """The host's own IPv4 addresses, pods' bridges left out."""
    links = json.loads(subprocess.run(["ip", "-j", "-4", "addr"], capture_output=True, check=True).stdout)
    return [
        found["local"]
        for link in links
        if not link.get("ifname", "").startswith("vd-")
        for found in link.get("addr_info", ())
    ]


def test_links_name_an_address_that_can_be_dialled(everywhere: Product) -> None:
    link = urlsplit(everywhere.login_link())
    assert link.scheme == "https"
    assert link.hostname not in ("0.0.0.0", None)
    assert link.hostname in (*addresses(), "localhost")
    socket.create_connection((link.hostname, link.port or 0), 5).close()
    assert "0.0.0.0" not in everywhere.printed


def test_pages_work_by_every_address_and_for_no_other_origin(everywhere: Product) -> None:
    context = ssl.create_default_context(cafile=str(everywhere.state / "pki/ca.crt"))
    port = everywhere.listen.rpartition(":")[2]
    for host in addresses():
        url = f"https://{host}:{port}"
        for origin in ("https://evil.example", f"http://{host}:{port}", "null", f"https://{host}:1"):
            assert ask(f"{url}/login", "POST", {"Origin": origin} | FORM, "link=x", context).code == 403, (
                origin
            )
        form = f"link={everywhere.login_link().partition('link=')[2]}"
        answer = ask(f"{url}/login", "POST", {"Origin": url} | FORM, form, context)
        assert answer.code == 303
        assert "strict-transport-security" in answer.headers
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-")
        assert "; Secure" in cookie
        assert ask(f"{url}/vms", headers={"Cookie": cookie.partition(";")[0]}, context=context).code == 200
