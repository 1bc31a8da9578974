"""How launchers are reached: only the pod's own process is believed, and its end is noticed at once."""

import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest
from tests.integration.node_agent.conftest import LAUNCHER_UID, Pod

from virtdeck.kube.objects import Key
from virtdeck.node_agent.launchers.folders import PodFolders
from virtdeck.node_agent.launchers.link import LauncherView, Target
from virtdeck.node_agent.launchers.registry import Launchers, open_launchers
from virtdeck.wire import launcher as wire

pytestmark = [pytest.mark.root, pytest.mark.anyio]

KEY = Key("default", "demo")
SECONDS = 10.0
_HOSTS = Path("/etc/resolv.conf")
RESOLVER = None if _HOSTS.is_symlink() or not _HOSTS.exists() else _HOSTS.read_text()


class Node:
    """Launchers and what changed about them."""

    def __init__(self) -> None:
        self.launchers: Launchers
        self.changed = anyio.Event()

    def note(self, _key: Key) -> None:
        self.changed.set()
        self.changed = anyio.Event()

    async def see(self, pod: Pod, *, stage: str | None = None, phase: str | None = None) -> LauncherView:
        """The first view that is in this stage and phase, or has a problem."""
        with anyio.fail_after(SECONDS):
            while True:
                changed = self.changed
                view = self.launchers.view(pod.vmi_uid) or LauncherView()
                shown = view.state.phase if view.state else None
                if view.problem or (stage in {None, view.stage} and phase in {None, shown}):
                    return view
                await changed.wait()


@pytest.fixture
async def node(kubelet_dir: Path) -> AsyncIterator[Node]:
    made = Node()
    folders = PodFolders(str(kubelet_dir))
    async with open_launchers(folders, LAUNCHER_UID, made.note) as launchers:
        made.launchers = launchers
        yield made


def target(pod: Pod) -> Target:
    return Target(KEY, pod.vmi_uid, pod.uid)


async def test_a_launcher_is_found_as_soon_as_it_listens(pod: Pod, node: Node) -> None:
    node.launchers.want(target(pod))
    pod.start_launcher()
    view = await node.see(pod, stage="Connected", phase="NoDomain")
    assert view.problem is None


async def test_requests_are_answered_and_states_arrive(pod: Pod, node: Node) -> None:
    pod.start_launcher()
    node.launchers.want(target(pod))
    await node.see(pod, stage="Connected")
    talk = node.launchers.require(pod.vmi_uid).require_conversation()
    await talk.ask(wire.Pause(id=talk.next_id()), wire.Done, SECONDS)
    view = await node.see(pod, phase="Paused")
    assert view.state is not None
    assert view.state.pause_reason == "PausedByUser"


async def test_a_killed_launcher_is_seen_to_have_ended(pod: Pod, node: Node) -> None:
    pod.start_launcher()
    node.launchers.want(target(pod))
    await node.see(pod, stage="Connected")
    pod.kill_launcher()
    view = await node.see(pod, stage="Ended")
    assert view.state is not None


async def test_a_launcher_outside_the_pods_cgroup_is_refused(pod: Pod, node: Node) -> None:
    pod.start_launcher(in_cgroup=False)
    node.launchers.want(target(pod))
    view = await node.see(pod, stage="Connected")
    assert view.problem is not None
    assert view.problem.reason == "ForeignPeer"


async def test_a_launcher_that_claims_another_vm_is_refused(pod: Pod, node: Node) -> None:
    pod.start_launcher(claims="another-uid")
    node.launchers.want(target(pod))
    view = await node.see(pod, stage="Connected")
    assert view.problem is not None
    assert view.problem.reason == "ForeignPeer"


@pytest.mark.parametrize("kind", ["link", "file", "parent", "root's socket"])
async def test_what_stands_in_the_sockets_place_is_never_dialled(pod: Pod, node: Node, kind: str) -> None:
    canary = socket.socket(socket.AF_UNIX)
    canary.bind(str(pod.root / "canary.sock"))
    canary.listen()
    canary.setblocking(False)
    place = pod.private / "launcher.sock"
    match kind:
        case "link":
            place.symlink_to(pod.root / "canary.sock")
        case "file":
            place.touch()
        case "parent":
            pod.private.rmdir()
            (pod.root / "canary.sock").rename(pod.root / "launcher.sock")
            pod.private.symlink_to(pod.root)
        case _:
            (pod.root / "canary.sock").rename(place)
    node.launchers.want(target(pod))
    view = await node.see(pod, stage="Connected")
    assert view.problem is not None
    if kind != "root's socket":
        with pytest.raises(BlockingIOError):
            canary.accept()
    canary.close()


async def test_swapping_the_socket_for_a_link_again_and_again_never_reaches_the_link(
    pod: Pod, node: Node
) -> None:
    pod.start_launcher()
    node.launchers.want(target(pod))
    await node.see(pod, stage="Connected")
    canary = socket.socket(socket.AF_UNIX)
    canary.bind(str(pod.root / "canary.sock"))
    canary.listen(1000)
    canary.setblocking(False)
    link = node.launchers.require(pod.vmi_uid)
    place, aside = pod.private / "launcher.sock", pod.private / "aside"
    for _ in range(300):
        place.rename(aside)
        place.symlink_to(pod.root / "canary.sock")
        with contextlib.suppress(Exception):
            (await link._connect()).close()
        place.unlink()
        aside.rename(place)
    with pytest.raises(BlockingIOError):
        canary.accept()
    canary.close()


async def test_the_pods_own_resolver_is_read_inside_its_root(pod: Pod, node: Node) -> None:
    pod.start_launcher()
    node.launchers.want(target(pod))
    await node.see(pod, stage="Connected")
    text = node.launchers.require(pod.vmi_uid).process.read_resolver()
    assert text == RESOLVER


async def test_a_forgotten_launcher_is_left_alone(pod: Pod, node: Node) -> None:
    pod.start_launcher()
    node.launchers.want(target(pod))
    await node.see(pod, stage="Connected")
    node.launchers.forget(pod.vmi_uid)
    assert node.launchers.view(pod.vmi_uid) is None
    assert pod.process is not None
    assert pod.process.poll() is None
