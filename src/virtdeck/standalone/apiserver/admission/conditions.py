"""``matchConditions``: whether a webhook or policy wants to hear of a write that its rules match."""

from collections.abc import Mapping, Sequence
from typing import Any

from virtdeck.cel.environment import MOST_PER_CALL, compiled
from virtdeck.cel.programs import Meter, Program
from virtdeck.cel.syntax import ExpressionError
from virtdeck.cel.types import Type
from virtdeck.cel.values import CostExceeded, EvaluationError
from virtdeck.standalone.apiserver.schema.admission_types import CONDITION_VARIABLES

# All conditions of one webhook together.
_MOST_PER_WEBHOOK = 2_500_000


class ConditionFailed(Exception):
    """No condition says no, and at least one cannot be evaluated."""


class Conditions:
    """The conditions of one webhook or policy, compiled."""

    def __init__(
        self, given: Sequence[Mapping[str, str]], variables: Mapping[str, Type] = CONDITION_VARIABLES
    ) -> None:
        self._programs: list[tuple[str, Program | str]] = []
        for one in given:
            try:
                program: Program | str = compiled(one["expression"], variables)
            except ExpressionError as fault:
                program = str(fault)
            self._programs.append((one["name"], program))

    def hold(self, values: Mapping[str, Any]) -> bool:
        """Whether all hold; one that does not outweighs others that fail. Raises: ConditionFailed."""
        meter = Meter(_MOST_PER_WEBHOOK, MOST_PER_CALL)
        faults = []
        for name, program in self._programs:
            try:
                if not _holds(program, values, meter):
                    return False
            except EvaluationError as fault:
                faults.append(f"match condition {name!r} failed: {fault}")
            except CostExceeded:
                raise ConditionFailed(f"match condition {name!r} costs more than it may") from None
        if faults:
            raise ConditionFailed("; ".join(faults))
        return True


def _holds(program: Program | str, values: Mapping[str, Any], meter: Meter) -> bool:
    if isinstance(program, str):
        raise EvaluationError(program)
    return program.evaluate(values, meter) is True
