"""The rules of a kind that comes from a CRD, by its structural schema."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.resources.kept_schema import KeptSchema
from virtdeck.standalone.apiserver.resources.rules import Obj, Rules, Verdict
from virtdeck.standalone.apiserver.schema.embedded import causes_of_embedded, has_embedded
from virtdeck.standalone.apiserver.schema.list_types import causes_of_lists
from virtdeck.standalone.apiserver.schema.structural import apply_defaults, has_rules
from virtdeck.standalone.apiserver.schema.validation import validate

if TYPE_CHECKING:
    from virtdeck.standalone.apiserver.schema.rules import Place

# Faults after which rules would judge values that are not what their schema says.
_BLOCKING = frozenset(
    {"FieldValueRequired", "FieldValueTooLong", "FieldValueTooMany", "FieldValueTypeInvalid"}
)
_UNCHECKED = "the rules of the schema were not evaluated, since the object has the other faults"


class CustomRules(Rules):
    """Defaults and validation by schema; every change outside metadata and status makes a generation."""

    has_generation = True
    unconditional_update = False

    def __init__(
        self, kept_schema: KeptSchema, has_status: bool, selectable: frozenset[str], kept: str = ""
    ) -> None:
        self.has_status = has_status
        self.selectable = selectable
        self._kept_schema = kept_schema
        self._told = [kept] if kept else []  # to whoever writes what nothing acts on
        self._place: Place | None = None

    @property
    def _schema(self) -> Obj:
        return self._kept_schema.schema

    @cached_property
    def _below(self) -> Obj:
        """Metadata is every kind's own, whatever the schema says of it."""
        properties = self._schema.get("properties") or {}
        return {**self._schema, "properties": {k: v for k, v in properties.items() if k != "metadata"}}

    @cached_property
    def _has_rules(self) -> bool:
        return has_rules(self._schema)

    @cached_property
    def _embeds(self) -> bool:
        return has_embedded(self._below)

    def default(self, obj: Obj) -> None:
        apply_defaults(obj, self._schema)

    def for_status(self, new: Obj, old: Obj) -> None:
        status = new.get("status")
        managed = new["metadata"].get("managedFields")
        version = new["metadata"].get("resourceVersion")
        new.clear()
        new.update(old)
        new["metadata"] = dict(old["metadata"])
        for name, value in (("managedFields", managed), ("resourceVersion", version)):
            if value is not None:
                new["metadata"][name] = value
        new.pop("status", None)
        if status is not None:
            new["status"] = status

    def wanted(self, obj: Obj) -> Any:
        skipped = ("metadata", "status") if self.has_status else ("metadata",)
        return {name: value for name, value in obj.items() if name not in skipped}

    def verdict(self, obj: Obj, old: Obj | None) -> Verdict:
        return self._verdict(obj, old, briefly=True)

    def verdict_aside(self, obj: Obj, old: Obj | None) -> Verdict:
        return self._verdict(obj, old, briefly=False)

    def _verdict(self, obj: Obj, old: Obj | None, *, briefly: bool) -> Verdict:
        causes = validate(obj, self._below, old=old)
        if self._embeds:
            causes += causes_of_embedded(obj, self._below)
        lists = causes_of_lists(obj, self._below)
        # Items that stood twice before the schema forbade it keep nobody from changing something else.
        if lists and (old is None or not causes_of_lists(old, self._below)):
            causes += lists
        if not self._has_rules:
            return Verdict(causes, self._told)
        if any(cause.reason in _BLOCKING for cause in causes):
            return Verdict([*causes, Cause("<nil>", f"Invalid value: null: {_UNCHECKED}")])
        return self._judged(obj, old, causes, briefly)

    def _judged(self, obj: Obj, old: Obj | None, causes: list[Cause], briefly: bool) -> Verdict:
        # CEL's rooms are entered by those alone who have rules.
        from virtdeck.standalone.apiserver.schema.rule_checks import check_rules
        from virtdeck.standalone.apiserver.schema.rules import compile_place

        if self._place is None:
            self._place = compile_place(self._schema, root=True)
        findings = check_rules(self._place, obj, old, briefly=briefly)
        told = [f"{one.cause.field}: {one.cause.message}" for one in findings if one.excused]
        return Verdict([*causes, *(one.cause for one in findings if not one.excused)], told)
