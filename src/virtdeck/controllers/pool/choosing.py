"""Which machines come first where not all can; pure."""

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

from virtdeck.controllers.pool.observed import Machine
from virtdeck.crds.core.scheduling import NodeSelectorRequirement
from virtdeck.crds.pool.strategies import VirtualMachinePoolSelectionPolicy, VirtualMachinePoolSelectors
from virtdeck.crds.selectors import LabelSelectorRequirement, matches, requirements

Order = Callable[[Machine], Any]


def in_order(
    machines: Iterable[Machine], policy: VirtualMachinePoolSelectionPolicy | None, seed: int
) -> list[Machine]:
    """The machines, those that the policy wants first at the front. seed: decides where chance does."""
    policy = policy or VirtualMachinePoolSelectionPolicy()
    by_policy = sorted(machines, key=_order(policy.sort_policy, seed))
    if policy.sort_policy in ("DescendingOrder", "Newest"):
        by_policy.reverse()
    selectors = policy.selectors
    if selectors is None:
        return by_policy
    return sorted(by_policy, key=lambda machine: not _is_selected(machine, selectors))


def _order(sort_policy: str | None, seed: int) -> Order:
    match sort_policy:
        case "AscendingOrder" | "DescendingOrder":
            return lambda machine: machine.index
        case "Newest" | "Oldest":
            return lambda machine: (machine.vm.metadata.creation_timestamp or "", machine.index)
        case _:
            return lambda machine: hashlib.sha256(f"{seed} {machine.vm.metadata.uid}".encode()).digest()


def _is_selected(machine: Machine, selectors: VirtualMachinePoolSelectors) -> bool:
    """True when the machine's template passes all tests that are given."""
    template = machine.vm.spec.template
    tests = [matches(requirements(selectors.label_selector), template.metadata.labels)]
    placement = template.spec.node_selector or {}
    tests += [_passes(test, placement) for test in selectors.node_selector_requirement_matcher or ()]
    return all(tests)


def _passes(test: NodeSelectorRequirement, placement: dict[str, str]) -> bool:
    values = test.values or ()
    if test.operator in ("Gt", "Lt"):
        return _compares(test.operator, placement.get(test.key, ""), values[0] if values else "")
    same = LabelSelectorRequirement(key=test.key, operator=test.operator, values=values)
    return matches((same,), placement)


def _compares(operator: str, value: str, bound: str) -> bool:
    try:
        return int(value) > int(bound) if operator == "Gt" else int(value) < int(bound)
    except ValueError:
        return False
