"""Every route of the subresource API: ``crds.subresources`` says what is served, here stands who does it.

Routing, access reviews, discovery and documentation are read from ``ROUTES``; roles from the same table.
"""

from dataclasses import dataclass, replace

from virtdeck.crds.subresources import GROUP, SUBRESOURCES, Subresource

VM, VMI = "virtualmachines", "virtualmachineinstances"


@dataclass(frozen=True)
class Route:
    """One path.

    action: what carries it out. body: the type of what is sent. summary: one line for the documentation.
    open: answered without knowing who asks.
    """

    sub: Subresource
    action: str
    summary: str
    body: str = ""

    @property
    def open(self) -> bool:
        """Answered without knowing who asks: what belongs to the whole API."""
        return not self.sub.namespaced

    @property
    def namespaced(self) -> bool:
        return self.sub.namespaced

    @property
    def name(self) -> str:
        """``virtualmachines/start``, as discovery and RBAC spell it."""
        return self.sub.rbac_resource

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
_NOT_YET = "Not available in this release"
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
    f"{VM}/addvolume": ("hotplug", _NOT_YET, ""),
    f"{VM}/removevolume": ("hotplug", _NOT_YET, ""),
    f"{VM}/memorydump": ("hotplug", _NOT_YET, ""),
    f"{VM}/removememorydump": ("hotplug", _NOT_YET, ""),
    f"{VM}/evacuate/cancel": ("unbuilt", _NOT_YET, ""),
    f"{VM}/objectgraph": ("object_graph", _NOT_YET, ""),
    f"{VMI}/addvolume": ("hotplug", _NOT_YET, ""),
    f"{VMI}/removevolume": ("hotplug", _NOT_YET, ""),
    f"{VMI}/evacuate/cancel": ("unbuilt", _NOT_YET, ""),
    f"{VMI}/objectgraph": ("object_graph", _NOT_YET, ""),
    f"{VMI}/backup": ("unbuilt", _NOT_YET, ""),
    f"{VMI}/redefine-checkpoint": ("unbuilt", _NOT_YET, ""),
    f"{VMI}/sev/fetchcertchain": ("sev", _NOT_YET, ""),
    f"{VMI}/sev/querylaunchmeasurement": ("sev", _NOT_YET, ""),
    f"{VMI}/sev/setupsession": ("sev", _NOT_YET, ""),
    f"{VMI}/sev/injectlaunchsecret": ("sev", _NOT_YET, ""),
    f"{VMI}/usbredir": ("usbredir", _NOT_YET, ""),
    f"{VMI}/vsock": ("vsock", _NOT_YET, ""),
    "expand-vm-spec": ("expand_given", "The machine that is sent, expanded", "VirtualMachine"),
    "version": ("version", "The version of virtdeck", ""),
    "guestfs": ("guestfs", "The image for virtctl guestfs", ""),
    "healthz": ("healthz", "Whether virt-api can do its work", ""),
    "start-cluster-profiler": ("profiler", "Start the profilers", ""),
    "stop-cluster-profiler": ("profiler", "Stop the profilers", ""),
    "dump-cluster-profiler": ("profiler", "The profilers' results", ""),
}


def _routes_of(sub: Subresource) -> list[Route]:
    """The paths of one subresource; of a port's protocol the path may be silent."""
    action, summary, body = _SERVED[sub.rbac_resource]
    shapes = [sub.parameters[:1], sub.parameters] if len(sub.parameters) > 1 else [sub.parameters]
    return [Route(replace(sub, parameters=parameters), action, summary, body) for parameters in shapes]


ROUTES: tuple[Route, ...] = tuple(route for sub in SUBRESOURCES for route in _routes_of(sub))
