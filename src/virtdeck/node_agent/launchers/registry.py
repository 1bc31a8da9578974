"""The launchers of this node, by the VMI that each serves."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
import anyio.abc

from virtdeck.basis.errors import Absent
from virtdeck.kube.objects import Key
from virtdeck.node_agent.launchers.folders import PodFolders
from virtdeck.node_agent.launchers.link import LauncherView, Link, Target


class Launchers:
    """A link for each wanted launcher, kept while it is wanted. Built by ``open_launchers``."""

    def __init__(
        self,
        group: anyio.abc.TaskGroup,
        folders: PodFolders,
        launcher_uid: int,
        on_change: Callable[[Key], None],
    ) -> None:
        self._group = group
        self._folders = folders
        self._launcher_uid = launcher_uid
        self._on_change = on_change
        self._links: dict[str, tuple[Link, anyio.CancelScope]] = {}

    def want(self, target: Target) -> None:
        """The launcher is, or will be, connected; another pod of the same VMI replaces the former."""
        found = self._links.get(target.vmi_uid)
        if found is not None and found[0].target == target:
            return
        self.forget(target.vmi_uid)
        link = Link(target, self._folders, self._launcher_uid, self._on_change)
        scope = anyio.CancelScope()
        self._links[target.vmi_uid] = link, scope
        self._group.start_soon(_run_within, scope, link)

    def forget(self, vmi_uid: str) -> None:
        """No connection to this VMI's launcher is kept."""
        found = self._links.pop(vmi_uid, None)
        if found is not None:
            found[1].cancel()

    def get(self, vmi_uid: str) -> Link | None:
        """The link to this VMI's launcher."""
        found = self._links.get(vmi_uid)
        return found[0] if found else None

    def require(self, vmi_uid: str) -> Link:
        """The link to this VMI's launcher. Raises: Absent."""
        link = self.get(vmi_uid)
        if link is None:
            raise Absent("the virtual machine instance does not run on this node")
        return link

    def view(self, vmi_uid: str) -> LauncherView | None:
        """What is known of the VMI's launcher."""
        link = self.get(vmi_uid)
        return link.view if link else None


@asynccontextmanager
async def open_launchers(
    folders: PodFolders, launcher_uid: int, on_change: Callable[[Key], None]
) -> AsyncIterator[Launchers]:
    """The registry, whose links end with the block."""
    async with anyio.create_task_group() as group:
        yield Launchers(group, folders, launcher_uid, on_change)
        group.cancel_scope.cancel()


async def _run_within(scope: anyio.CancelScope, link: Link) -> None:
    with scope:
        await link.run()
