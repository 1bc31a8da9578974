"""A real DHCP client gets its address from a server without any privilege."""

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.launcher.guest_kernel import launcher_user

pytestmark = [pytest.mark.root]

SERVER = textwrap.dedent(
    """
    import asyncio
    from virtdeck.launcher.network.messages import DhcpExtras
    from virtdeck.launcher.network.server import serve_dhcp
    from virtdeck.wire.launcher import DhcpFacts

    FACTS = DhcpFacts(
        bridge="k6t-eth0", server="10.0.2.1", address="10.0.2.2", prefix_length=24, mac="02:00:00:00:00:07",
        router="10.0.2.1", dns=("10.9.8.7",), search=("default.svc.cluster.local", "svc"), host_name="demo",
    )

    async def main():
        async with serve_dhcp([(FACTS, DhcpExtras(ntp_servers=("10.1.1.1",)))]):
            print("serving", flush=True)
            await asyncio.Event().wait()

    asyncio.run(main())
    """
)
SCRIPT = """#!/bin/sh
[ "$1" = bound ] || [ "$1" = renew ] || exit 0
echo "$1 $ip $subnet $router $dns $hostname $ntpsrv $lease $search"
"""


@pytest.fixture
def namespace() -> Iterator[str]:
    launcher_user()
    name = f"vdl-{os.getpid()}"
    inside = ["ip", "netns", "exec", name]
    subprocess.run(["ip", "netns", "add", name], check=True)
    try:
        for command in (
            "sysctl -qw net.ipv4.ip_unprivileged_port_start=0",
            "ip link add k6t-eth0 type bridge",
            "ip addr add 10.0.2.1/24 dev k6t-eth0",
            "ip link set k6t-eth0 up",
            "ip link add port type veth peer name client address 02:00:00:00:00:07",
            "ip link set port master k6t-eth0",
            "ip link set port up",
            "ip link set client up",
        ):
            subprocess.run([*inside, *command.split()], check=True)
        yield name
    finally:
        subprocess.run(["ip", "netns", "del", name], check=True)


def test_a_client_is_told_its_address_and_all_options(namespace: str, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(SCRIPT)
    script.chmod(0o755)
    inside = ["ip", "netns", "exec", namespace]
    user = launcher_user()
    drop = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs"]
    drop += ["--bounding-set=-all", "--inh-caps=-all"]
    server = subprocess.Popen(
        [*inside, *drop, sys.executable, "-c", SERVER],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": "src"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        assert server.stdout.readline() == "serving\n"
        client = ["busybox", "udhcpc", "-i", "client", "-n", "-q", "-f", "-s", str(script), "-O", "search"]
        client += ["-O", "ntpsrv"]
        done = subprocess.run([*inside, *client], capture_output=True, text=True, timeout=30, check=True)
        assert (
            "bound 10.0.2.2 255.255.255.0 10.0.2.1 10.9.8.7 demo 10.1.1.1 4294967295 "
            "default.svc.cluster.local svc" in done.stdout
        )
    finally:
        server.terminate()
        server.wait()
        if server.stdout is not None:
            server.stdout.close()
