"""Every route of the subresource API: ``crds.subresources`` says what is served, here stands who does it.

Routing, access reviews, discovery and documentation are read from ``ROUTES``; roles from the same table.
"""

from dataclasses import dataclass

from virtdeck.crds.subresources import GROUP, SUBRESOURCES, Method, Subresource

VM, VMI = "virtualmachines", "virtualmachineinstances"


@dataclass(frozen=True)
class Route:
    """One path. sub: its ``resource`` is empty for what belongs to the whole API or a namespace.

    action: what carries it out. body: the type of what is sent. summary: one line for the documentation.
    open: answered without knowing who asks.
    """

    sub: Subresource
    action: str
    summary: str
    body: str = ""
    namespaced: bool = True
    open: bool = False

    @property
    def name(self) -> str:
        """``virtualmachines/start``, as discovery and RBAC spell it."""
        return self.sub.rbac_resource if self.sub.resource else self.sub.name

    def path(self, version: str) -> str:
        """The path's template."""
        parts = ["", "apis", GROUP, version]
        if self.namespaced:
            parts += ["namespaces", "{namespace}"]
        if self.sub.resource:
            parts += [self.sub.resource, "{name}"]
        parts += [self.sub.name, *(f"{{{name}}}" for name in self.sub.parameters)]
        return "/".join(parts)


_STREAM = "A connection to a port of the guest"
_SERVED: dict[str, tuple[str, str, str]] = {
    f"{VM}/start": ("start", "Start the virtual machine", "StartOptions"),
    f"{VM}/stop": ("stop", "Stop the virtual machine", "StopOptions"),
    f"{VM}/restart": ("restart", "Stop and start the virtual machine", "RestartOptions"),
    f"{VM}/migrate": ("migrate", "Move the guest to another node while it runs", "MigrateOptions"),
    f"{VM}/expand-spec": ("expand_spec", "The virtual machine, instance type and preference applied", ""),
    f"{VM}/portforward": ("forward_vm", _STREAM, ""),
    f"{VMI}/pause": ("pause", "Stop the guest's processors", "PauseOptions"),
    f"{VMI}/unpause": ("unpause", "Let the guest's processors go on", "UnpauseOptions"),
    f"{VMI}/freeze": ("freeze", "Make the guest's file systems quiescent", "FreezeUnfreezeTimeout"),
    f"{VMI}/unfreeze": ("unfreeze", "End a freeze", ""),
    f"{VMI}/reset": ("reset", "Press the guest's reset button", ""),
    f"{VMI}/softreboot": ("softreboot", "Ask the guest to reboot", ""),
    f"{VMI}/sendkeys": ("sendkeys", "Press keys in the guest", "SendKeysOptions"),
    f"{VMI}/console": ("console", "The serial console", ""),
    f"{VMI}/vnc": ("vnc", "The screen, as VNC", ""),
    f"{VMI}/vnc/screenshot": ("screenshot", "The screen as a PNG picture", ""),
    f"{VMI}/sessions": ("sessions", "Who has the screen or the serial console open", ""),
    f"{VMI}/portforward": ("forward_vmi", _STREAM, ""),
    f"{VMI}/guestosinfo": ("guest_report", "What the guest agent says of the guest", ""),
    f"{VMI}/userlist": ("guest_report", "Who is logged in to the guest", ""),
    f"{VMI}/filesystemlist": ("guest_report", "The guest's file systems", ""),
}


def _routes_of(sub: Subresource) -> list[Route]:
    """The paths of one subresource; of a port's protocol the path may be silent."""
    action, summary, body = _SERVED[sub.rbac_resource]
    shapes = [sub.parameters[:1], sub.parameters] if len(sub.parameters) > 1 else [sub.parameters]
    return [
        Route(
            Subresource(sub.resource, sub.name, sub.method, sub.audience, sub.websocket, parameters),
            action,
            summary,
            body,
        )
        for parameters in shapes
    ]


def _refused(resource: str, name: str, method: Method, action: str, *, websocket: bool = False) -> Route:
    sub = Subresource(resource, name, method, websocket=websocket)
    return Route(sub, action, "Not available in this release")


def _cluster(name: str, action: str, summary: str) -> Route:
    return Route(Subresource("", name, "GET"), action, summary, namespaced=False, open=True)


_REFUSED = (
    *(_refused(VM, name, "PUT", "hotplug") for name in ("addvolume", "removevolume")),
    *(_refused(VM, name, "PUT", "hotplug") for name in ("memorydump", "removememorydump")),
    *(_refused(VMI, name, "PUT", "hotplug") for name in ("addvolume", "removevolume")),
    *(_refused(resource, "objectgraph", "GET", "object_graph") for resource in (VM, VMI)),
    *(_refused(resource, "evacuate/cancel", "PUT", "unbuilt") for resource in (VM, VMI)),
    *(_refused(VMI, name, "PUT", "unbuilt") for name in ("backup", "redefine-checkpoint")),
    *(_refused(VMI, f"sev/{name}", "GET", "sev") for name in ("fetchcertchain", "querylaunchmeasurement")),
    *(_refused(VMI, f"sev/{name}", "PUT", "sev") for name in ("setupsession", "injectlaunchsecret")),
    _refused(VMI, "usbredir", "GET", "usbredir", websocket=True),
    _refused(VMI, "vsock", "GET", "vsock", websocket=True),
)

ROUTES: tuple[Route, ...] = (
    *(route for sub in SUBRESOURCES for route in _routes_of(sub)),
    *_REFUSED,
    Route(
        Subresource("", "expand-vm-spec", "PUT"),
        "expand_given",
        "The machine that is sent, expanded",
        "VirtualMachine",
    ),
    _cluster("version", "version", "The version of virtdeck"),
    _cluster("guestfs", "guestfs", "The image for virtctl guestfs"),
    _cluster("healthz", "healthz", "Whether virt-api can do its work"),
    _cluster("start-cluster-profiler", "profiler", "Start the profilers"),
    _cluster("stop-cluster-profiler", "profiler", "Stop the profilers"),
    _cluster("dump-cluster-profiler", "profiler", "The profilers' results"),
)
"""KubeVirt's 47 routes of a version, and two of our own: ``sendkeys`` and ``sessions``."""
