"""Tasks are kept, followed and bounded; they outlive the gateway."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import anyio.lowlevel
import apsw
import pytest
from tests.unit.gateway.console.machines import a_vm, a_vmi
from tests.unit.web.moving_clock import MovingClock

from virtdeck.basis.errors import Conflict, HostFault
from virtdeck.crds import kinds
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.live.roster import Roster, open_roster
from virtdeck.gateway.tasks.runner import TAKEN, Tasks, open_tasks
from virtdeck.gateway.tasks.store import TaskStore
from virtdeck.gateway.tasks.task import Task
from virtdeck.kube.cache import Cache
from virtdeck.kube.objects import Key

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
WEB = Key("shop", "web-1")


def task(number: int, state: str = "done") -> Task:
    begun = NOW + timedelta(seconds=number)
    one = Task(f"t{number}", "ada", "start", "shop", f"web-{number % 3}", begun, begun)
    return one if state == "running" else one.done(begun)


class Known(Roster):
    """A roster whose caches have been listed."""

    known = True


@asynccontextmanager
async def running(
    folder: Path,
    clock: MovingClock,
    vm: VirtualMachine | None = None,
    vmi: VirtualMachineInstance | None = None,
) -> AsyncIterator[tuple[Tasks, Known, Cache[VirtualMachine], Cache[VirtualMachineInstance]]]:
    vms, vmis = Cache(kinds.VM), Cache(kinds.VMI)
    if vm is not None:
        vms.absorb(vm)
    if vmi is not None:
        vmis.absorb(vmi)
    roster = Known(vms, vmis)
    with vms.listening(roster.note), vmis.listening(roster.note):
        async with open_tasks(folder, roster, clock) as tasks:
            yield tasks, roster, vms, vmis


async def nothing() -> None:
    return None


async def refuse() -> None:
    raise Conflict("VM is already running")


def test_a_task_is_read_as_it_was_kept(tmp_path: Path) -> None:
    store = TaskStore(tmp_path / "tasks.sqlite")
    one = task(1).reached("Running", NOW)
    store.put(one)
    assert store.get("t1") == one
    assert store.get("t2") is None
    store.close()


def test_the_oldest_finished_tasks_go_and_running_ones_stay(tmp_path: Path) -> None:
    store = TaskStore(tmp_path / "tasks.sqlite")
    for number in range(10):
        store.put(task(number, "running" if number == 0 else "done"))
    store.trim(3)
    assert [one.id for one in store.newest()] == ["t9", "t8", "t7", "t0"]
    assert [one.id for one in store.of("shop", "web-0")] == ["t9", "t0"]
    store.close()


def test_a_file_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / "tasks.sqlite"))
    connection.pragma("user_version", 99)
    connection.close()
    with pytest.raises(HostFault, match="newer"):
        TaskStore(tmp_path / "tasks.sqlite")


@pytest.mark.anyio
async def test_a_start_is_done_when_the_guest_runs_not_when_the_request_was_taken(tmp_path: Path) -> None:
    async with running(tmp_path, MovingClock(NOW)) as (tasks, _, vms, vmis):
        vms.absorb(a_vm(word="Stopped"))
        one = await tasks.perform("ada", "start", WEB, nothing)
        assert (one.state, one.steps[0].text) == ("running", TAKEN)
        told: list[Task] = []
        with tasks.listening(told.append):
            vmis.absorb(a_vmi())
            vms.absorb(a_vm(word="Running"))
            with anyio.fail_after(2):
                while tasks.running:
                    await anyio.lowlevel.checkpoint()
        assert told[-1].state == "done"
        assert tasks.store.get(one.id) == told[-1]


@pytest.mark.anyio
async def test_a_refused_request_is_a_failed_task_with_the_servers_words(tmp_path: Path) -> None:
    async with running(tmp_path, MovingClock(NOW)) as (tasks, *_):
        one = await tasks.perform("ada", "start", WEB, refuse)
        assert (one.state, one.cause) == ("failed", "VM is already running")
        assert not tasks.running


@pytest.mark.anyio
async def test_a_task_is_followed_on_after_the_gateway_was_killed(tmp_path: Path) -> None:
    clock = MovingClock(NOW)
    store = TaskStore(tmp_path / "tasks.sqlite")
    store.put(
        replace(task(1, "running"), name="web-1", deadline=NOW + timedelta(hours=1)).reached(TAKEN, NOW)
    )
    store.close()
    async with running(tmp_path, clock, a_vm(word="Running"), a_vmi()) as (tasks, *_):
        with anyio.fail_after(2):
            while tasks.running:
                await anyio.lowlevel.checkpoint()
        assert tasks.store.newest()[0].state == "done"


@pytest.mark.anyio
async def test_a_request_that_was_cut_off_is_told_as_not_known(tmp_path: Path) -> None:
    clock = MovingClock(NOW)
    async with running(tmp_path, clock) as (tasks, *_):
        tasks._begin("ada", "start", WEB)
        tasks.look()
        assert len(tasks.running) == 1
        clock.pass_seconds(120)
        tasks.look()
        assert not tasks.running
        assert "interrupted" in tasks.store.newest()[0].cause


@pytest.mark.anyio
async def test_nothing_is_decided_before_the_caches_know_anything(tmp_path: Path) -> None:
    vms, vmis = Cache(kinds.VM), Cache(kinds.VMI)
    async with open_roster(vms, vmis) as roster, open_tasks(tmp_path, roster, MovingClock(NOW)) as tasks:
        await tasks.perform("ada", "delete", WEB, nothing)
        tasks.look()
        assert len(tasks.running) == 1


@pytest.mark.anyio
async def test_a_task_begun_in_quiet_times_is_followed_without_any_change(tmp_path: Path) -> None:
    async with running(tmp_path, MovingClock(NOW), a_vm(word="Running"), a_vmi()) as (tasks, *_):
        await anyio.sleep(0.01)
        await tasks.perform("ada", "start", WEB, nothing)
        with anyio.fail_after(2):
            while tasks.running:
                await anyio.sleep(0)
        assert tasks.store.newest()[0].state == "done"
