"""``virtdeck down``: the services stop; virtual machines run on unless they shall stop too."""

import argparse
import time
from pathlib import Path
from typing import Any

from virtdeck.basis.errors import Absent, HostFault
from virtdeck.standalone.admin import AdminApi
from virtdeck.standalone.cli.login import require_instance
from virtdeck.standalone.cli.words import say
from virtdeck.standalone.state import StateFolder, held_lock
from virtdeck.standalone.supervisor import control

STOP_SECONDS = 15.0
# A guest's grace period may be minutes; beyond this the person should look.
VMS_STOP_SECONDS = 300.0
PODS = "/api/v1/pods"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of ``down``."""
    parser.add_argument("--vms", action="store_true", help="shut the virtual machines down as well")


def run(options: argparse.Namespace) -> int:
    """Exit code 0 when everything that should stop has stopped."""
    state = StateFolder(options.state.absolute())
    require_instance(state)
    with held_lock(state):
        if options.vms:
            stop_virtual_machines(state)
        stop_services(state)
    return 0


def stop_virtual_machines(state: StateFolder) -> None:
    """No launcher is on the host. Machines that should run are started again by the next ``up``.

    Raises: HostFault.
    """
    control.ask(state.supervisor_socket, "hold controllers")
    api = AdminApi(state, require_instance(state))
    for pod in _pods(api):
        metadata = pod["metadata"]
        api.call("DELETE", f"/api/v1/namespaces/{metadata['namespace']}/pods/{metadata['name']}")
    deadline = time.monotonic() + VMS_STOP_SECONDS
    shown = -1
    while left := max(len(_pods(api)), len(on_host(state))):
        if left != shown:
            say(f"waiting for {left} virtual machine{'s' if left > 1 else ''} to shut down")
            shown = left
        if time.monotonic() > deadline:
            raise HostFault(f"{left} virtual machines did not stop within {VMS_STOP_SECONDS:.0f} s")
        time.sleep(0.2)


def _pods(api: AdminApi) -> list[dict[str, Any]]:
    """The pods of this machine, ended ones included; one that only a finalizer keeps has no grace left."""
    return [pod for pod in api.read(PODS)["items"] if not is_taken_away(pod["metadata"])]


def is_taken_away(metadata: dict[str, Any]) -> bool:
    return "deletionTimestamp" in metadata and metadata.get("deletionGracePeriodSeconds") == 0


def on_host(state: StateFolder) -> set[str]:
    """The pods whose containers or mounts the runner has not taken away yet.

    Of an ended pod the API server keeps nothing once it is deleted, and the runner needs a moment more.
    """
    folders = (state.path("kubelet", "pods"), state.path("runner", "pods"))
    return {entry.name for folder in folders if folder.is_dir() for entry in folder.iterdir()}


def stop_services(state: StateFolder) -> None:
    """No process of the instance runs except virtual machines. Raises: HostFault."""
    try:
        pid = int(control.ask(state.supervisor_socket, "stop")["pid"])
    except Absent:
        say("virtdeck was not running.")
        return
    deadline = time.monotonic() + STOP_SECONDS
    while Path(f"/proc/{pid}").exists():
        if time.monotonic() > deadline:
            raise HostFault(f"the supervisor (process {pid}) did not stop; look at {state.log('supervisor')}")
        time.sleep(0.02)
    say("virtdeck has stopped.")
