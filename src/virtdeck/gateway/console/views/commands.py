"""The same act for a shell: kubectl, virtctl and curl, to be copied."""

import json
import shlex

from virtdeck.gateway.console.views.machine import Machine
from virtdeck.gateway.console.views.powers import SUBRESOURCES, Act, plural_of

VIRTCTL = {
    "start": "start",
    "stop": "stop",
    "forcestop": "stop --grace-period=0 --force",
    "restart": "restart",
    "pause": "pause vm",
    "unpause": "unpause vm",
    "softreboot": "soft-reboot",
    "reset": "reset",
}
CURL = 'curl -H "Authorization: Bearer $TOKEN"'
Commands = list[tuple[str, str]]


def commands(act: Act, machine: Machine, public_url: str) -> Commands:
    """What to type instead of pressing the button."""
    namespace, name = shlex.quote(machine.namespace), shlex.quote(machine.name)
    plural = plural_of(act, machine)
    if act.key == "delete":
        short = "vm" if machine.has_vm else "vmi"
        path = f"{public_url}/apis/kubevirt.io/v1/namespaces/{machine.namespace}/{plural}/{machine.name}"
        return [
            ("kubectl", f"kubectl delete {short} {name} -n {namespace}"),
            ("curl", f"{CURL} -X DELETE {shlex.quote(path)}"),
        ]
    path = f"/apis/{SUBRESOURCES}/v1/namespaces/{machine.namespace}/{plural}/{machine.name}/{act.subresource}"
    body = json.dumps(dict(act.body))
    verb = VIRTCTL[act.key]
    if not machine.has_vm:
        verb = verb.replace(" vm", " vmi")
    return [
        ("virtctl", f"virtctl {verb} {name} -n {namespace}"),
        ("kubectl", f"echo {shlex.quote(body)} | kubectl replace --raw {shlex.quote(path)} -f -"),
        ("curl", f"{CURL} -X PUT -d {shlex.quote(body)} {shlex.quote(public_url + path)}"),
    ]


def create_commands(namespace: str, manifest: str, public_url: str) -> Commands:
    """How to create what the manifest says."""
    path = f"{public_url}/apis/kubevirt.io/v1/namespaces/{namespace or 'default'}/virtualmachines"
    return [
        ("kubectl", f"kubectl apply -f - <<'EOF'\n{manifest.rstrip()}\nEOF"),
        ("curl", f"{CURL} -H 'Content-Type: application/yaml' --data-binary @vm.yaml {shlex.quote(path)}"),
    ]


def console_commands(machine: Machine) -> Commands:
    """Screen and serial console in a terminal."""
    namespace, name = shlex.quote(machine.namespace), shlex.quote(machine.name)
    return [
        ("virtctl", f"virtctl console {name} -n {namespace}"),
        ("virtctl", f"virtctl vnc {name} -n {namespace}"),
    ]
