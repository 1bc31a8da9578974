"""One subresource request on its way: what every action is handed, and what several need."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from virtdeck.basis.errors import Absent, Conflict, HostFault, VirtdeckError
from virtdeck.crds import kinds
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.auth.user import User
from virtdeck.gateway.context import Context
from virtdeck.gateway.handlers import Answer
from virtdeck.gateway.subresources.paths import Match
from virtdeck.kube.errors import error_from_reply

_JSON = "application/json"


@dataclass(frozen=True)
class Call:
    """One request, identified and allowed. user: None on routes that ask nobody's name."""

    context: Context
    match: Match
    user: User | None
    query: dict[str, str]
    body: bytes = b""


@dataclass(frozen=True)
class Reply:
    """What the client gets."""

    code: int
    body: bytes = b""
    content_type: str = _JSON


Action = Callable[[Call], Awaitable[Reply]]

ACCEPTED = Reply(202)
DONE = Reply(200)


async def require_vm(call: Call) -> VirtualMachine:
    """The VM as the API has it now. Raises: Absent."""
    found = await call.context.client.get(kinds.VM, call.match.name, call.match.namespace)
    if found is None:
        raise Absent(f'virtualmachine.kubevirt.io "{call.match.name}" not found')
    return found


async def require_vmi(call: Call) -> VirtualMachineInstance:
    """The instance as the API has it now. Raises: Absent."""
    found = await call.context.client.get(kinds.VMI, call.match.name, call.match.namespace)
    if found is None:
        raise Absent(f'virtualmachineinstance.kubevirt.io "{call.match.name}" not found')
    return found


async def ask_handler(call: Call, vmi: VirtualMachineInstance, method: str, body: bytes = b"") -> Answer:
    """What the instance's virt-handler answered, if it is a success. Raises: what it refused with; Lost."""
    path = handler_path(call.match.namespace, call.match.name, call.match.route.sub.name)
    headers = {"X-Virtdeck-User": header_value(call.user)}
    if not vmi.status.node_name:
        raise Conflict("the instance is not on a node yet")
    answer = await call.context.handlers.call(vmi.status.node_name, method, path, body=body, headers=headers)
    if answer.code >= 500 and answer.code != 503:
        problem = error_from_reply(answer.code, answer.body)
        raise HostFault(f"the node could not do it: {problem.message}")
    if answer.code >= 400:
        raise error_from_reply(answer.code, answer.body)
    if answer.code >= 300:  # nothing of ours redirects, and nobody is followed elsewhere
        raise HostFault(f"the node answered with {answer.code}")
    return answer


def handler_path(namespace: str, name: str, subresource: str) -> str:
    """The path of virt-handler's own API."""
    return f"/v1/namespaces/{namespace}/virtualmachineinstances/{name}/{subresource}"


def header_value(user: User | None) -> str:
    """The user's name as a header can carry it."""
    return "".join(c if c.isprintable() and c.isascii() else "?" for c in (user.name if user else ""))[:256]


def not_built(what: str) -> VirtdeckError:
    """501 with a sentence."""
    return VirtdeckError(f"{what} is not available in this release of virtdeck", reason="NotImplemented")
