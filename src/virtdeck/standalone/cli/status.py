"""``virtdeck status``: what runs, where the data is, what is wrong and what to do about it."""

import argparse
import shutil
from typing import Any

from virtdeck.basis.errors import Absent, VirtdeckError
from virtdeck.standalone.admin import AdminApi
from virtdeck.standalone.cli.login import require_instance
from virtdeck.standalone.cli.words import answer
from virtdeck.standalone.instance import Instance
from virtdeck.standalone.pki import days_left
from virtdeck.standalone.state import StateFolder
from virtdeck.standalone.supervisor import control

LEAST_FREE_BYTES = 2 * 1024**3
CERTIFICATE_WARNING_DAYS = 30


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No options of its own."""


def run(options: argparse.Namespace) -> int:
    """Exit code 0 only if all is well."""
    state = StateFolder(options.state.absolute())
    instance = require_instance(state)
    components = read_components(state)
    objects = read_objects(state, instance) if components else Objects()
    for line in (
        *describe_places(state, instance),
        *describe_components(components),
        *describe_objects(objects),
    ):
        answer(line)
    problems = [*component_problems(components), *host_problems(state), *objects.problems]
    for problem in problems:
        answer(f"problem: {problem}")
    if not problems:
        answer("all is well")
    return 1 if problems else 0


class Objects:
    """What the API server tells: nodes and virtual machines, or why it tells nothing."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.vmis: list[dict[str, Any]] = []
        self.problems: list[str] = []


def read_components(state: StateFolder) -> list[dict[str, Any]]:
    """The supervisor's view; empty when none runs."""
    try:
        components: list[dict[str, Any]] = control.ask(state.supervisor_socket, "status")["components"]
    except Absent:
        return []
    return components


def read_objects(state: StateFolder, instance: Instance) -> Objects:
    """Nodes and VMIs, or the sentence why they could not be read."""
    found = Objects()
    api = AdminApi(state, instance)
    try:
        found.nodes = api.read("/api/v1/nodes")["items"]
        found.vmis = api.read("/apis/kubevirt.io/v1/virtualmachineinstances")["items"]
    except VirtdeckError as fault:
        found.problems.append(str(fault))
    finally:
        api.close()
    found.problems += [
        f"node {node['metadata']['name']} is not ready: {condition.get('message', '')}"
        for node in found.nodes
        for condition in node.get("status", {}).get("conditions", [])
        if condition["type"] == "Ready" and condition["status"] != "True"
    ]
    return found


def describe_places(state: StateFolder, instance: Instance) -> list[str]:
    """Where everything is."""
    return [
        f"console:     {instance.console_url}",
        f"api server:  {instance.apiserver_url}",
        f"kubeconfig:  {state.admin_kubeconfig}",
        f"data:        {state.root}",
        f"logs:        {state.path('log')}",
    ]


def describe_components(components: list[dict[str, Any]]) -> list[str]:
    """A line a process."""
    return [
        f"{component['name']:<12} {_state_word(component):<12} pid {component['pid'] or '-'}"
        for component in components
        if not component["once"]
    ]


def _state_word(component: dict[str, Any]) -> str:
    if component["ready"]:
        return "running"
    return "starting" if component["pid"] else "stopped"


def describe_objects(objects: Objects) -> list[str]:
    """How guests run here, and how many."""
    lines = [
        f"node {node['metadata']['name']}: {condition.get('message', '')}"
        for node in objects.nodes
        for condition in node.get("status", {}).get("conditions", [])
        if condition["type"] == "KVMUsable"
    ]
    running = sum(1 for vmi in objects.vmis if vmi.get("status", {}).get("phase") == "Running")
    if objects.nodes:
        lines.append(f"virtual machines running: {running}")
    return lines


def component_problems(components: list[dict[str, Any]]) -> list[str]:
    """What is not well with the processes, and what to do."""
    if not components:
        return ["virtdeck is not running; start it with ./virtdeck up"]
    return [
        f"{component['name']} is not ready"
        + (
            f" ({component['lastExit']}, started {component['restarts'] + 1} times)"
            if component["lastExit"]
            else ""
        )
        + f"; look at {component['log']}"
        for component in components
        if not component["ready"]
    ]


def host_problems(state: StateFolder) -> list[str]:
    """What the host lacks, before it hurts."""
    problems = []
    free = shutil.disk_usage(state.root).free
    if free < LEAST_FREE_BYTES:
        problems.append(f"only {free // 1024**2} MiB are free below {state.root}; images and disks need more")
    for certificate in sorted(state.path("pki").glob("*.crt")):
        left = days_left(certificate)
        if left < CERTIFICATE_WARNING_DAYS:
            log = state.log("renewal")
            problems.append(f"{certificate.name} ends in {left} days and was not renewed; look at {log}")
    return problems
