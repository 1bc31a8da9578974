"""Calls: of the one overload that the types leave, or of the one that fits the values."""

from collections.abc import Sequence
from math import ceil
from typing import Any

from virtdeck.cel.adapting import Adapter
from virtdeck.cel.compiled import Compiled, Frame, Run, spend
from virtdeck.cel.costs import size_of
from virtdeck.cel.signatures import Overload
from virtdeck.cel.types import Type
from virtdeck.cel.values import EvaluationError

_UNSURE = ("dyn", "free", "null_type")


def call_of(
    overloads: tuple[Overload, ...], types: Sequence[Type], parts: Sequence[Compiled], adapt: Adapter | None
) -> Compiled:
    """The call of a function with these arguments."""
    runs = [run for run, _fixed in parts]
    fixed = sum(cost for _run, cost in parts)
    sure = len(overloads) == 1 and not any(_unsure(one) for one in types)
    if sure and (flat := overloads[0].cost.flat) is not None:
        return _adapted(_plain(overloads[0], runs), adapt), fixed + flat
    run = _counted(overloads[0], runs) if sure else _dispatched(overloads, runs)
    return _adapted(run, adapt), fixed


def _unsure(of: Type) -> bool:
    return of.kind in _UNSURE or any(map(_unsure, of.params))


def _adapted(run: Run, adapt: Adapter | None) -> Run:
    return run if adapt is None else lambda frame: adapt(run(frame))


def _plain(overload: Overload, runs: Sequence[Run]) -> Run:
    call = overload.run
    if len(runs) == 1:
        (only,) = runs
        return lambda frame: call(only(frame))
    if len(runs) == 2:
        left, right = runs
        return lambda frame: call(left(frame), right(frame))
    return lambda frame: call(*[run(frame) for run in runs])


def _counted(overload: Overload, runs: Sequence[Run]) -> Run:
    def run(frame: Frame) -> Any:
        return _charged(overload, tuple([part(frame) for part in runs]), frame)

    return run


def _charged(overload: Overload, args: tuple[Any, ...], frame: Frame) -> Any:
    """The overload's result. Raises: CostExceeded before it is called, if it costs too much."""
    cost = overload.cost
    spend(frame, cost.counted(args))
    try:
        result = overload.run(*args)
    except (TypeError, AttributeError, OverflowError) as fault:  # what dynamic lists hold is seen no earlier
        raise EvaluationError("no such overload") from fault
    if cost.made:
        spend(frame, ceil(size_of(result) * cost.made))
    return result


def _dispatched(overloads: tuple[Overload, ...], runs: Sequence[Run]) -> Run:
    known: dict[tuple[type, ...], Overload] = {}  # which overload values of these classes lead to

    def run(frame: Frame) -> Any:
        args = tuple([part(frame) for part in runs])
        classes = tuple(map(type, args))
        overload = known.get(classes)
        if overload is None:
            overload = next((one for one in overloads if one.takes(args)), None)
            if overload is None:
                raise EvaluationError("no such overload")
            known[classes] = overload
        return _charged(overload, args, frame)

    return run
