"""The rules of a kind that comes from a CRD, by its structural schema."""

from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.resources.rules import Obj, Rules
from virtdeck.standalone.apiserver.schema.structural import apply_defaults
from virtdeck.standalone.apiserver.schema.validation import validate


class CustomRules(Rules):
    """Defaults and validation by schema; every change outside metadata and status makes a generation."""

    has_generation = True
    unconditional_update = False

    def __init__(self, schema: Obj, has_status: bool, selectable: frozenset[str]) -> None:
        self.has_status = has_status
        self.selectable = selectable
        self._schema = schema

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

    def causes(self, obj: Obj) -> list[Cause]:
        properties = self._schema.get("properties") or {}
        below = {**self._schema, "properties": {k: v for k, v in properties.items() if k != "metadata"}}
        return validate(obj, below)
