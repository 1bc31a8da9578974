"""The roster, who is told what, and the timing of a stream."""

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
from msgspec.structs import replace
from tests.unit.gateway.console.machines import a_vm, a_vmi
from tests.unit.gateway.tasks.test_store_and_runner import NOW
from tests.unit.there import there
from tests.unit.web.moving_clock import MovingClock

from virtdeck.crds import kinds
from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.vm import InstancetypeMatcher, VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.live.hub import Batch, Hub, open_hub
from virtdeck.gateway.live.roster import REMEMBERED, open_roster
from virtdeck.gateway.live.stream import beat, message, pause, stream
from virtdeck.gateway.tasks.runner import open_tasks
from virtdeck.kube.cache import Cache
from virtdeck.kube.objects import Key

WEB = Key("shop", "web-1")


class Page:
    """A page that says which machines changed."""

    pace_seconds = 0.01

    def __init__(self) -> None:
        self.may = True
        self.begun = 0

    async def update(self, batch: Batch) -> str:
        return ",".join(sorted(key.name for key in batch.machines))

    async def begin(self) -> None:
        self.begun += 1

    async def resync(self) -> str:
        return "everything"

    async def allowed(self) -> bool:
        return self.may


@asynccontextmanager
async def open_all(
    folder: Path,
) -> AsyncIterator[tuple[Hub, Cache[VirtualMachine], Cache[VirtualMachineInstance]]]:
    vms, vmis, events, nodes = Cache(kinds.VM), Cache(kinds.VMI), Cache(kinds.EVENT), Cache(kinds.NODE)
    async with (
        open_roster(vms, vmis) as roster,
        open_tasks(folder, roster, MovingClock(NOW)) as tasks,
        open_hub(roster, tasks, events, nodes) as hub,
    ):
        yield hub, vms, vmis


async def texts(hub: Hub, page: Page, since: int | None, count: int) -> list[str]:
    found: list[str] = []
    with anyio.fail_after(5):
        async with aclosing(stream(hub, page, since)) as messages:
            async for one in messages:
                if b"data: " in one and b"event:" not in one:
                    found.append(one.decode().split("data: ")[1].strip())
                if len(found) == count:
                    return found
    return found


@pytest.mark.anyio
async def test_the_roster_follows_machine_and_instance(tmp_path: Path) -> None:
    async with open_all(tmp_path) as (hub, vms, vmis):
        vms.absorb(a_vm(word="Stopped"))
        vmis.absorb(a_vmi())
        machine = hub.roster.get(WEB)
        assert machine is not None
        assert machine.has_vm
        assert machine.has_vmi
        assert hub.roster.sequence == 2


@pytest.mark.anyio
async def test_a_machine_that_is_off_is_seen_again_when_its_instance_type_comes() -> None:
    vms, vmis, sizes = Cache(kinds.VM), Cache(kinds.VMI), Cache(kinds.CLUSTER_INSTANCETYPE)
    off = a_vm(word="Stopped")
    async with open_roster(vms, vmis, {kinds.CLUSTER_INSTANCETYPE: sizes}) as roster:
        named = replace(off, spec=replace(off.spec, instancetype=InstancetypeMatcher(name="u1.small")))
        vms.absorb(named)
        assert there(roster.get(WEB)).vcpus == 0
        spec = {"cpu": {"guest": 4}, "memory": {"guest": "2Gi"}}
        meta = {"name": "u1.small", "uid": "1", "resourceVersion": "1"}
        sizes.absorb(decode({"metadata": meta, "spec": spec}, kinds.CLUSTER_INSTANCETYPE.type))
        assert there(roster.get(WEB)).vcpus == 4


@pytest.mark.anyio
async def test_what_changed_since_is_known_or_known_to_be_unknown(tmp_path: Path) -> None:
    async with open_all(tmp_path) as (hub, vms, _):
        assert hub.roster.changed_since(0) == set()
        vms.absorb(a_vm())
        assert hub.roster.changed_since(0) == {WEB}
        assert hub.roster.changed_since(1) == set()
        assert hub.roster.changed_since(7) is None
        for number in range(REMEMBERED + 1):
            vms.absorb(a_vm(f"m-{number}"))
        assert hub.roster.changed_since(1) is None
        assert hub.roster.changed_since(2) is not None


@pytest.mark.anyio
async def test_a_stream_says_what_changes_and_coalesces_a_burst(tmp_path: Path) -> None:
    page = Page()
    async with open_all(tmp_path) as (hub, vms, _), anyio.create_task_group() as group:

        async def change() -> None:
            while not len(hub):
                await anyio.lowlevel.checkpoint()
            await anyio.lowlevel.checkpoint()
            for name in ("a", "b", "c"):
                vms.absorb(a_vm(name))

        group.start_soon(change)
        assert await texts(hub, page, 0, 1) == ["a,b,c"]
    assert page.begun == 1


@pytest.mark.anyio
async def test_a_stream_that_comes_back_is_brought_up_to_date(tmp_path: Path) -> None:
    async with open_all(tmp_path) as (hub, vms, _):
        vms.absorb(a_vm())
        vms.absorb(a_vm(word="Stopped"))
        assert await texts(hub, Page(), 1, 1) == ["everything"]
        assert await texts(hub, Page(), None, 1) == ["everything"]
        assert await texts(hub, Page(), 9999, 1) == ["everything"]


@pytest.mark.anyio
async def test_a_stream_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    async with open_all(tmp_path) as (hub, _, __):
        await texts(hub, Page(), None, 1)
        assert len(hub) == 0


@pytest.mark.anyio
async def test_a_slow_reader_has_each_object_once(tmp_path: Path) -> None:
    async with open_all(tmp_path) as (hub, vms, _):
        with hub.subscribed() as subscriber:
            for number in range(500):
                vms.absorb(a_vm(word="Stopped" if number % 2 else "Running"))
            assert subscriber.take().machines == {WEB}
            assert not subscriber.unread


def test_a_message_is_one_event_whatever_lines_it_has() -> None:
    assert message("<a>\n<b>", 7) == b"id: 7\ndata: <a>\ndata: <b>\n\n"


def test_a_beat_says_whether_the_gateway_itself_is_current() -> None:
    assert beat(current=True).startswith(b"event: beat\ndata: ")
    assert beat(current=False).startswith(b"event: stale\ndata: ")


@pytest.mark.parametrize(
    ("pace", "streams", "seconds"), [(0.25, 1, 0.25), (0.25, 60, 0.6), (0.25, 500, 1.0), (1.0, 1, 1.0)]
)
def test_many_tabs_are_served_more_slowly_but_within_a_second(
    pace: float, streams: int, seconds: float
) -> None:
    assert pause(pace, streams) == seconds


@pytest.mark.anyio
async def test_who_was_logged_out_is_told_nothing_more_however_much_happens(tmp_path: Path) -> None:
    async with open_all(tmp_path) as (hub, vms, _):

        class LoggedOut(Page):
            async def begin(self) -> None:
                self.may = False
                vms.absorb(a_vm())

        assert await texts(hub, LoggedOut(), 0, 1) == []
