"""When a VirtualMachine runs, and what must rest while it is saved (V253–V256, V282–V284)."""

from collections.abc import Iterator

from virtdeck.gateway.admission.machine import Machine
from virtdeck.gateway.admission.rule import (
    FORBIDDEN,
    INVALID,
    NOT_SUPPORTED,
    REQUIRED,
    WARNING,
    Place,
    Rules,
    at,
)
from virtdeck.gateway.admission.verdict import one_of_words

RULES: Rules[Machine] = Rules("VM")
WARNINGS: Rules[Machine] = Rules("VM")
PROTECTION: Rules[Machine] = Rules("VM, deleted")

RUN_STRATEGIES = ("Always", "RerunOnFailure", "Manual", "Halted", "Once")
WAIT = "WaitAsReceiver"
PROTECTED = "kubevirt.io/vm-delete-protection"
_SAVED = "cannot change while the snapshot {name} is being taken"


@RULES.rule("V253", "spec.running", INVALID, "cannot be used together with runStrategy; remove running")
def run_strategy_is_said_once(machine: Machine) -> Iterator[Place]:
    """Both are given."""
    if machine.vm.spec.running is not None and machine.vm.spec.run_strategy:
        yield at()


@RULES.rule("V254", "spec.runStrategy", REQUIRED, f"must be {one_of_words(RUN_STRATEGIES)}")
def run_strategy_is_given(machine: Machine) -> Iterator[Place]:
    """Neither it nor running is given."""
    if machine.vm.spec.running is None and not machine.vm.spec.run_strategy:
        yield at()


@RULES.rule(
    "V255",
    "spec.runStrategy",
    NOT_SUPPORTED,
    f"{{value!r}} is not supported; use {one_of_words(RUN_STRATEGIES)}",
)
def run_strategy_is_known(machine: Machine) -> Iterator[Place]:
    """It is another word; WaitAsReceiver, for which a target of a migration is made, is known as well."""
    value = machine.vm.spec.run_strategy
    if value not in (None, "", WAIT, *RUN_STRATEGIES):
        yield at(value=value)


@RULES.gate("V256", "spec.runStrategy", "DecentralizedLiveMigration")
def waiting_needs_its_gate(machine: Machine) -> Iterator[Place]:
    """It is WaitAsReceiver and the gate is off."""
    if machine.vm.spec.run_strategy == WAIT:
        yield at()


@RULES.choice("", "spec.updateVolumesStrategy", "Replacement", "Migration")
def volume_strategy_is_known(machine: Machine) -> Iterator[Place]:
    """It is another word."""
    yield at(value=machine.vm.spec.update_volumes_strategy)


@RULES.rule("V282", "spec.template.spec.volumes", FORBIDDEN, _SAVED)
def disks_rest_while_they_are_saved(machine: Machine) -> Iterator[Place]:
    """Disks or volumes change while status.snapshotInProgress names a snapshot."""
    if machine.old is None or not machine.old.status.snapshot_in_progress:
        return
    before, after = machine.old.spec.template.spec, machine.vm.spec.template.spec
    disks = (before.domain.devices.disks or (), after.domain.devices.disks or ())
    if disks[0] != disks[1] or (before.volumes or ()) != (after.volumes or ()):
        yield at(name=machine.old.status.snapshot_in_progress)


@RULES.rule("V283", "spec.runStrategy", FORBIDDEN, _SAVED)
def power_rests_while_it_is_saved(machine: Machine) -> Iterator[Place]:
    """It or running changes while status.snapshotInProgress names a snapshot."""
    if machine.old is None or not machine.old.status.snapshot_in_progress:
        return
    before, after = machine.old.spec, machine.vm.spec
    if (before.running, before.run_strategy) != (after.running, after.run_strategy):
        yield at(name=machine.old.status.snapshot_in_progress)


@RULES.rule("V284", "spec.runStrategy", FORBIDDEN, "must be Halted while {name} is being restored")
def nothing_starts_while_it_is_restored(machine: Machine) -> Iterator[Place]:
    """The spec changes to one that would run while status.restoreInProgress names a restore."""
    if machine.old is None or not machine.old.status.restore_in_progress:
        return
    spec = machine.vm.spec
    runs = spec.running if spec.running is not None else spec.run_strategy != "Halted"
    if runs and spec != machine.old.spec:
        yield at(name=machine.old.status.restore_in_progress)


@WARNINGS.rule("", "spec.running", WARNING, "is deprecated; use runStrategy: {strategy}")
def running_is_deprecated(machine: Machine) -> Iterator[Place]:
    """It is used."""
    if machine.vm.spec.running is not None:
        yield at(strategy="Always" if machine.vm.spec.running else "Halted")


@PROTECTION.rule(
    "",
    "metadata.labels[]",
    FORBIDDEN,
    "protects the virtual machine from being deleted; set it to false or remove it first",
)
def protected_machine_stays(machine: Machine) -> Iterator[Place]:
    """It is True or true."""
    if (machine.vm.metadata.labels or {}).get(PROTECTED) in ("True", "true"):
        yield at(PROTECTED)
