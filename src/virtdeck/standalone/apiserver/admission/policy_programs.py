"""A ValidatingAdmissionPolicy compiled: what it says of a write with one set of parameters."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from virtdeck.cel.environment import MOST_PER_CALL, MOST_PER_REQUEST, compiled
from virtdeck.cel.programs import Meter, Program
from virtdeck.cel.syntax import ExpressionError
from virtdeck.cel.types import Type
from virtdeck.cel.values import CostExceeded, EvaluationError
from virtdeck.standalone.apiserver.admission.conditions import ConditionFailed, Conditions
from virtdeck.standalone.apiserver.schema.admission_types import (
    policy_variables,
    with_variable,
)

Obj = dict[str, Any]

_LONGEST_MESSAGE = 5 * 1024
_LONGEST_NOTE = 10 * 1024


@dataclass(frozen=True)
class Failure:
    """A validation that does not hold, or cannot be evaluated. index: its place in the policy."""

    message: str
    reason: str
    index: int = 0


@dataclass(frozen=True)
class _Expression:
    """fault: why it does not compile, if so."""

    text: str
    program: Program | None
    fault: str = ""

    def evaluate(self, values: Mapping[str, Any], meter: Meter) -> Any:
        if self.program is None:
            raise EvaluationError(f"compilation error: {self.fault}")
        return self.program.evaluate(values, meter)


@dataclass(frozen=True)
class _Validation:
    check: _Expression
    message: str
    message_expression: _Expression | None
    reason: str


class Variables:
    """The map ``variables``: each entry is evaluated when it is first asked for."""

    cel_type = "map"

    def __init__(self, expressions: Mapping[str, _Expression], values: Obj, meter: Meter) -> None:
        self._expressions = expressions
        self._values = {**values, "variables": self}
        self._meter = meter
        self._found: Obj = {}

    def keys(self) -> Iterator[str]:
        return iter(self._expressions)

    def __contains__(self, name: object) -> bool:
        return name in self._expressions

    def __getitem__(self, name: str) -> Any:
        if name not in self._found:
            self._found[name] = self._expressions[name].evaluate(self._values, self._meter)
        return self._found[name]


@dataclass(frozen=True)
class Policy:
    """uses: the variables that its expressions name."""

    fails_closed: bool
    conditions: Conditions
    variables: Mapping[str, _Expression]
    validations: tuple[_Validation, ...]
    annotations: tuple[tuple[str, _Expression], ...]
    uses: frozenset[str]

    def misconfigured(self, why: str) -> list[Failure]:
        """What a binding that cannot be followed amounts to."""
        return [Failure(f"failed to configure binding: {why}", "Invalid")] if self.fails_closed else []

    def judge(self, values: Obj) -> list[Failure]:
        """Every validation that does not hold; nothing when the conditions do not want the write."""
        try:
            if not self.conditions.hold(values):
                return []
        except ConditionFailed as fault:
            return [Failure(str(fault), "Invalid")] if self.fails_closed else []
        given, meter = self._with_variables(values)
        found = []
        for index, validation in enumerate(self.validations):
            try:
                if validation.check.evaluate(given, meter) is not True:
                    found.append(Failure(_message(validation, given, meter), validation.reason, index))
            except EvaluationError as fault:
                if self.fails_closed:
                    text = f"expression '{validation.check.text}' resulted in error: {fault}"
                    found.append(Failure(text, "Invalid", index))
            except CostExceeded:
                if self.fails_closed:
                    text = f"expression '{validation.check.text}' costs more than it may"
                    found.append(Failure(text, "Invalid", index))
                break
        return found

    def notes(self, values: Obj) -> list[tuple[str, str]]:
        """Annotations for the audit log, by their keys."""
        if not self.annotations:
            return []
        given, meter = self._with_variables(values)
        found = []
        for key, expression in self.annotations:
            try:
                if not self.conditions.hold(values):
                    return []
                text = expression.evaluate(given, meter)
            except (EvaluationError, CostExceeded, ConditionFailed):
                continue
            if isinstance(text, str) and text:
                found.append((key, text[:_LONGEST_NOTE]))
        return found

    def _with_variables(self, values: Obj) -> tuple[Obj, Meter]:
        meter = Meter(MOST_PER_REQUEST, MOST_PER_CALL)
        return {**values, "variables": Variables(self.variables, values, meter)}, meter


def _message(validation: _Validation, values: Obj, meter: Meter) -> str:
    if validation.message_expression is not None:
        try:
            text = validation.message_expression.evaluate(values, meter)
        except (EvaluationError, CostExceeded):
            text = ""
        text = text.strip() if isinstance(text, str) else ""
        if text and "\n" not in text and len(text.encode()) <= _LONGEST_MESSAGE:
            return text
    return validation.message or f"failed expression: {validation.check.text}"


def compile_policy(name: str, spec: Obj) -> Policy:
    """The policy of a spec; expressions that do not compile fail when they are evaluated."""
    types = policy_variables(has_params=bool(spec.get("paramKind")))
    conditions = Conditions(spec.get("matchConditions") or (), types)
    variables: dict[str, _Expression] = {}
    for one in spec.get("variables") or ():
        found = variables[one["name"]] = _expression(one["expression"], types)
        types = with_variable(types, one["name"], found.program.type if found.program else None)
    validations = tuple(_validation(one, types) for one in spec.get("validations") or ())
    annotations = tuple(
        (one["key"], _expression(one["valueExpression"], types)) for one in spec.get("auditAnnotations") or ()
    )
    used = [*variables.values(), *(one.check for one in validations), *(one for _key, one in annotations)]
    used += [one.message_expression for one in validations if one.message_expression is not None]
    return Policy(
        fails_closed=spec.get("failurePolicy", "Fail") != "Ignore",
        conditions=conditions,
        variables=variables,
        validations=validations,
        annotations=annotations,
        uses=frozenset(name for one in used if one.program for name in one.program.uses),
    )


def _expression(text: str, types: Mapping[str, Type]) -> _Expression:
    try:
        return _Expression(text.strip(), compiled(text, types))
    except ExpressionError as fault:
        return _Expression(text.strip(), None, str(fault))


def _validation(given: Obj, types: Mapping[str, Type]) -> _Validation:
    message = given.get("messageExpression")
    return _Validation(
        check=_expression(given["expression"], types),
        message=(given.get("message") or "").strip(),
        message_expression=_expression(message, types) if message else None,
        reason=given.get("reason") or "Invalid",
    )
