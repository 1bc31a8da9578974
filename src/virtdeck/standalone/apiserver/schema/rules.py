"""``x-kubernetes-validations`` compiled: the places of a schema that have rules, or have them below."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from virtdeck.cel.environment import compiled
from virtdeck.cel.programs import Program
from virtdeck.cel.syntax import ExpressionError
from virtdeck.cel.types import Type, optional_of
from virtdeck.standalone.apiserver.schema.expression_types import Schema, type_of_schema
from virtdeck.standalone.apiserver.schema.field_paths import BadPath, shown_path

SELF, OLD_SELF = "self", "oldSelf"


@dataclass(frozen=True)
class Rule:
    """One rule. at: the path below its place that it speaks of. fault: why it cannot be judged, if so."""

    text: str
    program: Program | None
    message: str
    message_program: Program | None
    reason: str
    at: str
    optional_old: bool
    fault: str = ""

    @property
    def uses_old(self) -> bool:
        """Whether it judges changes."""
        return self.program is not None and OLD_SELF in self.program.uses


@dataclass(frozen=True)
class Place:
    """A place of a schema that has rules, or has them below. also: the rules of allOf, for the same value."""

    schema: Schema
    rules: tuple[Rule, ...] = ()
    properties: Mapping[str, "Place"] = field(default_factory=dict)
    others: "Place | None" = None
    items: "Place | None" = None
    also: tuple["Place", ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.rules or self.properties or self.others or self.items or self.also)


def compile_place(schema: Schema, spine: Schema | None = None, *, root: bool = False) -> Place:
    """The place of a schema and all below it.

    spine: the schema that gives the types, where the rules stand in one that only adds to it.
    """
    spine = schema if spine is None else spine
    properties = {
        name: place
        for name, below in (schema.get("properties") or {}).items()
        if (typed := (spine.get("properties") or {}).get(name)) is not None
        and not (place := _below(below, typed)).is_empty
    }
    return Place(
        spine,
        tuple(_rules(schema, spine, root)),
        properties,
        _part(schema, spine, "additionalProperties"),
        _part(schema, spine, "items"),
        tuple(
            place
            for one in schema.get("allOf") or ()
            if not (place := compile_place(one, spine, root=root)).is_empty
        ),
    )


def _below(schema: Schema, spine: Schema) -> Place:
    return compile_place(schema, spine, root=bool(spine.get("x-kubernetes-embedded-resource")))


def _part(schema: Schema, spine: Schema, name: str) -> Place | None:
    below, typed = schema.get(name), spine.get(name)
    if not isinstance(below, dict) or not isinstance(typed, dict):
        return None
    place = _below(below, typed)
    return None if place.is_empty else place


def _rules(schema: Schema, spine: Schema, root: bool) -> Iterator[Rule]:
    given = schema.get("x-kubernetes-validations") or ()
    of = type_of_schema(spine, root=root) if given else None
    for one in given:
        if of is not None and (one.get("rule") or "").strip():
            yield _rule(one, of)


def _rule(given: Mapping[str, Any], of: Type) -> Rule:
    """A rule about values of a type; one that does not compile (an older server kept it unseen) says so."""
    try:
        return _compiled(given, of)
    except (ExpressionError, BadPath) as fault:
        text = given["rule"].strip()
        return Rule(text, None, "", None, "FieldValueInvalid", "", False, f"rule compile error: {fault}")


def _compiled(given: Mapping[str, Any], of: Type) -> Rule:
    optional = bool(given.get("optionalOldSelf"))
    variables = rule_variables(of, optional)
    message = given.get("messageExpression")
    return Rule(
        text=given["rule"].strip(),
        program=compiled(given["rule"], variables),
        message=(given.get("message") or "").strip(),
        message_program=compiled(message, variables) if message else None,
        reason=given.get("reason") or "FieldValueInvalid",
        at=shown_path(given.get("fieldPath") or ""),
        optional_old=optional,
    )


def rule_variables(of: Type, optional_old: bool) -> dict[str, Type]:
    """What a rule about values of a type may name."""
    return {SELF: of, OLD_SELF: optional_of(of) if optional_old else of}
