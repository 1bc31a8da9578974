"""Long lives of a VM: whatever happens in whatever order, it ends where the run strategies' table says.

The world below is what everybody else does: virt-api writes requests, guests come up and end, finalizers go.
Writes are lost at random, as a killed controller loses them.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.unit.controllers.builders import NOW, at, vm

from virtdeck.controllers.vm.decide import decide
from virtdeck.controllers.vm.instance import render_vmi
from virtdeck.controllers.vm.observed import (
    DeleteVmi,
    ReleaseVmi,
    Request,
    Seen,
    StartVmi,
    SwitchOn,
    is_final,
    is_leaving,
)
from virtdeck.controllers.vmi.status import with_phase
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance

STRATEGIES = ("Always", "RerunOnFailure", "Manual", "Halted", "Once")
VM_FINALIZER = "kubevirt.io/virtualMachineControllerFinalize"


@dataclass
class World:
    """One VM, its VMI, and a clock."""

    strategy: str
    chance: Random
    vm: Any = None
    vmi: VirtualMachineInstance | None = None
    made: int = 0
    seconds: float = 0.0
    comes_up: bool = True
    died: bool = False
    log: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.vm = vm(self.strategy)

    @property
    def now(self) -> datetime:
        return NOW + timedelta(seconds=self.seconds)

    # ---- what the controller does, losing writes now and then

    def settle(self) -> None:
        """Until nothing happens any more, be it by the controller, the guest or the clock."""
        for _ in range(200):
            before = (self.vm, self.vmi)
            wait = self.control()
            self.others()
            if (self.vm, self.vmi) == before and not self.died:
                if not wait:
                    return
                self.seconds += wait
        raise AssertionError(f"never settles: {self.log}")

    def control(self) -> float:
        self.died = False
        plan = decide(Seen(vm=self.vm, vmi=self.vmi, now=self.now, chance=0.5))
        for action in plan.actions:
            if self.killed():
                return 0.0
            self.act(action)
        if plan.wanted is not None and not plan.actions and not self.killed():
            self.vm = plan.wanted
        return plan.again_after or 0.0

    def killed(self) -> bool:
        self.died = self.chance.random() < 0.1
        return self.died

    def act(self, action: Any) -> None:
        self.log.append(type(action).__name__)
        match action:
            case StartVmi():
                assert self.vmi is None
                self.made += 1
                made = render_vmi(self.vm, paused=action.paused)
                self.vmi = replace(made, metadata=replace(made.metadata, uid=f"vmi-{self.made}"))
            case DeleteVmi():
                self.delete_vmi()
            case ReleaseVmi():
                assert self.vmi is not None
                kept = tuple(name for name in self.vmi.metadata.finalizers or () if name != VM_FINALIZER)
                self.vmi = replace(self.vmi, metadata=replace(self.vmi.metadata, finalizers=kept))
            case SwitchOn():
                self.set_strategy("Always")

    # ---- what everybody else does

    def others(self) -> None:
        """The guest comes up or ends, and what is over loses its finalizer and goes."""
        found = self.vmi
        if found is None:
            return
        if is_leaving(found) and not is_final(found):
            self.vmi = with_phase(found, "Succeeded", self.now)
        elif is_leaving(found) or is_final(found):
            kept = tuple(name for name in found.metadata.finalizers or () if name == VM_FINALIZER)
            self.vmi = replace(found, metadata=replace(found.metadata, finalizers=kept))
            if is_leaving(found) and not kept:
                self.vmi = None
        elif found.status.phase != "Running":
            self.vmi = with_phase(found, "Running" if self.comes_up else "Failed", self.now)

    def end_guest(self, phase: str) -> None:
        if self.vmi is not None and not is_final(self.vmi):
            self.vmi = with_phase(self.vmi, phase, self.now)

    def delete_vmi(self) -> None:
        if self.vmi is not None and not is_leaving(self.vmi):
            self.vmi = replace(
                self.vmi, metadata=replace(self.vmi.metadata, deletion_timestamp=at(self.seconds))
            )

    # ---- what virt-api does

    def set_strategy(self, strategy: str) -> None:
        self.strategy = strategy
        self.vm = replace(self.vm, spec=replace(self.vm.spec, run_strategy=strategy))

    def request(self, *requests: Request) -> None:
        self.vm = replace(self.vm, status=replace(self.vm.status, state_change_requests=requests))

    def start(self) -> None:
        if self.vmi is not None and not is_final(self.vmi):
            return
        if self.strategy == "Halted":
            self.set_strategy("Always")
        elif self.strategy in ("Manual", "RerunOnFailure"):
            stop = (Request(action="Stop", uid=self.vmi.metadata.uid),) if self.vmi else ()
            self.request(*stop, Request(action="Start"))

    def stop(self) -> None:
        if self.strategy in ("Always", "Once"):
            self.set_strategy("Halted")
        elif self.strategy != "Halted" and self.vmi is not None and not is_final(self.vmi):
            self.request(Request(action="Stop", uid=self.vmi.metadata.uid))

    def restart(self) -> None:
        if self.vmi is not None and self.strategy not in ("Halted", "Once"):
            self.request(Request(action="Stop", uid=self.vmi.metadata.uid), Request(action="Start"))


def state(world: World) -> str:
    if world.vmi is None:
        return "off"
    return "ended" if is_final(world.vmi) else f"running {world.made}"


_AGAIN_AFTER = {
    "poweroff": ("Always",),
    "crash": ("Always", "RerunOnFailure"),
    "start": ("Always", "RerunOnFailure", "Manual", "Halted"),
    "restart": ("Always", "RerunOnFailure", "Manual"),
    "delete": ("Always", "Once"),
}


def expected(before: str, strategy: str, event: str, fresh: str) -> str:
    """The table: what the VM comes to after an event. before: off, ended, or running with a number."""
    again = strategy in _AGAIN_AFTER.get(event, ())
    if before == "off" and event != "start":
        return "off"
    if event in ("poweroff", "crash") and before.startswith("running"):
        return fresh if again else "off" if strategy == "RerunOnFailure" else "ended"
    if event == "start" and not before.startswith("running"):
        return fresh if again else before
    if event == "stop" and (before.startswith("running") or strategy in ("Always", "Once")):
        return "off"
    if event in ("restart", "delete") and again:
        return fresh
    return "off" if event == "delete" else before


EVENTS = ("poweroff", "crash", "start", "stop", "restart", "delete")


@settings(max_examples=2000, deadline=None)
@given(st.sampled_from(STRATEGIES), st.lists(st.sampled_from(EVENTS), max_size=8), st.integers(0, 2**32))
def test_every_life_goes_as_the_table_says(strategy: str, events: list[str], seed: int) -> None:
    world = World(strategy, Random(seed))
    world.settle()
    first = {"Always": 1, "RerunOnFailure": 1, "Once": 1}.get(strategy)
    assert state(world) == (f"running {first}" if first else "off")
    for event in events:
        before, acting = state(world), world.strategy
        wanted = expected(before, acting, event, fresh=f"running {world.made + 1}")
        happen(world, event)
        world.settle()
        assert state(world) == wanted, (acting, before, event, world.log)


def happen(world: World, event: str) -> None:
    match event:
        case "poweroff":
            world.end_guest("Succeeded")
        case "crash":
            world.end_guest("Failed")
        case "delete":
            world.delete_vmi()
        case "start" | "stop" | "restart":
            getattr(world, event)()


@given(st.sampled_from(("Always", "RerunOnFailure")), st.integers(1, 6), st.integers(0, 2**32))
def test_guests_that_never_come_up_are_tried_ever_later_and_forgiven_once_they_run(
    strategy: str, failures: int, seed: int
) -> None:
    world = World(strategy, Random(seed), comes_up=False)
    while world.made <= failures:
        wait = world.control()
        world.others()
        world.seconds += wait
    waited = world.seconds
    lower = sum(min(10 * n**2 * 1.25, 300) for n in range(1, failures + 1))
    assert lower - failures <= waited <= lower + 2 * failures
    world.comes_up = True
    world.settle()
    assert state(world).startswith("running")
    assert world.vm.status.start_failure is None
