"""VirtualMachineExport: what can be handed out."""

from collections.abc import Iterator

from virtdeck.crds.export.export import VirtualMachineExport as Export
from virtdeck.crds.plain import Plain
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.kinds.write import Write, examined, judged
from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.stored_only import stored_only
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User

_TEMPLATE = "VirtualMachineTemplate"
_GROUPS = {
    "PersistentVolumeClaim": "",
    "VirtualMachineSnapshot": "snapshot.kubevirt.io",
    "VirtualMachine": "kubevirt.io",
    "VirtualMachineBackup": "backup.kubevirt.io",
    _TEMPLATE: "template.kubevirt.io",
}

CREATE: Rules[Write[Export]] = Rules("Export, new")
UPDATE: Rules[Write[Export]] = Rules("Export, changed")


@CREATE.choice("V393", "spec.source.kind", *_GROUPS)
def source_can_be_handed_out(export: Write[Export]) -> Iterator[Place]:
    """It is another kind."""
    yield at(value=export.obj.spec.source.kind)


@CREATE.rule("", "spec.source.kind", REQUIRED, f"must be one of {', '.join(_GROUPS)}")
def source_of_an_export_has_a_kind(export: Write[Export]) -> Iterator[Place]:
    """It is empty."""
    if not export.obj.spec.source.kind:
        yield at()


@CREATE.rule("V394 V395 V396 V397 V398", "spec.source.name", REQUIRED, "must name a {kind} of this namespace")
def source_of_an_export_has_a_name(export: Write[Export]) -> Iterator[Place]:
    """It is empty."""
    source = export.obj.spec.source
    if source.kind in _GROUPS and not source.name:
        yield at(kind=source.kind)


@CREATE.rule("V399 V400 V401 V402 V403", "spec.source.apiGroup", INVALID, "must be {group} for a {kind}")
def source_is_of_its_group(export: Write[Export]) -> Iterator[Place]:
    """It is not the group of the source's kind."""
    source = export.obj.spec.source
    group = _GROUPS.get(source.kind)
    if group is not None and (source.api_group or "") != group:
        yield at(group=group or "absent", kind=source.kind)


@CREATE.rule(
    "V404",
    "spec.source.kind",
    FORBIDDEN,
    "needs the feature gate Template and virtTemplateDeployment in spec.configuration of the KubeVirt object",
)
def templates_need_their_gate(export: Write[Export]) -> Iterator[Place]:
    """A template is handed out while the gate is off or templates are not deployed."""
    served = export.gate("Template") and export.cluster.template_deployment
    if export.obj.spec.source.kind == _TEMPLATE and not served:
        yield at()


@UPDATE.rule("V405", "spec", FORBIDDEN, "cannot be changed; make another export")
def spec_stays(export: Write[Export]) -> Iterator[Place]:
    """It is another than it was."""
    if export.old is not None and export.obj.spec != export.old.spec:
        yield at()


def validate_export(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """An export, new or changed."""

    def verdict(now: Export, before: Export | None) -> Verdict:
        write = Write(now, before, user, cluster)
        if old is not None:
            return judged(UPDATE, write)
        return judged(CREATE, write, stored=stored_only("virtualmachineexports.export.kubevirt.io"))

    return examined(obj, old, Export, verdict)
