"""A virtual machine as lists show it: the VirtualMachine and its running instance in one value."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from virtdeck.basis.clock import parse_rfc3339
from virtdeck.basis.errors import Invalid
from virtdeck.crds.instancetype.instancetype import VirtualMachineInstancetypeSpec
from virtdeck.crds.kubevirt.vm import InstancetypeMatcher, PreferenceMatcher, VirtualMachine
from virtdeck.crds.kubevirt.vmi import (
    VirtualMachineInstance,
    VirtualMachineInstanceSpec,
)
from virtdeck.crds.quantity import parse_bytes, parse_quantity
from virtdeck.gateway.console.views.state import State, conditions_of, holds, state_of


@dataclass(frozen=True)
class Machine:
    """memory: bytes, 0 when not said. vcpus: 0 when an instance type says it that is not known.

    version: changes when anything shown here may have changed.
    """

    namespace: str
    name: str
    uid: str
    has_vm: bool
    has_vmi: bool
    instance_uid: str
    state: State
    node: str
    addresses: tuple[str, ...]
    vcpus: int
    memory: int
    guest_os: str
    created: datetime | None
    started: datetime | None
    run_strategy: str
    instancetype: str
    preference: str
    paused: bool
    agent: bool
    restart_required: bool
    labels: tuple[tuple[str, str], ...]
    problem: str
    version: str

    @property
    def url(self) -> str:
        return f"/ns/{self.namespace}/vms/{self.name}"

    @property
    def dom_id(self) -> str:
        return dom_id(self.namespace, self.name)

    @property
    def alive(self) -> bool:
        """A guest runs or is paused: screens and serial consoles can be opened."""
        return self.has_vmi and self.state.key in ("Running", "Paused", "Migrating")


def dom_id(namespace: str, name: str) -> str:
    """Unique in a page: neither names nor namespaces hold an underscore."""
    return f"vm_{namespace}_{name.replace('.', '__')}"


def when(text: str | None) -> datetime | None:
    """The moment, or None for what is absent or is none."""
    try:
        return parse_rfc3339(text) if text else None
    except ValueError:
        return None


def vcpus_of(spec: VirtualMachineInstanceSpec | None) -> int:
    """How many processors the guest sees: its topology, else what it requests, else one."""
    if spec is None:
        return 1
    cpu = spec.domain.cpu
    if cpu and (cpu.cores or cpu.sockets or cpu.threads):
        return (cpu.cores or 1) * (cpu.sockets or 1) * (cpu.threads or 1)
    asked = (spec.domain.resources and spec.domain.resources.requests) or {}
    try:
        return max(1, math.ceil(parse_quantity(asked["cpu"]))) if "cpu" in asked else 1
    except Invalid:
        return 1


def memory_of(spec: VirtualMachineInstanceSpec | None) -> int:
    """Bytes that the guest sees; 0 when it is not said or cannot be read."""
    if spec is None:
        return 0
    resources = spec.domain.resources
    said = (
        (spec.domain.memory and spec.domain.memory.guest)
        or ((resources and resources.requests) or {}).get("memory")
        or ((resources and resources.limits) or {}).get("memory")
    )
    try:
        return parse_bytes(said) if said else 0
    except Invalid:
        return 0


def addresses_of(vmi: VirtualMachineInstance | None) -> tuple[str, ...]:
    """Every address of every interface, once."""
    found: dict[str, None] = {}
    for one in (vmi and vmi.status and vmi.status.interfaces) or ():
        found |= dict.fromkeys(
            one.ip_addresses or (one.ip_address,) if one.ip_address else one.ip_addresses or ()
        )
    return tuple(address for address in found if address)


def started_at(vmi: VirtualMachineInstance | None) -> datetime | None:
    """Since when the guest runs."""
    for passed in (vmi and vmi.status and vmi.status.phase_transition_timestamps) or ():
        if passed.phase == "Running":
            return when(passed.phase_transition_timestamp)
    return None


def spec_of(
    vm: VirtualMachine | None, vmi: VirtualMachineInstance | None
) -> VirtualMachineInstanceSpec | None:
    """What runs if something runs, else what would."""
    return vmi.spec if vmi else vm.spec.template.spec if vm else None


def run_strategy_of(vm: VirtualMachine | None) -> str:
    """The machine's run strategy; the older ``running`` says Always or Halted."""
    if vm is None:
        return ""
    return vm.spec.run_strategy or ("Always" if vm.spec.running else "Halted")


def _size_of(instancetype: VirtualMachineInstancetypeSpec | None) -> tuple[int, int]:
    """Processors and bytes; both 0 when nothing is known."""
    try:
        return (instancetype.cpu.guest, parse_bytes(instancetype.memory.guest)) if instancetype else (0, 0)
    except Invalid:
        return 0, 0


def _name(matcher: InstancetypeMatcher | PreferenceMatcher | None) -> str:
    return (matcher.name if matcher else None) or ""


def machine_of(
    vm: VirtualMachine | None,
    vmi: VirtualMachineInstance | None,
    instancetype: VirtualMachineInstancetypeSpec | None = None,
) -> Machine | None:
    """The machine of a VM, its instance, or both; None when there is neither.

    instancetype: what the VM names, as it is now; what runs tells its size itself.
    """
    meta = vm.metadata if vm and vm.metadata else vmi.metadata if vmi else None
    if meta is None:
        return None
    state = state_of(vm, vmi)
    spec = spec_of(vm, vmi)
    conditions = conditions_of(vmi)
    guest = vmi.status.guest_os_info if vmi and vmi.status else None
    named = _name(vm.spec.instancetype if vm else None)
    vcpus, memory = vcpus_of(spec), memory_of(spec)
    if vmi is None and named:
        vcpus, memory = _size_of(instancetype)
    instance = vmi.metadata if vmi else None
    return Machine(
        namespace=meta.namespace or "",
        name=meta.name or "",
        uid=meta.uid or "",
        has_vm=vm is not None,
        has_vmi=vmi is not None,
        instance_uid=(instance and instance.uid) or "",
        state=state,
        node=(vmi and vmi.status and vmi.status.node_name) or "",
        addresses=addresses_of(vmi),
        vcpus=vcpus,
        memory=memory,
        guest_os=(guest and (guest.pretty_name or guest.name)) or "",
        created=when(meta.creation_timestamp),
        started=started_at(vmi) if vmi and state.key in ("Running", "Paused", "Migrating") else None,
        run_strategy=run_strategy_of(vm),
        instancetype=named,
        preference=_name(vm.spec.preference if vm else None),
        paused=holds(conditions, "Paused"),
        agent=holds(conditions, "AgentConnected"),
        restart_required=holds(conditions_of(vm), "RestartRequired"),
        labels=tuple(sorted((meta.labels or {}).items())),
        problem=str(state.detail),
        version=f"{vm.metadata.resource_version if vm and vm.metadata else ''}/"
        f"{instance.resource_version if instance else ''}",
    )


def size(amount: int) -> str:
    """Bytes for people: binary units, at most one decimal."""
    value = float(amount)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024:
            return f"{value:.1f}".rstrip("0").rstrip(".") + f" {unit}"
        value /= 1024
    return f"{value:.1f}".rstrip("0").rstrip(".") + " TiB"


def by_name(machines: Iterable[Machine]) -> list[Machine]:
    """In the order that people expect: namespace, then name."""
    return sorted(machines, key=lambda one: (one.namespace, one.name))
