"""The subresources that virt-api serves: one table for its routes, its access reviews and the user roles.

Source: KubeVirt's ``subresources.kubevirt.io`` API; ``sessions`` and ``sendkeys`` are ours. What is served
and who carries it out stands in ``gateway.subresources.routes``.
"""

from dataclasses import dataclass
from typing import Literal

GROUP = "subresources.kubevirt.io"
VERSIONS = ("v1", "v1alpha3")
WEBSOCKET_PROTOCOL = "plain.kubevirt.io"

Method = Literal["GET", "PUT"]
Audience = Literal["everybody", "view", "edit", "migrate", "nobody"]

_VERBS: dict[Method, str] = {"GET": "get", "PUT": "update"}


@dataclass(frozen=True)
class Subresource:
    """One path below an object, whole as RBAC names it (``vnc/screenshot``).

    resource: plural of the object; empty for what belongs to a namespace or to the whole API.
    audience: the smallest user role that may; ``edit`` implies ``admin``. ``nobody``: components and
    administrators of the cluster. parameters: path segments behind the name that RBAC does not see.
    """

    resource: str
    name: str
    method: Method
    audience: Audience = "edit"
    websocket: bool = False
    parameters: tuple[str, ...] = ()
    namespaced: bool = True

    @property
    def verb(self) -> str:
        """The verb that is asked of RBAC."""
        return _VERBS[self.method]

    @property
    def rbac_resource(self) -> str:
        """As a role's rule names it."""
        return f"{self.resource}/{self.name}" if self.resource else self.name


def _put(resource: str, *names: str, audience: Audience = "edit") -> tuple[Subresource, ...]:
    return tuple(Subresource(resource, name, "PUT", audience) for name in names)


def _view(resource: str, *names: str) -> tuple[Subresource, ...]:
    return tuple(Subresource(resource, name, "GET", audience="view") for name in names)


def _stream(resource: str, name: str, *parameters: str) -> Subresource:
    return Subresource(resource, name, "GET", websocket=True, parameters=parameters)


def _whole(audience: Audience, *names: str) -> tuple[Subresource, ...]:
    return tuple(Subresource("", name, "GET", audience, namespaced=False) for name in names)


_VM, _VMI = "virtualmachines", "virtualmachineinstances"

SUBRESOURCES: tuple[Subresource, ...] = (
    *_put(_VM, "start", "stop", "restart"),
    *_put(_VM, "addvolume", "removevolume", "memorydump", "removememorydump", "evacuate/cancel"),
    *_put(_VM, "migrate", audience="migrate"),
    _stream(_VM, "portforward", "port", "protocol"),
    *_view(_VM, "expand-spec", "objectgraph"),
    *_put(_VMI, "pause", "unpause", "freeze", "unfreeze", "softreboot", "reset", "sendkeys"),
    *_put(_VMI, "addvolume", "removevolume", "evacuate/cancel"),
    *_put(_VMI, "sev/setupsession", "sev/injectlaunchsecret"),
    *_put(_VMI, "backup", "redefine-checkpoint", audience="nobody"),
    _stream(_VMI, "console"),
    _stream(_VMI, "vnc"),
    _stream(_VMI, "usbredir"),
    _stream(_VMI, "vsock"),
    _stream(_VMI, "portforward", "port", "protocol"),
    Subresource(_VMI, "vnc/screenshot", "GET"),
    *_view(_VMI, "guestosinfo", "userlist", "filesystemlist", "sessions", "objectgraph"),
    *_view(_VMI, "sev/fetchcertchain", "sev/querylaunchmeasurement"),
    *_put("", "expand-vm-spec", audience="view"),
    *_whole("everybody", "version", "guestfs"),
    *_whole("nobody", "healthz"),
    *_whole("nobody", "start-cluster-profiler", "stop-cluster-profiler", "dump-cluster-profiler"),
)
"""KubeVirt's 47 paths of a version, and two of our own: ``sendkeys`` and ``sessions``."""
