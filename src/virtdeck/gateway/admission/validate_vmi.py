"""The verdict on VirtualMachineInstances."""

from virtdeck.crds.plain import Plain
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.decoding import vmi_or_causes
from virtdeck.gateway.admission.examining import examine
from virtdeck.gateway.admission.instance import Change
from virtdeck.gateway.admission.rules import VMI_CHANGE_RULES, metadata
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User


def validate_vmi_create(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """All rules; ``old`` is None and there for symmetry."""
    found = vmi_or_causes(obj)
    if isinstance(found, tuple):
        return Verdict(found)
    told = examine(Subject(found.spec, found.metadata, cluster, user), obj["spec"], obj["spec"])
    return Verdict((*metadata.NAMES.ask(found.metadata), *told.causes), told.warnings)


def validate_vmi_update(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """Who may change what; the spec was checked when it came in and cannot be changed by users."""
    found, before = vmi_or_causes(obj), vmi_or_causes(old or obj)
    if isinstance(found, tuple):
        return Verdict(found)
    if isinstance(before, tuple):
        # What an older release stored may not be readable; then only the components may touch it.
        return Verdict() if cluster.is_component(user) else Verdict(before)
    causes = tuple(VMI_CHANGE_RULES.ask(Change(found, before, user, cluster)))
    return Verdict(causes, forbidden=bool(causes))
