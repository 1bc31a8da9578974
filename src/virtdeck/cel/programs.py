"""A checked expression as nested functions, and what running it costs.

A function takes the frame: a list of what was spent, what may be spent, and the variables, each in its place.
What a node costs whatever the values are is known when it is compiled, and added where a branch is entered.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from virtdeck.cel.adapting import Adapter, adapter_of
from virtdeck.cel.checker import Checked
from virtdeck.cel.compiled import SPENT, VARIABLES, Compiled, Frame, Run, constant
from virtdeck.cel.compiled_calls import call_of
from virtdeck.cel.compiled_logic import BRANCHES
from virtdeck.cel.compiled_loops import let_of, loop_of
from virtdeck.cel.costs import LIST, MAP
from virtdeck.cel.names import key_of
from virtdeck.cel.syntax import (
    Call,
    Ident,
    Let,
    ListOf,
    Literal,
    Loop,
    MapOf,
    Node,
    Select,
)
from virtdeck.cel.types import Type
from virtdeck.cel.values import NOTHING, CostExceeded, EvaluationError, Optional


@dataclass(slots=True)
class Meter:
    """What several programs may spend together, and each of them alone."""

    left: int
    per_call: int

    def limit(self) -> int:
        return min(self.left, self.per_call)


@dataclass(frozen=True)
class Program:
    """An expression that can be run. uses: the variables that it names."""

    run: Run
    fixed: int
    size: int
    variables: tuple[str, ...]
    uses: frozenset[str]
    type: Type

    def evaluate(self, values: Mapping[str, Any], meter: Meter) -> Any:
        """The expression's value. Raises: EvaluationError, CostExceeded."""
        frame: Frame = [self.fixed, meter.limit(), *[values.get(name) for name in self.variables]]
        frame += [None] * (self.size - len(frame))
        try:
            result = self.run(frame)
        finally:
            meter.left -= frame[SPENT]
        if frame[SPENT] > frame[1]:
            raise CostExceeded
        return result


def compile_program(checked: Checked, variables: Sequence[str]) -> Program:
    """The program; ``variables`` are what it may be given."""
    compiler = _Compiler(checked, variables)
    run, fixed = compiler.compiled(checked.root, compiler.scope)
    return Program(run, fixed, compiler.size, tuple(variables), frozenset(checked.variables), checked.type)


Scope = Mapping[str, int]


class _Compiler:
    def __init__(self, checked: Checked, variables: Sequence[str]) -> None:
        self._checked = checked
        self.scope = {name: place for place, name in enumerate(variables, VARIABLES)}
        self.size = VARIABLES + len(variables)

    def place(self) -> int:
        """A place of the frame that nothing else uses."""
        self.size += 1
        return self.size - 1

    def type_of(self, node: Node) -> Type:
        return self._checked.types[node]

    def compiled(self, node: Node, scope: Scope) -> Compiled:  # noqa: PLR0911 - one for each kind of node
        if node in self._checked.constants:
            return constant(self._checked.constants[node])
        match node:
            case Literal():
                return constant(node.value)
            case Ident():
                return _variable(scope[node.name.removeprefix(".")], adapter_of(self.type_of(node)))
            case Select():
                if node in self._checked.named:
                    return _variable(scope[self._checked.named[node]], adapter_of(self.type_of(node)))
                return self._select(node, scope)
            case Call():
                return self._call(node, scope)
            case ListOf():
                return self._list(node, scope)
            case MapOf():
                return self._map(node, scope)
            case Loop():
                return loop_of(node, scope, self)
            case Let():
                return let_of(node, scope, self)
        raise TypeError(node)

    def _select(self, node: Select, scope: Scope) -> Compiled:
        operand, fixed = self.compiled(node.operand, scope)
        of = self.type_of(node.operand)
        chained = of.kind == "optional_type"
        holder = of.params[0] if chained else of
        key = key_of(node.field) if holder.kind == "object" else node.field
        if node.test:
            return _tested(operand, key), fixed
        found = self.type_of(node)
        adapt = adapter_of(found.params[0] if found.kind == "optional_type" and found.params else found)
        if chained or node.optional:
            return _selected_maybe(operand, key, adapt), fixed + 1
        return _selected(operand, key, adapt), fixed + 1

    def _call(self, node: Call, scope: Scope) -> Compiled:
        branch = BRANCHES.get(node.name)
        if branch is not None and node.target is None:
            return branch(*(self.compiled(one, scope) for one in node.args))
        args = list(node.args)
        if node.target is not None and node not in self._checked.qualified:
            args.insert(0, node.target)
        types = [self.type_of(one) for one in args]
        parts = [self.compiled(one, scope) for one in args]
        return call_of(self._checked.calls[node], types, parts, adapter_of(self.type_of(node)))

    def _list(self, node: ListOf, scope: Scope) -> Compiled:
        parts = [self.compiled(item, scope) for item in node.items]
        runs = [run for run, _fixed in parts]
        fixed = LIST + sum(fixed for _run, fixed in parts)
        if node.optional:
            return _list_of_present(runs, node.optional), fixed
        return (lambda frame: [run(frame) for run in runs]), fixed

    def _map(self, node: MapOf, scope: Scope) -> Compiled:
        parts = [(self.compiled(key, scope), self.compiled(value, scope)) for key, value in node.entries]
        runs = [(key, value) for (key, _), (value, _) in parts]
        fixed = MAP + sum(one + other for (_, one), (_, other) in parts)
        return _map_of(runs, node.optional), fixed


def _variable(place: int, adapt: Adapter | None) -> Compiled:
    if adapt is None:
        return (lambda frame: frame[place]), 1
    return (lambda frame: adapt(frame[place])), 1


def _selected(operand: Run, key: str, adapt: Adapter | None) -> Run:
    def run(frame: Frame) -> Any:
        try:
            value = operand(frame)[key]
        except KeyError as fault:
            raise EvaluationError(f"no such key: {key}") from fault
        except TypeError as fault:
            raise EvaluationError("no such overload") from fault
        return value if adapt is None else adapt(value)

    return run


def _selected_maybe(operand: Run, key: str, adapt: Adapter | None) -> Run:
    def run(frame: Frame) -> Any:
        value = operand(frame)
        if type(value) is Optional:
            if not value.present:
                return value
            value = value.value
        if not hasattr(value, "keys"):
            raise EvaluationError("no such overload")
        if key not in value:
            return NOTHING
        found = value[key]
        return Optional(True, found if adapt is None else adapt(found))

    return run


def _tested(operand: Run, key: str) -> Run:
    def run(frame: Frame) -> Any:
        value = operand(frame)
        if type(value) is Optional:
            if not value.present:
                return False
            value = value.value
        if hasattr(value, "keys"):
            return key in value
        raise EvaluationError("no such overload")

    return run


def _list_of_present(runs: list[Run], optional: frozenset[int]) -> Run:
    def run(frame: Frame) -> Any:
        found = []
        for place, part in enumerate(runs):
            value = part(frame)
            if place not in optional:
                found.append(value)
            elif value.present:
                found.append(value.value)
        return found

    return run


_KEYS = (str, int, bool)


def _map_of(runs: list[tuple[Run, Run]], optional: frozenset[int]) -> Run:
    def run(frame: Frame) -> Any:
        found: dict[Any, Any] = {}
        for place, (key_run, value_run) in enumerate(runs):
            key, value = key_run(frame), value_run(frame)
            if not isinstance(key, _KEYS):
                raise EvaluationError("unsupported key type")
            if key in found:
                raise EvaluationError(f"Failed with repeated key: {key}")
            if place not in optional:
                found[key] = value
            elif value.present:
                found[key] = value.value
        return found

    return run
