"""Judges an object by the rules of its schema, beside what it was before."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.cel.environment import MOST_PER_CALL, MOST_PER_REQUEST
from virtdeck.cel.programs import Meter
from virtdeck.cel.values import NOTHING, CostExceeded, EvaluationError, Optional
from virtdeck.standalone.apiserver.schema.lengthy import Lengthy
from virtdeck.standalone.apiserver.schema.list_types import items_by_key, key_of_item
from virtdeck.standalone.apiserver.schema.rules import OLD_SELF, SELF, Place, Rule

_LONGEST_MESSAGE = 5 * 1024
_MOST_BRIEFLY = 100_000  # a few hundredths of a second
# Stands for "there was none", since an old value may be null.
_NONE = object()


@dataclass(frozen=True)
class Finding:
    """A rule that does not hold. excused: what it speaks of has not changed, so it is only told."""

    cause: Cause
    excused: bool = False


class _Stop(Exception):
    """Nothing more is judged."""


def check_rules(place: Place, value: Any, old: Any = None, *, briefly: bool = False) -> list[Finding]:
    """Every rule that does not hold. old: the object before, None when it is new.

    briefly: only if that takes no longer than a moment. Raises: Lengthy.
    """
    check = _Check(Meter(_MOST_BRIEFLY if briefly else MOST_PER_REQUEST, MOST_PER_CALL))
    with suppress(_Stop):
        check.walk(place, value, _NONE if old is None else old, "", False)
    if briefly and check.exhausted:
        raise Lengthy
    return check.found


class _Check:
    def __init__(self, meter: Meter) -> None:
        self.found: list[Finding] = []
        self._meter = meter

    @property
    def exhausted(self) -> bool:
        """Whether nothing is left to spend."""
        return self._meter.left <= 0

    def walk(self, place: Place, value: Any, old: Any, path: str, excused: bool) -> None:
        """excused: the nearest value above that can be found in the old object is as it was."""
        if value is None:
            return
        if old is not _NONE:
            excused = value == old
        for rule in place.rules:
            self._judge(rule, place, value, old, path, excused)
        for one in place.also:
            self.walk(one, value, old, path, excused)
        if isinstance(value, dict):
            self._walk_map(place, value, old, path, excused)
        elif isinstance(value, list) and place.items is not None:
            self._walk_list(place, place.items, value, old, path, excused)

    def _walk_map(self, place: Place, value: dict[str, Any], old: Any, path: str, excused: bool) -> None:
        atomic = place.schema.get("x-kubernetes-map-type") == "atomic"
        before = old if isinstance(old, dict) and not atomic else {}
        if place.others is not None:
            for name, item in value.items():
                self.walk(place.others, item, before.get(name, _NONE), f"{path}[{name}]", excused)
        for name, below in place.properties.items():
            if name in value:
                shown = f"{path}.{name}" if path else name
                self.walk(below, value[name], before.get(name, _NONE), shown, excused)

    def _walk_list(
        self, place: Place, items: Place, value: list[Any], old: Any, path: str, excused: bool
    ) -> None:
        before = items_by_key(place.schema, old)
        for index, item in enumerate(value):
            was = before.get(key_of_item(place.schema, item), _NONE) if before else _NONE
            self.walk(items, item, was, f"{path}[{index}]", excused)

    def _judge(self, rule: Rule, place: Place, value: Any, old: Any, path: str, excused: bool) -> None:
        if rule.uses_old and old is _NONE and not rule.optional_old:
            return
        values = {SELF: value, OLD_SELF: None if old is _NONE else old}
        if rule.optional_old:
            values[OLD_SELF] = NOTHING if old is _NONE else Optional(True, old)
        kind = place.schema.get("type", "")
        if rule.program is None:
            cause = Cause(path or "<nil>", f'Invalid value: "{kind}": {rule.fault}')
            self.found.append(Finding(cause, excused))
            return
        try:
            if rule.program.evaluate(values, self._meter) is True:
                return
            detail = self._message(rule, values)
        except EvaluationError as fault:
            self.found.append(Finding(_failed(rule, kind, path, str(fault))))
            return
        except CostExceeded:
            spent = (
                "cost budget of the object"
                if self._meter.left <= 0
                else f"cost of rule: {rule.message or rule.text}"
            )
            text = f"validation ran out of the {spent}, no further validation rules will be run"
            self.found.append(Finding(Cause(path or "<nil>", f'Invalid value: "{kind}": {text}')))
            raise _Stop from None
        cause = _cause(rule, kind, f"{path}{rule.at}".removeprefix("."), detail)
        self.found.append(Finding(cause, excused and not rule.uses_old))

    def _message(self, rule: Rule, values: dict[str, Any]) -> str:
        if rule.message_program is not None:
            try:
                text = rule.message_program.evaluate(values, self._meter)
            except EvaluationError:
                text = ""
            if isinstance(text, str) and _is_message(text := text.strip()):
                return text
        return rule.message or f"failed rule: {rule.text}"


def _is_message(text: str) -> bool:
    return bool(text) and "\n" not in text and len(text.encode()) <= _LONGEST_MESSAGE


def _failed(rule: Rule, kind: str, path: str, fault: str) -> Cause:
    text = f"{fault} evaluating rule: {rule.message or rule.text}"
    if fault.startswith("no such overload"):
        shown = rule.message or rule.text
        text = f"'{fault}': call arguments match no operator, function or macro for rule: {shown}"
    return Cause(path or "<nil>", f'Invalid value: "{kind}": {text}')


def _cause(rule: Rule, kind: str, path: str, detail: str) -> Cause:
    match rule.reason:
        case "FieldValueForbidden":
            text = f"Forbidden: {detail}"
        case "FieldValueRequired":
            text = f"Required value: {detail}"
        case "FieldValueDuplicate":
            text = f'Duplicate value: "{kind}"'
        case _:
            text = f'Invalid value: "{kind}": {detail}'
    return Cause(path or "<nil>", text, rule.reason)
