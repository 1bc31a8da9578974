"""The subresources that virt-api serves: one table for its routes, its access reviews and the user roles.

Source: KubeVirt's ``subresources.kubevirt.io`` API; ``sessions`` and ``sendkeys`` are ours.
"""

from dataclasses import dataclass
from typing import Literal

GROUP = "subresources.kubevirt.io"
VERSIONS = ("v1", "v1alpha3")
WEBSOCKET_PROTOCOL = "plain.kubevirt.io"

Method = Literal["GET", "PUT"]
Audience = Literal["view", "edit", "migrate"]

_VERBS: dict[Method, str] = {"GET": "get", "PUT": "update"}


@dataclass(frozen=True)
class Subresource:
    """One path below an object, whole as RBAC names it (``vnc/screenshot``).

    resource: plural of the object. audience: the smallest user role that may; ``edit`` implies ``admin``.
    parameters: path segments behind the name that RBAC does not see.
    """

    resource: str
    name: str
    method: Method
    audience: Audience = "edit"
    websocket: bool = False
    parameters: tuple[str, ...] = ()

    @property
    def verb(self) -> str:
        """The verb that is asked of RBAC."""
        return _VERBS[self.method]

    @property
    def rbac_resource(self) -> str:
        """As a role's rule names it."""
        return f"{self.resource}/{self.name}"


def _put(resource: str, *names: str) -> tuple[Subresource, ...]:
    return tuple(Subresource(resource, name, "PUT") for name in names)


def _view(resource: str, *names: str) -> tuple[Subresource, ...]:
    return tuple(Subresource(resource, name, "GET", audience="view") for name in names)


def _stream(resource: str, name: str, *parameters: str) -> Subresource:
    return Subresource(resource, name, "GET", websocket=True, parameters=parameters)


_VM, _VMI = "virtualmachines", "virtualmachineinstances"

SUBRESOURCES: tuple[Subresource, ...] = (
    *_put(_VM, "start", "stop", "restart"),
    Subresource(_VM, "migrate", "PUT", audience="migrate"),
    _stream(_VM, "portforward", "port", "protocol"),
    *_view(_VM, "expand-spec"),
    *_put(_VMI, "pause", "unpause", "freeze", "unfreeze", "softreboot", "reset", "sendkeys"),
    _stream(_VMI, "console"),
    _stream(_VMI, "vnc"),
    Subresource(_VMI, "vnc/screenshot", "GET"),
    _stream(_VMI, "portforward", "port", "protocol"),
    *_view(_VMI, "guestosinfo", "userlist", "filesystemlist", "sessions"),
)


def find_subresource(resource: str, name: str) -> Subresource | None:
    """The entry of the table, None when virt-api does not serve it."""
    return next((found for found in SUBRESOURCES if (found.resource, found.name) == (resource, name)), None)
