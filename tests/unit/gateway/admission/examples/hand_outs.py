"""Examples for ``kinds.backup``, ``kinds.export`` and ``kinds.plugin``."""

from typing import Any

from tests.unit.gateway.admission.build import ALICE, CLUSTER, Plain
from tests.unit.gateway.admission.examples.example import Example, gates
from tests.unit.gateway.admission.examples.writes import made, write

from virtdeck.crds.backup.backup import VirtualMachineBackup
from virtdeck.crds.backup.tracker import VirtualMachineBackupTracker
from virtdeck.crds.export.export import VirtualMachineExport
from virtdeck.crds.plugin.plugin import Plugin
from virtdeck.gateway.admission import ClusterConfig
from virtdeck.gateway.admission.kinds.backup import NewBackup
from virtdeck.gateway.admission.kinds.plugin import PluginWrite
from virtdeck.gateway.admission.kinds.write import Write

_VM = {"apiGroup": "kubevirt.io", "kind": "VirtualMachine", "name": "a"}
_INCREMENTAL = gates("IncrementalBackup")


def _backup(cluster: ClusterConfig = _INCREMENTAL, **surroundings: Any) -> NewBackup:
    obj = made({"metadata": {"name": "b"}, "spec": {"source": _VM, "pvcName": "p"}}, VirtualMachineBackup)
    return NewBackup(obj, None, ALICE, cluster, **surroundings)


def _tracker(cluster: ClusterConfig) -> Write[VirtualMachineBackupTracker]:
    return write(
        made({"metadata": {"name": "t"}, "spec": {"source": _VM}}, VirtualMachineBackupTracker),
        cluster=cluster,
    )


def _export(
    kind: str, group: str | None, name: str = "a", cluster: ClusterConfig = CLUSTER
) -> Write[VirtualMachineExport]:
    source = {"kind": kind, "name": name} | ({} if group is None else {"apiGroup": group})
    return write(
        made({"metadata": {"name": "e"}, "spec": {"source": source}}, VirtualMachineExport), cluster=cluster
    )


def _changed(spec: Plain) -> Write[VirtualMachineExport]:
    base: Plain = {"metadata": {"name": "e"}, "spec": {"source": _VM}}
    return write(made(base, VirtualMachineExport, {"spec": spec}), made(base, VirtualMachineExport))


_DEPLOYED = ClusterConfig(template_deployment=True)
_GROUPS = {
    "PersistentVolumeClaim": None,
    "VirtualMachineSnapshot": "snapshot.kubevirt.io",
    "VirtualMachine": "kubevirt.io",
    "VirtualMachineBackup": "backup.kubevirt.io",
    "VirtualMachineTemplate": "template.kubevirt.io",
}


def _plugin(spec: Plain | None = None, cluster: ClusterConfig | None = None) -> PluginWrite:
    obj = made({"metadata": {"name": "p"}, "spec": {}}, Plugin, {"spec": spec or {}})
    return PluginWrite(obj, None, ALICE, cluster or gates("Plugins"))


def _node_hook(condition: str) -> PluginWrite:
    hook = {"socket": "/run/p.sock", "permittedHooks": ["PreVMStart"], "condition": condition}
    return _plugin({"nodeHooks": [hook]})


EXAMPLES: dict[str, Example] = {
    "V389": Example(_backup(CLUSTER), _backup()),
    "V390": Example(_backup(names=frozenset({"b"})), _backup(names=frozenset({"c"}))),
    "V391": Example(_backup(under_way=("other",)), _backup()),
    "V392": Example(_tracker(CLUSTER), _tracker(_INCREMENTAL)),
    "V393": Example(_export("Pod", None), _export("PersistentVolumeClaim", None)),
    "source_of_an_export_has_a_kind": Example(_export("", None), _export("VirtualMachine", "kubevirt.io")),
    **{
        f"V{394 + number}": Example(
            _export(kind, group, "", _DEPLOYED), _export(kind, group, "a", _DEPLOYED), "spec.source.name"
        )
        for number, (kind, group) in enumerate(_GROUPS.items())
    },
    **{
        f"V{399 + number}": Example(
            _export(kind, "apps", "a", _DEPLOYED),
            _export(kind, group, "a", _DEPLOYED),
            "spec.source.apiGroup",
        )
        for number, (kind, group) in enumerate(_GROUPS.items())
    },
    "V404": Example(
        _export("VirtualMachineTemplate", "template.kubevirt.io"),
        _export("VirtualMachineTemplate", "template.kubevirt.io", cluster=_DEPLOYED),
    ),
    "V405": Example(_changed({"ttlDuration": "1h"}), _changed({})),
    "V411": Example(_plugin(cluster=CLUSTER), _plugin()),
    "V412": Example(_plugin({"condition": "vmi.name =="}), _plugin({"condition": "vmi.name == 'a'"})),
    "V414": Example(
        _plugin({"domainHooks": [{"cel": {"expression": "a =="}}]}),
        _plugin({"domainHooks": [{"cel": {"expression": "a == b"}}]}),
        "spec.domainHooks[0].cel.expression",
    ),
    "V415": Example(
        _plugin({"domainHooks": [{"condition": "a =="}]}), _plugin({"domainHooks": [{"condition": ""}]})
    ),
    "V416": Example(_node_hook("a =="), _node_hook("a == b"), "spec.nodeHooks[0].condition"),
    "V417": Example(
        _plugin({"domainHooks": [{"sidecar": {"socketPath": "/run/../etc/x"}}]}),
        _plugin({"domainHooks": [{"sidecar": {"socketPath": "/run/x.sock"}}]}),
    ),
}
