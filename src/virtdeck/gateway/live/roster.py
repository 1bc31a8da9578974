"""All machines as the lists show them, kept current from the caches of VMs and instances."""

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractContextManager, asynccontextmanager

import anyio

from virtdeck.basis.listeners import Listeners
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.console.views.machine import Machine, machine_of
from virtdeck.kube.cache import Cache
from virtdeck.kube.objects import Key, identity
from virtdeck.kube.snapshot import Change

REMEMBERED = 4096  # changes that a stream which comes back can still be told one by one


class Roster:
    """Machines by key, and a growing number that says how much has changed. Built by ``open_roster``."""

    def __init__(self, vms: Cache[VirtualMachine], vmis: Cache[VirtualMachineInstance]) -> None:
        self._vms = vms
        self._vmis = vmis
        self._machines: dict[Key, Machine] = {}
        self._recent: deque[tuple[int, Key]] = deque(maxlen=REMEMBERED)
        self._moved = anyio.Event()
        self._listeners: Listeners[Key] = Listeners()
        self.sequence = 0
        for one in (*map(identity, vms.all()), *map(identity, vmis.all())):
            self.look(one.key)

    @property
    def known(self) -> bool:
        """Both caches have seen their first list: absence means something."""
        return self._vms.synced and self._vmis.synced

    @property
    def current(self) -> bool:
        """Both caches follow the API server now."""
        return self._vms.connected and self._vmis.connected

    def all(self) -> Iterable[Machine]:
        return self._machines.values()

    def get(self, key: Key) -> Machine | None:
        return self._machines.get(key)

    def look(self, key: Key) -> None:
        """The machine under the key is read again from the caches."""
        machine = machine_of(self._vms.get(*key), self._vmis.get(*key))
        if machine == self._machines.get(key):
            return
        if machine is None:
            del self._machines[key]
        else:
            self._machines[key] = machine
        self.sequence += 1
        self._recent.append((self.sequence, key))
        self._moved.set()
        self._listeners.tell(key)

    def listening(self, listener: Callable[[Key], None]) -> AbstractContextManager[None]:
        """``listener`` is told each machine that changes while the block runs; it must not wait."""
        return self._listeners.listening(listener)

    def note(self, change: "Change[VirtualMachine] | Change[VirtualMachineInstance]") -> None:
        self.look(change.key)

    def changed_since(self, sequence: int) -> set[Key] | None:
        """The machines that changed after ``sequence``; None when that is too long ago to know."""
        if sequence > self.sequence or sequence < 0:
            return None
        oldest = self._recent[0][0] if self._recent else self.sequence + 1
        if sequence + 1 < oldest and sequence != self.sequence:
            return None
        return {key for number, key in self._recent if number > sequence}

    async def wait_beyond(self, sequence: int) -> None:
        """Something has changed after ``sequence``. Cancel: safe."""
        while self.sequence <= sequence:
            self._moved = anyio.Event() if self._moved.is_set() else self._moved
            await self._moved.wait()


@asynccontextmanager
async def open_roster(
    vms: Cache[VirtualMachine], vmis: Cache[VirtualMachineInstance]
) -> AsyncIterator[Roster]:
    """A roster that follows the caches for as long as the block."""
    roster = Roster(vms, vmis)
    with vms.listening(roster.note), vmis.listening(roster.note):
        yield roster
