"""What virt-api adds to objects before they are stored, and what it refuses: pure functions from objects to
objects and verdicts. HTTP, AdmissionReview and JSON patches are not here.

``defaults`` completes, ``rules`` refuses (one short function a rule, in modules by area), ``not_yet`` names
the parts of KubeVirt's API that this release cannot run. Tests name the rules by id (D4, V95).
"""

from virtdeck.gateway.admission.cluster import ClusterConfig, cluster_config
from virtdeck.gateway.admission.defaults import Fresh, fresh, mutate_vm, mutate_vmi
from virtdeck.gateway.admission.kinds.launcher_pod import validate_launcher_pod
from virtdeck.gateway.admission.validate import validate_vm, validate_vm_delete, validate_vm_status
from virtdeck.gateway.admission.validate_vmi import validate_vmi_create, validate_vmi_update
from virtdeck.gateway.admission.verdict import Verdict

__all__ = [
    "ClusterConfig",
    "Fresh",
    "Verdict",
    "cluster_config",
    "fresh",
    "mutate_vm",
    "mutate_vmi",
    "validate_launcher_pod",
    "validate_vm",
    "validate_vm_delete",
    "validate_vm_status",
    "validate_vmi_create",
    "validate_vmi_update",
]
