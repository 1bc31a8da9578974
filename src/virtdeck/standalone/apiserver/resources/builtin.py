"""The kinds that are there without a CRD."""

from virtdeck.standalone.apiserver.resources.crd_rules import DefinitionRules
from virtdeck.standalone.apiserver.resources.kinds import cluster, extension, workload
from virtdeck.standalone.apiserver.resources.resource import Resource
from virtdeck.standalone.apiserver.resources.rules import Rules

_RBAC = "rbac.authorization.k8s.io"
_PLAIN = Rules()
_STATUS = ("status",)


def _core(
    plural: str,
    kind: str,
    rules: Rules = _PLAIN,
    *short: str,
    namespaced: bool = True,
    sub: tuple[str, ...] = (),
) -> Resource:
    return Resource(
        "",
        "v1",
        plural,
        kind,
        namespaced,
        short_names=short,
        rules=rules,
        subresources=sub,
        type_name=f"core.v1.{kind}",
    )


def _other(
    group: str, plural: str, kind: str, package: str, rules: Rules = _PLAIN, *short: str,
    namespaced: bool = False, sub: tuple[str, ...] = (), categories: tuple[str, ...] = (),
) -> Resource:  # fmt: skip
    return Resource(
        group, "v1", plural, kind, namespaced, short_names=short, rules=rules, subresources=sub,
        categories=categories, type_name=f"{package}.v1.{kind}",
    )  # fmt: skip


def builtin_resources() -> list[Resource]:
    """Every built-in resource, the core group first."""
    rbac = cluster.RbacRules()
    events = cluster.EventRules()
    return [
        _core("configmaps", "ConfigMap", cluster.ConfigMapRules(), "cm"),
        _core("endpoints", "Endpoints", _PLAIN, "ep"),
        _core("events", "Event", events, "ev"),
        _core("limitranges", "LimitRange", _PLAIN, "limits"),
        _core("namespaces", "Namespace", cluster.NamespaceRules(), "ns", namespaced=False, sub=("finalize", "status")),
        _core("nodes", "Node", workload.NodeRules(), "no", namespaced=False, sub=_STATUS),
        _core("persistentvolumeclaims", "PersistentVolumeClaim", cluster.ClaimRules(), "pvc", sub=_STATUS),
        _core("persistentvolumes", "PersistentVolume", cluster.VolumeRules(), "pv", namespaced=False, sub=_STATUS),
        Resource(
            "", "v1", "pods", "Pod", short_names=("po",), categories=("all",), rules=workload.PodRules(),
            subresources=("binding", "eviction", "log", "status"), type_name="core.v1.Pod",
        ),
        _core("resourcequotas", "ResourceQuota", cluster.QuotaRules(), "quota", sub=_STATUS),
        _core("secrets", "Secret", cluster.SecretRules()),
        _core("serviceaccounts", "ServiceAccount", _PLAIN, "sa", sub=("token",)),
        Resource(
            "", "v1", "services", "Service", short_names=("svc",), categories=("all",), rules=cluster.ServiceRules(),
            subresources=_STATUS, type_name="core.v1.Service",
        ),
        _other("admissionregistration.k8s.io", "mutatingwebhookconfigurations", "MutatingWebhookConfiguration",
               "admissionregistration", extension.WebhookRules(True), categories=("api-extensions",)),
        _other("admissionregistration.k8s.io", "validatingwebhookconfigurations", "ValidatingWebhookConfiguration",
               "admissionregistration", extension.WebhookRules(False), categories=("api-extensions",)),
        _other("apiextensions.k8s.io", "customresourcedefinitions", "CustomResourceDefinition", "apiextensions",
               DefinitionRules(), "crd", "crds", sub=_STATUS, categories=("api-extensions",)),
        _other("apiregistration.k8s.io", "apiservices", "APIService", "apiregistration",
               extension.ApiServiceRules(), sub=_STATUS, categories=("api-extensions",)),
        _other("apps", "controllerrevisions", "ControllerRevision", "apps", cluster.RevisionRules(), namespaced=True),
        _other("coordination.k8s.io", "leases", "Lease", "coordination", namespaced=True),
        _other("discovery.k8s.io", "endpointslices", "EndpointSlice", "discovery", namespaced=True),
        Resource(
            "events.k8s.io", "v1", "events", "Event", short_names=("ev",), rules=events, shelf="/events",
            stored_api_version="v1", type_name="events.v1.Event",
        ),
        _other("networking.k8s.io", "networkpolicies", "NetworkPolicy", "networking", cluster.GenerationRules(),
               "netpol", namespaced=True),
        _other("policy", "poddisruptionbudgets", "PodDisruptionBudget", "policy",
               workload.PodDisruptionBudgetRules(), "pdb", namespaced=True, sub=_STATUS),
        _other(_RBAC, "clusterrolebindings", "ClusterRoleBinding", "rbac", rbac),
        _other(_RBAC, "clusterroles", "ClusterRole", "rbac", rbac),
        _other(_RBAC, "rolebindings", "RoleBinding", "rbac", rbac, namespaced=True),
        _other(_RBAC, "roles", "Role", "rbac", rbac, namespaced=True),
        _other("scheduling.k8s.io", "priorityclasses", "PriorityClass", "scheduling", cluster.PriorityClassRules(), "pc"),
        _other("storage.k8s.io", "storageclasses", "StorageClass", "storage", cluster.StorageClassRules(), "sc"),
    ]  # fmt: skip
