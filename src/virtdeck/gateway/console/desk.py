"""What the console is handed by whoever composes the gateway."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from starlette.requests import HTTPConnection

from virtdeck.basis.clock import Clock
from virtdeck.crds.core.event import Event
from virtdeck.crds.core.node import Namespace, Node
from virtdeck.crds.kinds import Kind
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.auth.reviews import Attempt, Verdict
from virtdeck.gateway.auth.sessions import Session
from virtdeck.gateway.auth.user import User
from virtdeck.gateway.live.hub import Hub, open_hub
from virtdeck.gateway.live.roster import Roster, open_roster
from virtdeck.gateway.tasks.runner import Tasks, open_tasks
from virtdeck.kube.cache import Cache
from virtdeck.kube.client import Client
from virtdeck.web.assets import Assets
from virtdeck.web.rendering import Renderer


@dataclass(frozen=True)
class Caches:
    """One list-watch each; ``events`` has an index ``by_object`` of ``namespace/kind/name``.

    instancetypes: instance types and preferences, by kind.
    """

    vms: Cache[VirtualMachine]
    vmis: Cache[VirtualMachineInstance]
    nodes: Cache[Node]
    events: Cache[Event]
    namespaces: Cache[Namespace]
    instancetypes: Mapping[Kind[Any], Cache[Any]] = field(default_factory=dict)


class Gate(Protocol):
    """Sessions, as far as a page needs them; ``auth.session.Gatekeeper`` is one."""

    def session_of(self, request: HTTPConnection) -> Session | None: ...

    def check_form(self, request: HTTPConnection, token: str) -> None: ...

    def origin(self, request: HTTPConnection) -> str: ...


class Reviews(Protocol):
    """Access reviews; ``auth.reviews.AccessReviews`` is one."""

    async def verdict(self, user: User, attempt: Attempt) -> Verdict: ...


@dataclass(frozen=True)
class ConsoleSettings:
    """public_url: as browsers reach this console, for commands that are copied; no slash at its end.

    base: the path of that URL. images_dir: the image store's folder; None where there is none (a cluster).
    gallery: the components are shown at ``/gallery``, for whoever works on them.
    """

    public_url: str = ""
    base: str = ""
    images_dir: Path | None = None
    gallery: bool = False


@dataclass(frozen=True)
class Desk:
    """All that the pages need. Built by ``open_desk``."""

    caches: Caches
    client: Client
    gate: Gate
    reviews: Reviews
    clock: Clock
    settings: ConsoleSettings
    roster: Roster
    tasks: Tasks
    hub: Hub
    renderer: Renderer


@asynccontextmanager
async def open_desk(  # noqa: PLR0913 - composition
    *,
    caches: Caches,
    client: Client,
    gate: Gate,
    reviews: Reviews,
    clock: Clock,
    data_dir: Path,
    settings: ConsoleSettings,
    assets: Assets | None = None,
) -> AsyncIterator[Desk]:
    """A desk whose roster, tasks and streams are current for as long as the block.

    The caches are run by the caller. data_dir: tasks are kept there.
    """
    renderer = Renderer(assets or Assets(), clock, settings.base)
    async with (
        open_roster(caches.vms, caches.vmis, caches.instancetypes) as roster,
        open_tasks(data_dir, roster, clock) as tasks,
        open_hub(roster, tasks, caches.events, caches.nodes) as hub,
    ):
        yield Desk(caches, client, gate, reviews, clock, settings, roster, tasks, hub, renderer)
