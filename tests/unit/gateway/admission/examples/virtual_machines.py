"""Examples for the rules of VirtualMachines beside their template."""

from typing import Any

from tests.unit.gateway.admission.build import ALICE, CLUSTER, Plain, root_volume, vm, vmi
from tests.unit.gateway.admission.examples.example import Example, without

from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.admission import ClusterConfig
from virtdeck.gateway.admission.machine import Machine

_SNAPSHOT, _RESTORE = {"snapshotInProgress": "s"}, {"restoreInProgress": "r"}
_CLAIM = {"persistentVolumeClaim": {"claimName": "c"}}
_PROTECTED = "kubevirt.io/vm-delete-protection"


def machine(
    obj: Plain, old: Plain | None = None, cluster: ClusterConfig = CLUSTER, running: Plain | None = None
) -> Machine:
    """The subject of a VM's rules."""
    return Machine(
        decode(obj, VirtualMachine),
        decode(old, VirtualMachine) if old else None,
        cluster,
        ALICE,
        decode(running, VirtualMachineInstance) if running else None,
    )


def _while(status: Plain, **changes: Any) -> Machine:
    return machine(vm(changes), vm() | {"status": status})


def _disk(name: str = "dv", namespace: str | None = None, **spec: Any) -> Machine:
    template = {"metadata": {"name": name}, "spec": {"storage": {}, "source": {"blank": {}}, **spec}}
    if namespace:
        template["metadata"]["namespace"] = namespace
    return machine(vm({"dataVolumeTemplates": [template]}, root_volume(dataVolume={"name": "dv"})))


def _requests(*requests: Plain, running: Plain | None = None) -> Machine:
    return machine(vm() | {"status": {"volumeRequests": list(requests)}}, running=running)


def _add(name: str = "b", source: Plain | None = None, **disk: Any) -> Plain:
    wanted = {"name": name, **(disk or {"disk": {"bus": "scsi"}})}
    return {"addVolumeOptions": {"name": name, "disk": wanted, "volumeSource": source or _CLAIM}}


def _remove(name: str) -> Plain:
    return {"removeVolumeOptions": {"name": name}}


def _labelled(value: str) -> Machine:
    obj = vm()
    obj["metadata"]["labels"] = {_PROTECTED: value}
    return machine(obj)


_TEMPLATE = "spec.dataVolumeTemplates[0]"
_OTHER = {"persistentVolumeClaim": {"claimName": "other"}}
_RUNNING = vmi({"volumes": [{"name": "b", **_OTHER}]})
_MOVING = {"migrationState": {"targetNode": "n"}}
_POWER = {
    "V253": Example(machine(vm({"running": True})), machine(vm({"running": True, "runStrategy": None}))),
    "V254": Example(machine(vm({"runStrategy": None})), machine(vm({"runStrategy": "Once"}))),
    "V255": Example(
        machine(vm({"runStrategy": "Sometimes"})), machine(vm({"runStrategy": "RerunOnFailure"}))
    ),
    "V256": Example(
        machine(vm({"runStrategy": "WaitAsReceiver"}), cluster=without("DecentralizedLiveMigration")),
        machine(vm({"runStrategy": "WaitAsReceiver"})),
    ),
    "volume_strategy_is_known": Example(
        machine(vm({"updateVolumesStrategy": "Hope"})), machine(vm({"updateVolumesStrategy": "Migration"}))
    ),
    "V282": Example(
        _while(_SNAPSHOT, template={"spec": root_volume(emptyDisk={"capacity": "1Gi"})}),
        _while(_SNAPSHOT, template={"metadata": {"labels": {"a": "b"}}}),
    ),
    "V283": Example(_while(_SNAPSHOT, runStrategy="Halted"), _while(_SNAPSHOT)),
    "V284": Example(
        _while(_RESTORE, template={"metadata": {"labels": {"a": "b"}}}),
        (_while(_RESTORE, runStrategy="Halted"), _while(_RESTORE)),
        "spec.runStrategy",
    ),
    "running_is_deprecated": Example(machine(vm({"running": False})), machine(vm())),
    "protected_machine_stays": Example(
        (_labelled("True"), _labelled("true")),
        (_labelled("False"), machine(vm())),
        f"metadata.labels[{_PROTECTED}]",
    ),
}
_DISKS = {
    "V260": Example((_disk(name=""), _disk(name="Not A Name")), _disk(), beside=("V267",)),
    "disk_template_names_are_unique": Example(
        machine(
            vm(
                {
                    "dataVolumeTemplates": [
                        {"metadata": {"name": "dv"}, "spec": {"pvc": {}, "source": {"blank": {}}}}
                    ]
                    * 2
                },
                root_volume(dataVolume={"name": "dv"}),
            )
        ),
        _disk(),
        "spec.dataVolumeTemplates[1].metadata.name",
    ),
    "V261": Example(_disk(storage=None), _disk()),
    "V262": Example(_disk(pvc={}), _disk(pvc={}, storage=None), f"{_TEMPLATE}.spec"),
    "V263": Example(
        (
            _disk(storage=None, pvc={"dataSource": {"kind": "a", "name": "b"}}),
            _disk(storage={"dataSourceRef": {"kind": "a", "name": "b"}}),
        ),
        _disk(source=None, storage={"dataSource": {"kind": "a", "name": "b"}}),
        f"{_TEMPLATE}.spec.source",
    ),
    "V264": Example(_disk(source=None), _disk(source=None, sourceRef={"kind": "DataSource", "name": "a"})),
    "V265": Example(
        _disk(source=None, sourceRef={"kind": "File", "name": "a"}),
        _disk(source=None, sourceRef={"kind": "DataSource", "name": "a"}),
    ),
    "V266": Example(
        (_disk(source={}), _disk(source={"blank": {}, "http": {"url": "u"}})),
        _disk(source={"http": {"url": "u"}}),
    ),
    "V267": Example(_disk(name="unused"), _disk()),
    "V268": Example(_disk(namespace="elsewhere"), _disk(namespace="default")),
}
_REQUESTS = {
    "V269": Example(_requests({}), _requests(_remove("a")), "status.volumeRequests[0]"),
    "V270": Example(_requests(_add() | _remove("a")), _requests(_add(), _remove("a"))),
    "V271": Example(_requests(_add(), _add()), _requests(_add(), _add("c"))),
    "V272": Example(_requests(_remove("a"), _remove("a")), _requests(_remove("a"), _remove("b"))),
    "V273": Example(_requests(_add("root")), _requests(_add("other"))),
    "V274": Example(_requests(_add(), running=_RUNNING), _requests(_add(source=_OTHER), running=_RUNNING)),
    "V275": Example(
        _requests(_add(), running=vmi() | {"status": _MOVING}),
        _requests(_add(), running=vmi() | {"status": {"migrationState": {"completed": True}}}),
        "status.volumeRequests",
    ),
    "V276": Example(
        _requests({"addVolumeOptions": {"name": "b", "disk": {"name": "b"}, "volumeSource": _CLAIM}}),
        _requests(_add()),
    ),
    "V277": Example(_requests(_add(disk={"bus": "sata"})), _requests(_add(disk={"bus": "virtio"}))),
    "V278": Example(_requests(_add(lun={"bus": "virtio"})), _requests(_add(lun={"bus": "scsi"}))),
    "V279": Example(_requests(_add(cdrom={"bus": "sata"})), _requests(_add(lun={"bus": "scsi"}))),
    "V280": Example(
        _requests(_add(disk={"bus": "scsi"}, dedicatedIOThread=True)),
        _requests(_add(disk={"bus": "virtio"}, dedicatedIOThread=True)),
    ),
    "V281": Example(
        _requests(_add(disk={"bus": "scsi"}, bootOrder=0)), _requests(_add(disk={"bus": "scsi"}, bootOrder=1))
    ),
}
EXAMPLES: dict[str, Example] = {**_POWER, **_DISKS, **_REQUESTS}
