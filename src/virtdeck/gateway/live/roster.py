"""All machines as the lists show them, kept current from the caches of VMs and instances."""

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager
from types import MappingProxyType
from typing import Any

import anyio

from virtdeck.basis.listeners import Listeners
from virtdeck.crds.instancetype.instancetype import VirtualMachineInstancetypeSpec
from virtdeck.crds.kinds import CLUSTER_INSTANCETYPE, INSTANCETYPE, Kind
from virtdeck.crds.kubevirt.vm import VirtualMachine
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance
from virtdeck.gateway.console.views.machine import Machine, machine_of
from virtdeck.instancetype.matchers import named_kind
from virtdeck.kube.cache import Cache
from virtdeck.kube.objects import Key, identity
from virtdeck.kube.snapshot import Change

Sizes = Mapping[Kind[Any], Cache[Any]]
NO_SIZES: Sizes = MappingProxyType({})

REMEMBERED = 4096  # changes that a stream which comes back can still be told one by one


class Roster:
    """Machines by key, and a growing number that says how much has changed. Built by ``open_roster``.

    sizes: instance types by kind, of which machines that are off have their size.
    """

    def __init__(
        self, vms: Cache[VirtualMachine], vmis: Cache[VirtualMachineInstance], sizes: Sizes = NO_SIZES
    ) -> None:
        self._vms = vms
        self._vmis = vmis
        self._sizes = sizes
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
        vm = self._vms.get(*key)
        machine = machine_of(vm, self._vmis.get(*key), self._size_of(vm))
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

    def note_size(self, change: Change[Any]) -> None:
        """Machines that name the instance type are looked at again."""
        for key in [key for key, one in self._machines.items() if one.instancetype == change.key.name]:
            self.look(key)

    def _size_of(self, vm: VirtualMachine | None) -> VirtualMachineInstancetypeSpec | None:
        """The instance type that the VM names, None when it is not known."""
        matcher = vm.spec.instancetype if vm else None
        kind = named_kind(matcher) if matcher else None
        if vm is None or matcher is None or kind is None or kind not in self._sizes:
            return None
        found = self._sizes[kind].get(vm.metadata.namespace if kind.namespaced else None, matcher.name or "")
        return found.spec if found is not None else None

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
    vms: Cache[VirtualMachine], vmis: Cache[VirtualMachineInstance], instancetypes: Sizes = NO_SIZES
) -> AsyncIterator[Roster]:
    """A roster that follows the caches for as long as the block."""
    sizes = {
        kind: cache for kind, cache in instancetypes.items() if kind in (INSTANCETYPE, CLUSTER_INSTANCETYPE)
    }
    roster = Roster(vms, vmis, sizes)
    with ExitStack() as listening:
        for cache in (vms, vmis):
            listening.enter_context(cache.listening(roster.note))
        for cache in sizes.values():
            listening.enter_context(cache.listening(roster.note_size))
        yield roster
