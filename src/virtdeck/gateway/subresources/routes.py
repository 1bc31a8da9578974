"""Every route of the subresource API: ``crds.subresources`` says what is served, here stands who does it.

Routing, access reviews, discovery and documentation are read from ``ROUTES``; roles from the same table.
"""

from dataclasses import dataclass, replace

from virtdeck.crds.subresources import GROUP, SUBRESOURCES, Subresource

VM, VMI = "virtualmachines", "virtualmachineinstances"


@dataclass(frozen=True)
class Service:
    """What a subresource does.

    action: what carries it out. summary: one line for the documentation. body, answer: types of what is sent
    and of what comes back, empty for nothing. code: of a success.
    """

    action: str
    summary: str
    body: str = ""
    answer: str = ""
    code: int = 200


@dataclass(frozen=True)
class Route:
    """One path, and what is done there."""

    sub: Subresource
    service: Service

    @property
    def action(self) -> str:
        return self.service.action

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


def _accepted(action: str, summary: str, body: str = "") -> Service:
    return Service(action, summary, body, code=202)


def _stream(action: str, summary: str) -> Service:
    return Service(action, summary, code=101)


def _refused(action: str, body: str = "", answer: str = "", code: int = 200) -> Service:
    """Its types are documented, so that clients are ready for the release that serves it."""
    return Service(action, "Not available in this release", body, answer, code)


_STAY = "Let a guest stay on the node that it was to leave"
_PORT = "A connection to a port of the guest"
_GRAPH = ("object_graph", "ObjectGraphOptions", "ObjectGraphNode")
_DUMP = "VirtualMachineMemoryDumpRequest"
_SERVED: dict[str, Service] = {
    f"{VM}/start": _accepted("start", "Start the virtual machine", "StartOptions"),
    f"{VM}/stop": _accepted("stop", "Stop the virtual machine", "StopOptions"),
    f"{VM}/restart": _accepted("restart", "Stop and start the virtual machine", "RestartOptions"),
    f"{VM}/migrate": _accepted("migrate", "Move the guest to another node while it runs", "MigrateOptions"),
    f"{VM}/expand-spec": Service(
        "expand_spec", "The virtual machine, instance type and preference applied", answer="VirtualMachine"
    ),
    f"{VM}/portforward": _stream("forward_vm", _PORT),
    f"{VM}/addvolume": _refused("hotplug", "AddVolumeOptions", code=202),
    f"{VM}/removevolume": _refused("hotplug", "RemoveVolumeOptions", code=202),
    f"{VM}/memorydump": _refused("hotplug", _DUMP, code=202),
    f"{VM}/removememorydump": _refused("hotplug", code=202),
    f"{VM}/evacuate/cancel": Service("cancel_evacuation", _STAY, "EvacuateCancelOptions"),
    f"{VM}/objectgraph": _refused(*_GRAPH),
    f"{VMI}/pause": Service("pause", "Stop the guest's processors", "PauseOptions"),
    f"{VMI}/unpause": Service("unpause", "Let the guest's processors go on", "UnpauseOptions"),
    f"{VMI}/freeze": Service("freeze", "Make the guest's file systems quiescent", "FreezeUnfreezeTimeout"),
    f"{VMI}/unfreeze": Service("unfreeze", "End a freeze"),
    f"{VMI}/reset": Service("reset", "Press the guest's reset button"),
    f"{VMI}/softreboot": Service("softreboot", "Ask the guest to reboot"),
    f"{VMI}/sendkeys": Service("sendkeys", "Press keys in the guest", "SendKeysOptions"),
    f"{VMI}/console": _stream("console", "The serial console"),
    f"{VMI}/vnc": _stream("vnc", "The screen, as VNC"),
    f"{VMI}/vnc/screenshot": Service("screenshot", "The screen as a PNG picture", answer="image/png"),
    f"{VMI}/sessions": Service(
        "sessions", "Who has the screen or the serial console open", answer="SessionList"
    ),
    f"{VMI}/portforward": _stream("forward_vmi", _PORT),
    f"{VMI}/guestosinfo": Service(
        "guest_report", "What the guest agent says", answer="VirtualMachineInstanceGuestAgentInfo"
    ),
    f"{VMI}/userlist": Service(
        "guest_report", "Who is logged in to the guest", answer="VirtualMachineInstanceGuestOSUserList"
    ),
    f"{VMI}/filesystemlist": Service(
        "guest_report", "The guest's file systems", answer="VirtualMachineInstanceFileSystemList"
    ),
    f"{VMI}/addvolume": _refused("hotplug", "AddVolumeOptions", code=202),
    f"{VMI}/removevolume": _refused("hotplug", "RemoveVolumeOptions", code=202),
    f"{VMI}/evacuate/cancel": Service("cancel_evacuation", _STAY, "EvacuateCancelOptions"),
    f"{VMI}/objectgraph": _refused(*_GRAPH),
    f"{VMI}/backup": _refused("backup", "BackupOptions"),
    f"{VMI}/redefine-checkpoint": _refused("backup", "BackupCheckpoint"),
    f"{VMI}/sev/fetchcertchain": _refused("sev", answer="SEVPlatformInfo"),
    f"{VMI}/sev/querylaunchmeasurement": _refused("sev", answer="SEVMeasurementInfo"),
    f"{VMI}/sev/setupsession": _refused("sev", "SEVSessionOptions", code=202),
    f"{VMI}/sev/injectlaunchsecret": _refused("sev", "SEVSecretOptions"),
    f"{VMI}/usbredir": _refused("usbredir", code=101),
    f"{VMI}/vsock": _refused("vsock", code=101),
    "expand-vm-spec": Service(
        "expand_given", "The machine that is sent, expanded", "VirtualMachine", "VirtualMachine"
    ),
    "version": Service("version", "The version of virtdeck", answer="VersionInfo"),
    "guestfs": Service("guestfs", "The image for virtctl guestfs", answer="GuestfsInfo"),
    "healthz": Service("healthz", "Whether virt-api can do its work", answer="HealthReport"),
    "start-cluster-profiler": _refused("profiler"),
    "stop-cluster-profiler": _refused("profiler"),
    "dump-cluster-profiler": _refused("profiler"),
}


def _routes_of(sub: Subresource) -> list[Route]:
    """The paths of one subresource; of a port's protocol the path may be silent."""
    shapes = [sub.parameters[:1], sub.parameters] if len(sub.parameters) > 1 else [sub.parameters]
    return [Route(replace(sub, parameters=parameters), _SERVED[sub.rbac_resource]) for parameters in shapes]


ROUTES: tuple[Route, ...] = tuple(route for sub in SUBRESOURCES for route in _routes_of(sub))
