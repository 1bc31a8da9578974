"""Examples for the rules of devices, devices of the host and resource claims."""

from typing import Any

from tests.unit.gateway.admission.build import Plain, devices, root_disk, root_volume
from tests.unit.gateway.admission.examples.example import Example, gates, subject, without

from virtdeck.gateway.admission import ClusterConfig

_CLAIM = {"volumes": [{"name": "root", "persistentVolumeClaim": {"claimName": "c"}}]}
_RAMFB = {"virtualGPUOptions": {"display": {"ramFB": {"enabled": True}}}}
_NO_RAMFB = {"virtualGPUOptions": {"display": {"ramFB": {"enabled": False}}}}
_HOST = gates("HostDevices")
_GRACE = ("GraceIOVirtualization", "PCINUMAAwareTopology", "IOMMUFD", "HostDevices")
_ARM: Plain = {"architecture": "arm64", "domain": {"cpu": {"dedicatedCpuPlacement": True}}}
_ON_TOP = {"kubevirt.io/placePCIDevicesOnRootComplex": "true"}
_NO_HOLE = {"kubevirt.io/disablePCIHole64": "true"}


def _gpus(*gpus: Plain) -> Plain:
    return devices(gpus=[{"name": f"g{index}", **gpu} for index, gpu in enumerate(gpus)])


def _hosts(*hosts: Plain) -> Plain:
    return devices(hostDevices=[{"name": f"h{index}", **host} for index, host in enumerate(hosts)])


def _claims(*claims: Plain) -> Plain:
    return {"resourceClaims": [{"name": "c", "resourceClaimName": "mine", **claim} for claim in claims]}


def _request(request: str = "r", claim: str = "c") -> Plain:
    return {"claimName": claim, "requestName": request}


def _permits(selector: str, *names: str) -> ClusterConfig:
    return gates(*names, permitted_pci={"example.com/gpu": selector})


def _grace(*changes: Plain, missing: str = "", selector: str = "10DE:2342", **options: Any) -> Any:
    """A guest with a GPU of a Grace machine that every rule lets through, with changes."""
    open_gates = [name for name in _GRACE if name != missing]
    gpu = _gpus({"deviceName": "example.com/gpu"})
    return subject(_ARM, gpu, *changes, cluster=_permits(selector, *open_gates), **options)


_DEVICES = {
    "V102": Example(
        subject(devices(inputs=[{"name": "i", "type": "tablet", "bus": "ps2"}])),
        subject(devices(inputs=[{"name": "i", "type": "tablet", "bus": "virtio"}])),
    ),
    "V103": Example(
        subject(devices(inputs=[{"name": "i", "type": "mouse"}])),
        subject(devices(inputs=[{"name": "i", "type": "tablet"}])),
        "spec.domain.devices.inputs[0].type",
    ),
    "V104": Example(
        subject({"domain": {"ioThreadsPolicy": "many"}}), subject({"domain": {"ioThreadsPolicy": "auto"}})
    ),
    "V105": Example(
        subject({"domain": {"ioThreadsPolicy": "supplementalPool"}}),
        subject(
            {
                "domain": {
                    "ioThreadsPolicy": "supplementalPool",
                    "ioThreads": {"supplementalPoolThreadCount": 2},
                }
            }
        ),
    ),
    "V106": Example(
        (
            subject(_gpus({"deviceName": "a", **_RAMFB}, {"deviceName": "b", **_RAMFB})),
            subject(
                _gpus(
                    {"deviceName": "a", "virtualGPUOptions": {"display": {}}}, {"deviceName": "b", **_RAMFB}
                )
            ),
        ),
        subject(_gpus({"deviceName": "a", **_RAMFB}, {"deviceName": "b", **_NO_RAMFB})),
        "spec.domain.devices.gpus[1].virtualGPUOptions.display.ramFB",
    ),
    "V107": Example(
        subject(_hosts({"deviceName": "a"})), subject(_hosts({"deviceName": "a"}), cluster=_HOST)
    ),
    "V108": Example(
        subject(devices(sound={"name": "s", "model": "sb16"})),
        subject(devices(sound={"name": "s", "model": "ac97"})),
    ),
    "V109": Example(subject(devices(sound={"name": ""})), subject(devices(sound={"name": "s"}))),
    "V110": Example(
        subject(devices(autoattachVSOCK=True)),
        (
            subject(devices(autoattachVSOCK=False)),
            subject(devices(autoattachVSOCK=True), cluster=gates("VSOCK")),
        ),
    ),
    "V111": Example(
        subject(root_disk(disk=None, lun={"bus": "scsi", "reservation": True}), _CLAIM),
        subject(
            root_disk(disk=None, lun={"bus": "scsi", "reservation": True}),
            _CLAIM,
            cluster=ClusterConfig(persistent_reservation=True),
        ),
        "spec.domain.devices.disks[0].lun.reservation",
    ),
    "V112": Example(
        subject(devices(downwardMetrics={})),
        subject(devices(downwardMetrics={}), cluster=gates("DownwardMetrics")),
    ),
    "V113": Example(
        subject(devices(disks=[], filesystems=[{"name": "root", "virtiofs": {}}]), _CLAIM),
        subject(
            devices(disks=[], filesystems=[{"name": "root", "virtiofs": {}}]),
            root_volume(configMap={"name": "c"}),
        ),
        "spec.domain.devices.filesystems[0].virtiofs",
    ),
    "V114": Example(
        subject(devices(video={"type": "vga"}, autoattachGraphicsDevice=False)),
        subject(devices(video={"type": "vga"}, autoattachGraphicsDevice=True)),
    ),
    "V115": Example(
        subject({"architecture": "s390x"}, devices(panicDevices=[{"model": "pvpanic"}])),
        subject(devices(panicDevices=[{"model": "pvpanic"}])),
        "spec.domain.devices.panicDevices[0]",
    ),
    "V116": Example(
        subject(devices(panicDevices=[{"model": "loud"}])), subject(devices(panicDevices=[{"model": "isa"}]))
    ),
}
_GRACE_RULES = {
    "V117": Example(_grace(selector="10de:*"), _grace(selector="8086:*")),
    "V118": Example(
        subject(_ARM, _gpus({"deviceName": "example.com/gpu"}), cluster=_permits("10DE:2348")),
        subject(_ARM, _gpus({"deviceName": "example.com/gpu"}), cluster=_permits("10DE:1EB8")),
        "spec.domain.devices.gpus[0].deviceName",
    ),
    "V119": Example(
        _grace({"architecture": "amd64", "domain": {"machine": {"type": "virt"}}}),
        _grace(),
        beside=("V58",),
    ),
    "V120": Example(_grace({"domain": {"machine": {"type": "virt-9.2"}}}), _grace()),
    "V121": Example(_grace({"domain": {"cpu": {"dedicatedCpuPlacement": False}}}), _grace()),
    "V122": Example(_grace(missing="PCINUMAAwareTopology"), _grace()),
    "V123": Example(_grace(missing="IOMMUFD"), _grace()),
    "V124": Example(
        _grace(annotations=_ON_TOP),
        subject(annotations=_ON_TOP),
        f"metadata.annotations[{next(iter(_ON_TOP))}]",
    ),
    "V125": Example(_grace(annotations=_NO_HOLE), subject(annotations=_NO_HOLE)),
}
_CLAIMS = {
    "V237": Example(subject(_claims({"name": ""})), subject(_claims({}))),
    "V238": Example(subject(_claims({}, {})), subject(_claims({}, {"name": "d"}))),
    "V239": Example(subject(_claims({"name": "A b"})), subject(_claims({"name": "a-b"}))),
    "V240": Example(subject(_claims({"resourceClaimName": None})), subject(_claims({}))),
    "V241": Example(
        subject(_claims({"resourceClaimTemplateName": "t"})),
        subject(_claims({"resourceClaimName": None, "resourceClaimTemplateName": "t"})),
    ),
    "V242": Example(subject(_claims({"resourceClaimName": "../x"})), subject(_claims({}))),
    "V243": Example(
        subject(_claims({"resourceClaimName": None, "resourceClaimTemplateName": "A"})),
        subject(_claims({"resourceClaimName": None, "resourceClaimTemplateName": "a"})),
    ),
    "V244": Example(
        (subject(_gpus({})), subject(_claims({}), _hosts({"deviceName": "a", **_request()}), cluster=_HOST)),
        subject(_gpus({"deviceName": "a"})),
        "spec.domain.devices.gpus[0]",
    ),
    "V245": Example(
        subject(_claims({}), _gpus({"deviceName": "a"}, _request())),
        subject(_claims({}), _gpus(_request("a"), _request("b"))),
    ),
    "V246a": Example(
        subject(_claims({}), _gpus(_request()), cluster=without("GPUsWithDRA")),
        subject(_claims({}), _gpus(_request())),
    ),
    "V246b": Example(
        subject(
            _claims({}),
            _hosts(_request()),
            cluster=ClusterConfig(
                enabled_gates=frozenset({"HostDevices"}), disabled_gates=frozenset({"HostDevicesWithDRA"})
            ),
        ),
        subject(_claims({}), _hosts(_request()), cluster=_HOST),
    ),
    "V247": Example(subject(_gpus({"requestName": "r"})), subject(_claims({}), _gpus(_request()))),
    "V248": Example(
        subject(_claims({}), _gpus({"claimName": "c"})),
        subject(_claims({}), _gpus(_request())),
        "spec.domain.devices.gpus[0].requestName",
    ),
    "V249": Example(
        subject(_claims({}), _gpus(_request(), _request())),
        subject(_claims({}), _gpus(_request(), _request("s"))),
    ),
    "V250": Example(
        subject(_claims({}), _gpus(_request()), _hosts(_request()), cluster=_HOST),
        subject(_claims({}), _gpus(_request()), _hosts(_request("s")), cluster=_HOST),
    ),
    "V251": Example(subject(_gpus(_request())), subject(_claims({}), _gpus(_request()))),
}
EXAMPLES: dict[str, Example] = {**_DEVICES, **_GRACE_RULES, **_CLAIMS}
