"""Macros over lists and maps; each turn is counted before it is taken."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from virtdeck.cel.adapting import Adapter, adapter_of
from virtdeck.cel.compiled import SPENT, Compiled, Compiler, Frame, Run, spend
from virtdeck.cel.costs import LIST, MAP
from virtdeck.cel.syntax import Let, Loop
from virtdeck.cel.values import EvaluationError, Optional


@dataclass(frozen=True, slots=True)
class _Body:
    """The parts of a loop. turns: an iterator that leaves each item in the frame and counts the turn."""

    turns: Callable[[Frame], Iterator[None]]
    when: Run | None
    then: Run | None
    then_cost: int
    entry: Callable[[Frame], Any]


def loop_of(node: Loop, scope: Mapping[str, int], compiler: Compiler) -> Compiled:
    """A macro as a function."""
    over, fixed = compiler.compiled(node.over, scope)
    places = tuple(compiler.place() for _ in node.names)
    inner = {**scope, **dict(zip(node.names, places, strict=True))}
    when, when_cost = compiler.compiled(node.when, inner) if node.when is not None else (None, 0)
    then, then_cost = compiler.compiled(node.then[0], inner) if node.then else (None, 0)
    make, setup, turn = _MACROS[node.macro]
    of = compiler.type_of(node.over)
    adapt = adapter_of(of.params[-1]) if of.params and not (of.kind == "map" and len(places) == 1) else None
    body = _Body(_turns(over, places, turn + when_cost, adapt), when, then, then_cost, _entry(places))
    return make(body), fixed + setup


def _entry(places: tuple[int, ...]) -> Callable[[Frame], Any]:
    place = places[0]
    return lambda frame: frame[place]


def _turns(
    over: Run, places: tuple[int, ...], cost: int, adapt: Adapter | None
) -> Callable[[Frame], Iterator[None]]:
    ranged = _single if len(places) == 1 else _pairs
    first, last = places[0], places[-1]

    def turns(frame: Frame) -> Iterator[None]:
        for key, item in ranged(over(frame)):
            spend(frame, cost)
            frame[first] = key
            frame[last] = item if adapt is None else adapt(item)
            yield None

    return turns


def _single(value: Any) -> Iterable[tuple[Any, Any]]:
    if type(value) is list or hasattr(value, "keys"):
        return ((None, item) for item in value)
    raise EvaluationError("no such overload")


def _pairs(value: Any) -> Iterable[tuple[Any, Any]]:
    if type(value) is list:
        return enumerate(value)
    if type(value) is dict:
        return value.items()
    raise EvaluationError("no such overload")


def _quantified(body: _Body, *, decisive: bool) -> Run:
    when = body.when
    if when is None:
        raise TypeError("a quantifier has a condition")

    def run(frame: Frame) -> Any:
        fault: EvaluationError | None = None
        for _ in body.turns(frame):
            try:
                value = when(frame)
            except EvaluationError as error:
                fault = fault or error
                continue
            if value is decisive:
                return decisive
            if type(value) is not bool:
                fault = fault or EvaluationError("no such overload")
        if fault is not None:
            raise fault
        return not decisive

    return run


def _all(body: _Body) -> Run:
    return _quantified(body, decisive=False)


def _exists(body: _Body) -> Run:
    return _quantified(body, decisive=True)


def _holding(body: _Body) -> Callable[[Frame], Iterator[None]]:
    """The turns whose condition holds; what they make is paid for."""
    when, cost = body.when, body.then_cost

    def turns(frame: Frame) -> Iterator[None]:
        for _ in body.turns(frame):
            value = when(frame) if when is not None else True
            if value is True:
                frame[SPENT] += cost
                yield None
            elif value is not False:
                raise EvaluationError("no such overload")

    return turns


def _exists_one(body: _Body) -> Run:
    turns = _holding(body)
    return lambda frame: sum(1 for _ in turns(frame)) == 1


def _filter(body: _Body) -> Run:
    turns, entry = _holding(body), body.entry
    return lambda frame: [entry(frame) for _ in turns(frame)]


def _map(body: _Body) -> Run:
    turns, then = _holding(body), body.then
    if then is None:
        raise TypeError("a map makes something of each item")
    return lambda frame: [then(frame) for _ in turns(frame)]


def _transform_map(body: _Body) -> Run:
    turns, then, entry = _holding(body), body.then, body.entry
    if then is None:
        raise TypeError("a map makes something of each item")
    return lambda frame: {entry(frame): then(frame) for _ in turns(frame)}


def _transform_entries(body: _Body) -> Run:
    turns, then = _holding(body), body.then
    if then is None:
        raise TypeError("a map makes something of each item")

    def run(frame: Frame) -> Any:
        found: dict[Any, Any] = {}
        for _ in turns(frame):
            for key, value in then(frame).items():
                if key in found:
                    raise EvaluationError(f"insert failed: key {key} already exists")
                found[key] = value
        return found

    return run


# How a macro is made, what it costs once and what each turn does beside its parts, as its expansion would.
_MACROS: dict[str, tuple[Callable[[_Body], Run], int, int]] = {
    "all": (_all, 1, 3),
    "exists": (_exists, 1, 4),
    "exists_one": (_exists_one, 2, 2),
    "filter": (_filter, LIST + 1, LIST + 3),
    "map": (_map, LIST + 1, LIST + 2),
    "transformList": (_map, LIST + 1, LIST + 2),
    "transformMap": (_transform_map, MAP + 1, 3),
    "transformMapEntry": (_transform_entries, MAP + 1, 3),
}


def macro_costs(macro: str) -> tuple[int, int]:
    """What a macro costs once, and what each turn costs beside its parts."""
    _make, setup, turn = _MACROS[macro]
    return setup, turn


def let_of(node: Let, scope: Mapping[str, int], compiler: Compiler) -> Compiled:
    """``optMap`` and ``optFlatMap`` as a function."""
    over, fixed = compiler.compiled(node.over, scope)
    place = compiler.place()
    then, cost = compiler.compiled(node.then, {**scope, node.name: place})

    def run(frame: Frame) -> Any:
        value = over(frame)
        if type(value) is not Optional:
            raise EvaluationError("no such overload")
        if not value.present:
            return value
        frame[place] = value.value
        frame[SPENT] += cost
        result = then(frame)
        return result if node.flat else Optional(True, result)

    return run, fixed + 1
