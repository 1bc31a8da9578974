"""What a VirtualMachineInstance gets when it is stored (D9–D39)."""

from virtdeck.crds.plain import Plain, part
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.copying import copied
from virtdeck.gateway.admission.decoding import decodes_as_vmi
from virtdeck.gateway.admission.default import Defaults
from virtdeck.gateway.admission.defaults import compute, disks, features, machine, status
from virtdeck.gateway.admission.defaults.draft import ChangedInstance, Draft, NewInstance
from virtdeck.gateway.admission.defaults.fresh import Fresh
from virtdeck.gateway.auth.user import User

SPEC: Defaults[Draft] = Defaults("VMI", machine.DEFAULTS, compute.DEFAULTS, disks.DEFAULTS, features.DEFAULTS)
_NOBODY = Fresh("", lambda: "")


def mutate_vmi(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig, fresh: Fresh) -> Plain:
    """The object as it is to be stored. What cannot be read is left to the API server to refuse."""
    if old is not None:
        changed = dict(obj)
        status.CHANGED.fill(ChangedInstance(changed, old, user, cluster))
        return changed
    if not decodes_as_vmi(obj):
        return obj
    vmi = copied(obj)
    metadata = part(vmi, "metadata")
    fill_vmi_spec(metadata, vmi["spec"], cluster, fresh)
    if not cluster.is_component(user):
        vmi["status"] = {}
    status.DEFAULTS.fill(NewInstance(metadata, vmi["spec"], cluster, fresh, part(vmi, "status")))
    return vmi


def fill_vmi_spec(metadata: Plain, spec: Plain, cluster: ClusterConfig, fresh: Fresh) -> None:
    """The spec is complete: whoever renders a pod or a domain from it needs no defaults of their own."""
    SPEC.fill(Draft(metadata, spec, cluster, fresh))


def complete_template(template: Plain, cluster: ClusterConfig) -> None:
    """The template is as complete as the VMI's spec will be; who its guest is, is not decided by looking."""
    spec = part(template, "spec")
    part(part(spec, "domain"), "devices")
    fill_vmi_spec(part(template, "metadata"), spec, cluster, _NOBODY)
    if not spec["domain"]["firmware"]["uuid"]:
        del spec["domain"]["firmware"]["uuid"]
