"""What is wrong with the ``x-kubernetes-validations`` of a CRD, found when it is written."""

from collections.abc import Generator, Iterator

from virtdeck.basis.errors import Cause
from virtdeck.cel.checker import Checked
from virtdeck.cel.environment import checked
from virtdeck.cel.estimate import worst_cost
from virtdeck.cel.syntax import ExpressionError
from virtdeck.cel.types import UNBOUNDED, Type
from virtdeck.standalone.apiserver.resources.rules import Obj, required, unsupported
from virtdeck.standalone.apiserver.schema.expression_types import type_of_schema
from virtdeck.standalone.apiserver.schema.field_paths import BadPath, schema_at
from virtdeck.standalone.apiserver.schema.rules import OLD_SELF, rule_variables
from virtdeck.standalone.apiserver.schema.structural import has_rules
from virtdeck.standalone.apiserver.schema.validation import show

_MOST_PER_RULE = 10_000_000
_MOST_PER_SCHEMA = 100_000_000
_LONGEST_MESSAGE = 2048
_REASONS = ("FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate")
_ADVICE = "bound the lists, maps and texts that it reads with maxItems, maxProperties and maxLength"


def causes_of_rules(schema: Obj, path: str) -> list[Cause]:
    """Every fault of a version's rules."""
    check = _Check()
    causes = list(check.walk(schema, schema, path, _Reach(root=True)))
    if not causes and check.total > _MOST_PER_SCHEMA:
        factor = _factor(check.total, _MOST_PER_SCHEMA)
        text = f"the estimated cost of all rules exceeds the budget by a factor of {factor}"
        causes.append(Cause(path, f"Forbidden: {text}; {_ADVICE}", "FieldValueForbidden"))
    return causes


class _Reach:
    """How a place is reached. times: how often its rules can run for one object. lost: the path below which
    values cannot be found again in an old object.
    """

    def __init__(self, *, root: bool = False, times: int = 1, lost: str = "") -> None:
        self.root = root
        self.times = times
        self.lost = lost

    def below(self, times: int, lost: str, embedded: bool) -> "_Reach":
        return _Reach(root=embedded, times=min(self.times * times, UNBOUNDED), lost=self.lost or lost)


class _Check:
    def __init__(self) -> None:
        self.total = 0

    def walk(self, schema: Obj, spine: Obj, path: str, reach: _Reach) -> Iterator[Cause]:
        yield from self._rules(schema, spine, path, reach)
        lost = path if spine.get("x-kubernetes-map-type") == "atomic" else ""
        for name, below in (schema.get("properties") or {}).items():
            typed = (spine.get("properties") or {}).get(name)
            if isinstance(typed, dict):
                inner = reach.below(1, lost, _embedded(typed))
                yield from self.walk(below, typed, f"{path}.properties[{name}]", inner)
        for part in ("items", "additionalProperties"):
            below, typed = schema.get(part), spine.get(part)
            if isinstance(typed, dict) and isinstance(below, dict) and has_rules(below):
                gone = path if part == "items" and spine.get("x-kubernetes-list-type") != "map" else lost
                inner = reach.below(_most(spine), gone, _embedded(typed))
                yield from self.walk(below, typed, f"{path}.{part}", inner)
        for index, one in enumerate(schema.get("allOf") or ()):
            yield from self.walk(one, spine, f"{path}.allOf[{index}]", reach)

    def _rules(self, schema: Obj, spine: Obj, path: str, reach: _Reach) -> Iterator[Cause]:
        given = schema.get("x-kubernetes-validations") or ()
        if not given:
            return
        of = type_of_schema(spine, root=reach.root)
        if of is None:
            text = "Invalid value: rules need a schema with a type that expressions can see"
            yield Cause(f"{path}.x-kubernetes-validations", text)
            return
        for index, rule in enumerate(given):
            place = f"{path}.x-kubernetes-validations[{index}]"
            causes = [*_form(rule, spine, place), *self._expressions(rule, of, place, reach)]
            yield from causes

    def _expressions(self, rule: Obj, of: Type, place: str, reach: _Reach) -> Iterator[Cause]:
        variables = rule_variables(of, bool(rule.get("optionalOldSelf")))
        text = rule.get("rule") or ""
        if not text.strip():
            return
        found = yield from self._expression(text, variables, "bool", f"{place}.rule", reach)
        if message := (rule.get("messageExpression") or "").strip():
            yield from self._expression(message, variables, "string", f"{place}.messageExpression", reach)
        if found is not None:
            yield from _about_old(rule, OLD_SELF in found.variables, place, reach)

    def _expression(
        self, text: str, variables: dict[str, Type], wanted: str, place: str, reach: _Reach
    ) -> Generator[Cause, None, Checked | None]:
        """What is wrong with an expression; the expression, if it can be read at all."""
        try:
            found = checked(text, variables)
        except ExpressionError as fault:
            yield Cause(place, f"Invalid value: {show(text)}: compilation failed: {fault}")
            return None
        if found.type.kind != wanted:
            yield Cause(place, f"Invalid value: {show(text)}: cel expression must evaluate to a {wanted}")
            return found
        cost = min(worst_cost(found) * reach.times, UNBOUNDED)
        self.total += cost
        if cost > _MOST_PER_RULE:
            factor = _factor(cost, _MOST_PER_RULE)
            why = f"the estimated cost of the rule exceeds the budget by a factor of {factor}; {_ADVICE}"
            yield Cause(place, f"Forbidden: {why}", "FieldValueForbidden")
        return found


def _embedded(schema: Obj) -> bool:
    return bool(schema.get("x-kubernetes-embedded-resource"))


def _most(schema: Obj) -> int:
    """How many items or entries values of a schema can have."""
    of = type_of_schema(schema)
    return of.most if of is not None else UNBOUNDED


def _factor(cost: int, budget: int) -> str:
    return "more than 100x" if cost > budget * 100 else f"{cost / budget:.1f}x"


def _form(rule: Obj, spine: Obj, place: str) -> Iterator[Cause]:
    """What is wrong with a rule's other fields."""
    text, message = (rule.get("rule") or "").strip(), rule.get("message") or ""
    if not text:
        yield Cause(f"{place}.rule", "Required value: rule is not specified", "FieldValueRequired")
    if message and not message.strip():
        yield Cause(
            f"{place}.message", f"Invalid value: {show(message)}: message must be non-empty if specified"
        )
    elif "\n" in message.strip():
        yield Cause(
            f"{place}.message", f"Invalid value: {show(message)}: message must not contain line breaks"
        )
    elif "\n" in text and not message:
        why = "message must be specified if rule contains line breaks"
        yield Cause(f"{place}.message", f"Required value: {why}", "FieldValueRequired")
    if len(message) > _LONGEST_MESSAGE:
        text = f"Too long: may not be more than {_LONGEST_MESSAGE} bytes"
        yield Cause(f"{place}.message", text, "FieldValueTooLong")
    if (expression := rule.get("messageExpression")) and not expression.strip():
        yield required(f"{place}.messageExpression")
    if (reason := rule.get("reason")) is not None and reason not in _REASONS:
        yield unsupported(f"{place}.reason", reason, _REASONS)
    if (path := rule.get("fieldPath")) is not None:
        yield from _about_path(path, spine, place)


def _about_path(path: str, spine: Obj, place: str) -> Iterator[Cause]:
    try:
        if not path.strip() or path != path.strip():
            raise BadPath("it must not be empty or have white space around it")
        schema_at(path, spine)
    except BadPath as fault:
        yield Cause(
            f"{place}.fieldPath", f"Invalid value: {show(path)}: fieldPath must be a valid path: {fault}"
        )


def _about_old(rule: Obj, uses_old: bool, place: str, reach: _Reach) -> Iterator[Cause]:
    if uses_old and reach.lost:
        why = f"oldSelf cannot be used on the uncorrelatable portion of the schema within {reach.lost}"
        yield Cause(f"{place}.rule", f"Invalid value: {show(rule['rule'])}: {why}")
    if rule.get("optionalOldSelf") and not uses_old:
        why = "may not be set if oldSelf is not used in rule"
        yield Cause(f"{place}.optionalOldSelf", f"Invalid value: true: {why}")
