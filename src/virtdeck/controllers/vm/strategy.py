"""Which run strategy a VM has."""

from virtdeck.crds.kubevirt.vm import VirtualMachine

ALWAYS = "Always"
RERUN_ON_FAILURE = "RerunOnFailure"
MANUAL = "Manual"
HALTED = "Halted"
ONCE = "Once"

KNOWN = frozenset({ALWAYS, RERUN_ON_FAILURE, MANUAL, HALTED, ONCE})
RESTARTING = frozenset({ALWAYS, RERUN_ON_FAILURE, ONCE})


def run_strategy(vm: VirtualMachine) -> str:
    """The strategy; ``running`` is its older, two-valued form. A VM with neither stays off."""
    if vm.spec.run_strategy:
        return vm.spec.run_strategy
    return ALWAYS if vm.spec.running else HALTED
