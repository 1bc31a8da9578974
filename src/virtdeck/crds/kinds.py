"""The kinds that virtdeck speaks of: where they are served, how they are listed, which type they are.

A kind's Struct is loaded when it is first asked for, so that naming a kind costs nothing.
"""

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from virtdeck.crds.model import Model

if TYPE_CHECKING:
    from virtdeck.crds.core import config, node, pod, service, storage
    from virtdeck.crds.core import meta_only as plain
    from virtdeck.crds.core.access import SubjectAccessReview, TokenReview
    from virtdeck.crds.core.event import Event
    from virtdeck.crds.core.lease import Lease
    from virtdeck.crds.core.revision import ControllerRevision
    from virtdeck.crds.kubevirt.kubevirt import KubeVirt
    from virtdeck.crds.kubevirt.vm import VirtualMachine
    from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance

T = TypeVar("T", bound=Model)


@dataclass(frozen=True)
class Column:
    """One column of ``kubectl get``. priority: 0 always, 1 with ``-o wide``."""

    name: str
    json_path: str
    type: str = "string"
    description: str = ""
    priority: int = 0


@dataclass(frozen=True)
class Kind(Generic[T]):
    """One kind of object in the API.

    struct: ``module:class`` of its type below ``virtdeck.crds``. older_versions: served as well, deprecated.
    subresources: of the API server itself (``status``, ``scale``), not those of virt-api.
    """

    group: str
    version: str
    plural: str
    kind: str
    struct: str
    namespaced: bool = True
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    subresources: tuple[str, ...] = ()
    older_versions: tuple[str, ...] = ()

    @property
    def api_version(self) -> str:
        """``v1`` or ``group/version``."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def singular(self) -> str:
        return self.kind.lower()

    @property
    def list_kind(self) -> str:
        return f"{self.kind}List"

    @property
    def scope(self) -> str:
        """``Namespaced`` or ``Cluster``, as CRDs spell it."""
        return "Namespaced" if self.namespaced else "Cluster"

    @property
    def type(self) -> type[T]:
        """The Struct; its module is imported at the first call."""
        return cast("type[T]", _load(self.struct))


@cache
def _load(struct: str) -> Any:
    module, _, name = struct.partition(":")
    return getattr(importlib.import_module(f"virtdeck.crds.{module}"), name)


_AGE = Column("Age", ".metadata.creationTimestamp", "date")
_ALL = ("all",)


def _ready(description: str) -> Column:
    return Column("Ready", ".status.conditions[?(@.type=='Ready')].status", description=description)


VM: "Kind[VirtualMachine]" = Kind(
    "kubevirt.io",
    "v1",
    "virtualmachines",
    "VirtualMachine",
    "kubevirt.vm:VirtualMachine",
    short_names=("vm", "vms"),
    categories=_ALL,
    columns=(
        _AGE,
        Column(
            "Status", ".status.printableStatus", description="What the virtual machine is doing, in one word"
        ),
        _ready("Whether the guest serves"),
    ),
    subresources=("status",),
    older_versions=("v1alpha3",),
)

VMI: "Kind[VirtualMachineInstance]" = Kind(
    "kubevirt.io",
    "v1",
    "virtualmachineinstances",
    "VirtualMachineInstance",
    "kubevirt.vmi:VirtualMachineInstance",
    short_names=("vmi", "vmis"),
    categories=_ALL,
    columns=(
        _AGE,
        Column("Phase", ".status.phase", description="How far the guest is"),
        Column("IP", ".status.interfaces[0].ipAddress", description="Address of the first interface"),
        Column("NodeName", ".status.nodeName", description="Node that the guest runs on"),
        _ready("Whether the guest serves"),
        Column(
            "Live-Migratable",
            ".status.conditions[?(@.type=='LiveMigratable')].status",
            description="Whether the guest can move to another node while it runs",
            priority=1,
        ),
        Column(
            "Paused",
            ".status.conditions[?(@.type=='Paused')].status",
            description="Whether the guest's processors stand still",
            priority=1,
        ),
    ),
    older_versions=("v1alpha3",),
)

KUBEVIRT: "Kind[KubeVirt]" = Kind(
    "kubevirt.io",
    "v1",
    "kubevirts",
    "KubeVirt",
    "kubevirt.kubevirt:KubeVirt",
    short_names=("kv", "kvs"),
    categories=_ALL,
    columns=(_AGE, Column("Phase", ".status.phase", description="How far the installation is")),
    subresources=("status",),
    older_versions=("v1alpha3",),
)

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

CUSTOM: tuple[Kind[Any], ...] = (VM, VMI, KUBEVIRT)
"""The kinds that virtdeck brings; each has a CRD."""


def kinds() -> Iterator[Kind[Any]]:
    """Every kind of this module."""
    return (value for value in globals().values() if isinstance(value, Kind))


def find_kind(api_version: str, kind: str) -> Kind[Any] | None:
    """The kind that an object's ``apiVersion`` and ``kind`` name, older versions included."""
    group, _, version = api_version.rpartition("/")
    for known in kinds():
        if known.group == group and known.kind == kind and version in (known.version, *known.older_versions):
            return known
    return None
