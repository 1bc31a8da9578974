"""Kubernetes' own kinds that virtdeck reads or writes."""

from typing import TYPE_CHECKING, Any

from virtdeck.crds.kinds.kind import Kind

if TYPE_CHECKING:
    from virtdeck.crds.core import config, node, pod, service, storage
    from virtdeck.crds.core import meta_only as plain
    from virtdeck.crds.core.access import SubjectAccessReview, TokenReview
    from virtdeck.crds.core.event import Event
    from virtdeck.crds.core.lease import Lease
    from virtdeck.crds.core.revision import ControllerRevision

POD: "Kind[pod.Pod]" = Kind(
    "", "v1", "pods", "Pod", "core.pod:Pod", short_names=("po",), subresources=("status",)
)
NODE: "Kind[node.Node]" = Kind(
    "",
    "v1",
    "nodes",
    "Node",
    "core.node:Node",
    namespaced=False,
    short_names=("no",),
    subresources=("status",),
)
NAMESPACE: "Kind[node.Namespace]" = Kind(
    "", "v1", "namespaces", "Namespace", "core.node:Namespace", namespaced=False, short_names=("ns",)
)
SECRET: "Kind[config.Secret]" = Kind("", "v1", "secrets", "Secret", "core.config:Secret")
CONFIG_MAP: "Kind[config.ConfigMap]" = Kind(
    "", "v1", "configmaps", "ConfigMap", "core.config:ConfigMap", short_names=("cm",)
)
EVENT: "Kind[Event]" = Kind("", "v1", "events", "Event", "core.event:Event", short_names=("ev",))
SERVICE: "Kind[service.Service]" = Kind(
    "", "v1", "services", "Service", "core.service:Service", short_names=("svc",)
)
SERVICE_ACCOUNT: "Kind[config.ServiceAccount]" = Kind(
    "", "v1", "serviceaccounts", "ServiceAccount", "core.config:ServiceAccount", short_names=("sa",)
)
CLAIM: "Kind[storage.PersistentVolumeClaim]" = Kind(
    "",
    "v1",
    "persistentvolumeclaims",
    "PersistentVolumeClaim",
    "core.storage:PersistentVolumeClaim",
    short_names=("pvc",),
)
CONTROLLER_REVISION: "Kind[ControllerRevision]" = Kind(
    "apps", "v1", "controllerrevisions", "ControllerRevision", "core.revision:ControllerRevision"
)
LEASE: "Kind[Lease]" = Kind("coordination.k8s.io", "v1", "leases", "Lease", "core.lease:Lease")
PRIORITY_CLASS: "Kind[plain.Plain]" = Kind(
    "scheduling.k8s.io",
    "v1",
    "priorityclasses",
    "PriorityClass",
    "core.meta_only:Plain",
    namespaced=False,
    short_names=("pc",),
)
SUBJECT_ACCESS_REVIEW: "Kind[SubjectAccessReview]" = Kind(
    "authorization.k8s.io",
    "v1",
    "subjectaccessreviews",
    "SubjectAccessReview",
    "core.access:SubjectAccessReview",
    namespaced=False,
)
TOKEN_REVIEW: "Kind[TokenReview]" = Kind(
    "authentication.k8s.io", "v1", "tokenreviews", "TokenReview", "core.access:TokenReview", namespaced=False
)


def _rbac(plural: str, kind: str, *, namespaced: bool) -> "Kind[plain.Plain]":
    return Kind(
        "rbac.authorization.k8s.io", "v1", plural, kind, "core.meta_only:Plain", namespaced=namespaced
    )


ROLE = _rbac("roles", "Role", namespaced=True)
ROLE_BINDING = _rbac("rolebindings", "RoleBinding", namespaced=True)
CLUSTER_ROLE = _rbac("clusterroles", "ClusterRole", namespaced=False)
CLUSTER_ROLE_BINDING = _rbac("clusterrolebindings", "ClusterRoleBinding", namespaced=False)
CRD: "Kind[plain.Plain]" = Kind(
    "apiextensions.k8s.io",
    "v1",
    "customresourcedefinitions",
    "CustomResourceDefinition",
    "core.meta_only:Plain",
    namespaced=False,
    short_names=("crd", "crds"),
    subresources=("status",),
)
API_SERVICE: "Kind[plain.Plain]" = Kind(
    "apiregistration.k8s.io",
    "v1",
    "apiservices",
    "APIService",
    "core.meta_only:Plain",
    namespaced=False,
    subresources=("status",),
)
MUTATING_WEBHOOKS: "Kind[plain.Plain]" = Kind(
    "admissionregistration.k8s.io",
    "v1",
    "mutatingwebhookconfigurations",
    "MutatingWebhookConfiguration",
    "core.meta_only:Plain",
    namespaced=False,
)
VALIDATING_WEBHOOKS: "Kind[plain.Plain]" = Kind(
    "admissionregistration.k8s.io",
    "v1",
    "validatingwebhookconfigurations",
    "ValidatingWebhookConfiguration",
    "core.meta_only:Plain",
    namespaced=False,
)
ADMISSION_POLICY: "Kind[plain.Plain]" = Kind(
    "admissionregistration.k8s.io",
    "v1",
    "validatingadmissionpolicies",
    "ValidatingAdmissionPolicy",
    "core.meta_only:Plain",
    namespaced=False,
    subresources=("status",),
)
ADMISSION_POLICY_BINDING: "Kind[plain.Plain]" = Kind(
    "admissionregistration.k8s.io",
    "v1",
    "validatingadmissionpolicybindings",
    "ValidatingAdmissionPolicyBinding",
    "core.meta_only:Plain",
    namespaced=False,
)

KINDS: tuple[Kind[Any], ...] = (
    POD,
    NODE,
    NAMESPACE,
    SECRET,
    CONFIG_MAP,
    EVENT,
    SERVICE,
    SERVICE_ACCOUNT,
    CLAIM,
    CONTROLLER_REVISION,
    LEASE,
    PRIORITY_CLASS,
    SUBJECT_ACCESS_REVIEW,
    TOKEN_REVIEW,
    ROLE,
    ROLE_BINDING,
    CLUSTER_ROLE,
    CLUSTER_ROLE_BINDING,
    CRD,
    API_SERVICE,
    MUTATING_WEBHOOKS,
    VALIDATING_WEBHOOKS,
    ADMISSION_POLICY,
    ADMISSION_POLICY_BINDING,
)
"""Every kind of this module."""
