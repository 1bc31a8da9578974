"""``virtdeck up``: the instance runs in the background and says where to find it."""

import argparse
import compileall
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import virtdeck
from virtdeck.basis.errors import Absent, HostFault, Refused
from virtdeck.standalone.addresses import covered_hosts
from virtdeck.standalone.cli.login import new_login_link
from virtdeck.standalone.cli.words import answer, say
from virtdeck.standalone.components import launcher_user, programs, write_kubeconfigs, write_settings
from virtdeck.standalone.demo import build_missing_demo_images, warm_capabilities
from virtdeck.standalone.instance import DEFAULT_LISTEN, Instance, choose_instance, split_address
from virtdeck.standalone.pki import ensure_pki
from virtdeck.standalone.state import StateFolder, held_lock, open_state
from virtdeck.standalone.supervisor import control
from virtdeck.standalone.supervisor.loop import stop_leftovers

READY_SECONDS = 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of ``up``."""
    parser.add_argument(
        "--listen", metavar="ADDR:PORT", help=f"where the console listens (first start: {DEFAULT_LISTEN})"
    )
    parser.add_argument("--no-demo", action="store_true", help="do not build the demo images on first start")


def run(options: argparse.Namespace) -> int:
    """Exit code 0 when everything is ready."""
    if os.geteuid() != 0:
        raise Refused("running virtual machines in containers needs root; start it with sudo")
    state = open_state(options.state.absolute())
    with held_lock(state):
        running = is_supervised(state)
        if not running:
            stop_leftovers(state.path("run"), tuple(program.name for program in programs(state)))
        instance = choose_instance(state, options.listen, running)
        prepare(state, instance)
        if not running:
            start_supervisor(state)
        if not options.no_demo:
            build_missing_demo_images(state, say)
        wait_until_ready(state)
    report(state, instance)
    return 0


def prepare(state: StateFolder, instance: Instance) -> None:
    """Certificates, kubeconfigs, settings, byte code and libvirt's warm cache are in place."""
    # Launchers see the sources read-only: without byte code each would compile them anew.
    compileall.compile_dir(Path(virtdeck.__file__).parent, quiet=2)
    ensure_pki(state, instance.node_name, *covered_hosts(split_address(instance.listen)[0]))
    write_kubeconfigs(state, instance)
    write_settings(state, instance, launcher_user())
    warm_capabilities(state)


def is_supervised(state: StateFolder) -> bool:
    """A supervisor runs for this state folder."""
    try:
        control.ask(state.supervisor_socket, "status")
    except Absent:
        return False
    return True


def start_supervisor(state: StateFolder) -> None:
    """A supervisor runs in the background, with what an earlier one left behind taken over."""
    with state.log("supervisor").open("ab") as log:
        subprocess.Popen(
            [sys.executable, "-m", "virtdeck.standalone.supervisor", str(state.root)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            start_new_session=True,
        )


def wait_until_ready(state: StateFolder) -> None:
    """Every component has said that it serves. Raises: HostFault naming the one that did not, and its log."""
    deadline = time.monotonic() + READY_SECONDS
    waiting: list[dict[str, Any]] = []
    while time.monotonic() < deadline:
        try:
            components = control.ask(state.supervisor_socket, "status")["components"]
        except Absent:
            components = [{"name": "supervisor", "ready": False, "log": str(state.log("supervisor"))}]
        waiting = [component for component in components if not component["ready"]]
        if not waiting:
            return
        time.sleep(0.05)
    names = ", ".join(f"{c['name']} (see {c['log']})" for c in waiting)
    raise HostFault(f"not ready after {READY_SECONDS:.0f} s: {names}")


def report(state: StateFolder, instance: Instance) -> None:
    """The person knows where to go next."""
    say("virtdeck is ready.")
    answer(f"console:    {instance.console_url}")
    answer(f"log in:     {new_login_link(state, instance)}  (once, within 10 minutes)")
    answer(f"kubeconfig: {state.admin_kubeconfig}")
