"""And, or, the conditional: what is not evaluated is not paid for, and what decides overrules errors."""

from collections.abc import Callable
from typing import Any

from virtdeck.cel.compiled import SPENT, Compiled, Frame
from virtdeck.cel.values import EvaluationError


def _and(left: Compiled, right: Compiled) -> Compiled:
    return _either(left, right, decisive=False)


def _or(left: Compiled, right: Compiled) -> Compiled:
    return _either(left, right, decisive=True)


def _either(left: Compiled, right: Compiled, *, decisive: bool) -> Compiled:
    """One side that is ``decisive`` is the result, even if the other one fails."""
    (run_left, fixed), (run_right, cost_right) = left, right
    neutral = not decisive

    def run(frame: Frame) -> Any:
        fault = None
        try:
            first = run_left(frame)
        except EvaluationError as error:
            fault, first = error, None
        if first is decisive:
            return decisive
        frame[SPENT] += cost_right
        second = run_right(frame)
        if second is decisive:
            return decisive
        if fault is not None:
            raise fault
        if first is neutral and second is neutral:
            return neutral
        raise EvaluationError("no such overload")

    return run, fixed


def _conditional(condition: Compiled, then: Compiled, otherwise: Compiled) -> Compiled:
    (run_condition, fixed), (run_then, cost_then), (run_otherwise, cost_otherwise) = (
        condition,
        then,
        otherwise,
    )

    def run(frame: Frame) -> Any:
        value = run_condition(frame)
        if value is True:
            frame[SPENT] += cost_then
            return run_then(frame)
        if value is False:
            frame[SPENT] += cost_otherwise
            return run_otherwise(frame)
        raise EvaluationError("no such overload")

    return run, fixed


BRANCHES: dict[str, Callable[..., Compiled]] = {"_&&_": _and, "_||_": _or, "_?_:_": _conditional}
