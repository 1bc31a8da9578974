"""The kinds that are there without a CRD."""

from dataclasses import replace

from virtdeck.standalone.apiserver.resources.crd_names import TakenBy, nothing_taken
from virtdeck.standalone.apiserver.resources.crd_rules import DefinitionRules
from virtdeck.standalone.apiserver.resources.kinds import (
    access,
    cluster,
    configuration,
    extension,
    policies,
    policy,
    quotas,
    services,
    storage,
    workload,
)
from virtdeck.standalone.apiserver.resources.resource import ALL_VERBS, Resource
from virtdeck.standalone.apiserver.resources.rules import Rules

_RBAC = "rbac.authorization.k8s.io"
_PLAIN = Rules()


def builtin_resources(taken_by: TakenBy = nothing_taken) -> list[Resource]:
    """Every built-in resource, the core group first. taken_by: which names other CRDs have."""
    return [*_core(), *_extension(taken_by), *_policy(), *_others()]


def _namespaced(group: str, package: str, plural: str, kind: str, rules: Rules = _PLAIN) -> Resource:
    subresources = ("status",) if rules.has_status else ()
    return Resource(
        group, "v1", plural, kind, rules=rules, subresources=subresources, type_name=f"{package}.v1.{kind}"
    )


def _clustered(group: str, package: str, plural: str, kind: str, rules: Rules = _PLAIN) -> Resource:
    return replace(_namespaced(group, package, plural, kind, rules), namespaced=False)


def _short(resource: Resource, *names: str) -> Resource:
    return replace(resource, short_names=names)


def _core() -> list[Resource]:
    def of(plural: str, kind: str, rules: Rules = _PLAIN) -> Resource:
        return _namespaced("", "core", plural, kind, rules)

    def wide(plural: str, kind: str, rules: Rules) -> Resource:
        return _clustered("", "core", plural, kind, rules)

    pods = replace(of("pods", "Pod", workload.PodRules()), categories=("all",))
    routed = replace(of("services", "Service", services.ServiceRules()), categories=("all",))
    one_by_one = tuple(verb for verb in ALL_VERBS if verb != "deletecollection")
    namespaces = replace(wide("namespaces", "Namespace", cluster.NamespaceRules()), verbs=one_by_one)
    return [
        _short(of("configmaps", "ConfigMap", configuration.ConfigMapRules()), "cm"),
        _short(of("endpoints", "Endpoints", services.EndpointsRules()), "ep"),
        _short(of("events", "Event", cluster.EventRules()), "ev"),
        _short(of("limitranges", "LimitRange", quotas.LimitRangeRules()), "limits"),
        _short(replace(namespaces, subresources=("finalize", "status")), "ns"),
        _short(wide("nodes", "Node", workload.NodeRules()), "no"),
        _short(of("persistentvolumeclaims", "PersistentVolumeClaim", storage.ClaimRules()), "pvc"),
        _short(wide("persistentvolumes", "PersistentVolume", storage.VolumeRules()), "pv"),
        _short(replace(pods, subresources=("binding", "eviction", "log", "status")), "po"),
        _short(of("resourcequotas", "ResourceQuota", quotas.QuotaRules()), "quota"),
        of("secrets", "Secret", configuration.SecretRules()),
        _short(replace(of("serviceaccounts", "ServiceAccount"), subresources=("token",)), "sa"),
        _short(routed, "svc"),
    ]


def _extension(taken_by: TakenBy) -> list[Resource]:
    admission = ("admissionregistration.k8s.io", "admissionregistration")
    mutating, validating = extension.WebhookRules(mutating=True), extension.WebhookRules(mutating=False)
    definitions = _clustered(
        "apiextensions.k8s.io",
        "apiextensions",
        "customresourcedefinitions",
        "CustomResourceDefinition",
        DefinitionRules(taken_by),
    )
    delegates = _clustered(
        "apiregistration.k8s.io", "apiregistration", "apiservices", "APIService", extension.ApiServiceRules()
    )
    found = [
        _clustered(*admission, "mutatingwebhookconfigurations", "MutatingWebhookConfiguration", mutating),
        _clustered(
            *admission, "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", validating
        ),
        _clustered(
            *admission,
            "validatingadmissionpolicies",
            "ValidatingAdmissionPolicy",
            policies.PolicyRules(),
        ),
        _clustered(
            *admission,
            "validatingadmissionpolicybindings",
            "ValidatingAdmissionPolicyBinding",
            policies.BindingRules(),
        ),
        _short(definitions, "crd", "crds"),
        delegates,
    ]
    return [replace(one, categories=("api-extensions",)) for one in found]


def _policy() -> list[Resource]:
    wide_binding, binding = access.BindingRules(namespaced=False), access.BindingRules(namespaced=True)
    wide_role, role = access.RoleRules(namespaced=False), access.RoleRules(namespaced=True)
    budgets = policy.PodDisruptionBudgetRules()
    return [
        _short(
            _namespaced("policy", "policy", "poddisruptionbudgets", "PodDisruptionBudget", budgets), "pdb"
        ),
        _clustered(_RBAC, "rbac", "clusterrolebindings", "ClusterRoleBinding", wide_binding),
        _clustered(_RBAC, "rbac", "clusterroles", "ClusterRole", wide_role),
        _namespaced(_RBAC, "rbac", "rolebindings", "RoleBinding", binding),
        _namespaced(_RBAC, "rbac", "roles", "Role", role),
    ]


def _others() -> list[Resource]:
    policies = _namespaced(
        "networking.k8s.io", "networking", "networkpolicies", "NetworkPolicy", policy.NetworkPolicyRules()
    )
    priorities = _clustered(
        "scheduling.k8s.io", "scheduling", "priorityclasses", "PriorityClass", cluster.PriorityClassRules()
    )
    classes = _clustered(
        "storage.k8s.io", "storage", "storageclasses", "StorageClass", storage.StorageClassRules()
    )
    return [
        _namespaced("apps", "apps", "controllerrevisions", "ControllerRevision", cluster.RevisionRules()),
        _namespaced("coordination.k8s.io", "coordination", "leases", "Lease", cluster.LeaseRules()),
        _namespaced(
            "discovery.k8s.io", "discovery", "endpointslices", "EndpointSlice", services.EndpointSliceRules()
        ),
        Resource(
            "events.k8s.io",
            "v1",
            "events",
            "Event",
            short_names=("ev",),
            rules=cluster.EventRules(),
            shelf="/events",  # the same objects as the core group's
            stored_api_version="v1",
            type_name="events.v1.Event",
        ),
        _clustered("storage.k8s.io", "storage", "csidrivers", "CSIDriver", storage.DriverRules()),
        _clustered("storage.k8s.io", "storage", "csinodes", "CSINode", storage.DriverNodeRules()),
        _short(policies, "netpol"),
        _short(priorities, "pc"),
        _short(classes, "sc"),
    ]
