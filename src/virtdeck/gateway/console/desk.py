"""What the console is handed by whoever composes the gateway."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from starlette.requests import Request

from virtdeck.basis.clock import Clock
from virtdeck.crds.core.event import Event
from virtdeck.crds.core.node import Namespace, Node
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.live.hub import Hub
from virtdeck.gateway.tasks.runner import Tasks
from virtdeck.kube.cache import Cache
from virtdeck.kube.client import Client
from virtdeck.web.rendering import Renderer


@dataclass(frozen=True)
class Person:
    """Who is logged in, and the token that each form of theirs must repeat."""

    name: str
    groups: tuple[str, ...] = ()
    csrf: str = ""


@dataclass(frozen=True)
class Caches:
    """One list-watch each; events have an index ``by_object`` of ``namespace/kind/name``."""

    vms: Cache[VirtualMachine]
    vmis: Cache[VirtualMachineInstance]
    nodes: Cache[Node]
    events: Cache[Event]
    namespaces: Cache[Namespace]


class Rights(Protocol):
    """What a person may do; answers come from access reviews and are kept for seconds."""

    async def may(
        self, person: Person, verb: str, plural: str, namespace: str | None = None, subresource: str = ""
    ) -> bool:
        """The API server would allow it. ``plural`` may name its group: ``virtualmachines.kubevirt.io``."""


@dataclass(frozen=True)
class Door:
    """Sessions, as far as a page needs them."""

    person: Callable[[Request], Person | None]
    """Who sends this request; None when nobody is logged in."""
    check_form: Callable[[Request, str], None]
    """Raises: Refused when the form's token is not the session's or the request came from elsewhere."""
    ticket: Callable[[Request, Person, str, str, str], Awaitable[str]]
    """A single-use ticket for (namespace, name, "vnc" | "console")."""


@dataclass(frozen=True)
class ConsoleSettings:
    """public_url: as browsers reach this console, for commands that are copied.

    images_dir: the image store's folder; None where there is none (a cluster).
    """

    public_url: str = ""
    images_dir: Path | None = None
    gallery: bool = False


@dataclass(frozen=True)
class Desk:
    """All of the above in one hand."""

    caches: Caches
    client_as: Callable[[Person], Client]
    rights: Rights
    door: Door
    tasks: Tasks
    hub: Hub
    renderer: Renderer
    clock: Clock
    settings: ConsoleSettings = ConsoleSettings()
