"""What is wrong with a CRD's versions: names, the stored one, columns, selectable fields, subresources."""

import re
from collections.abc import Iterator
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.crds.names import faults_of_service_name
from virtdeck.standalone.apiserver.resources.crd_schemas import causes_of_schema
from virtdeck.standalone.apiserver.resources.rules import Obj, required, unsupported
from virtdeck.standalone.apiserver.schema.field_paths import BadPath, schema_at
from virtdeck.standalone.apiserver.schema.structural import has_rules

_COLUMN_TYPES = ("integer", "number", "string", "boolean", "date")
_COLUMN_FORMATS = (
    "int32", "int64", "float", "double", "byte", "date", "date-time", "password",
)  # fmt: skip
_SELECTABLE_TYPES = ("string", "boolean", "integer")
_MOST_SELECTABLE = 8
_SIMPLE_PATH = re.compile(r"(\.[A-Za-z_][A-Za-z0-9_-]*)+")


def causes_of_versions(versions: Any) -> list[Cause]:
    """Every fault of every version."""
    causes: list[Cause] = []
    seen = set()
    for index, version in enumerate(versions):
        path = f"spec.versions[{index}]"
        name = version.get("name") or ""
        causes += _causes_of_name(name, path)
        if name in seen:
            causes.append(Cause(f"{path}.name", f'Duplicate value: "{name}"', "FieldValueDuplicate"))
        seen.add(name)
        causes += _causes_of_version(version, path)
    if sum(bool(version.get("storage")) for version in versions) != 1:
        causes.append(
            Cause("spec.versions", "Invalid value: must have exactly one version marked as storage version")
        )
    return causes


def _causes_of_name(name: str, path: str) -> Iterator[Cause]:
    if not name:
        yield required(f"{path}.name")
        return
    for fault in faults_of_service_name(name):
        yield Cause(f"{path}.name", f'Invalid value: "{name}": {fault}')


def _causes_of_version(version: Obj, path: str) -> list[Cause]:
    if version.get("deprecationWarning") and not version.get("deprecated"):
        text = "Invalid value: can only be set for deprecated versions"
        return [Cause(f"{path}.deprecationWarning", text)]
    schema = (version.get("schema") or {}).get("openAPIV3Schema")
    place = f"{path}.schema.openAPIV3Schema"
    if not isinstance(schema, dict):
        return [Cause(place, "Required value: schemas are required", "FieldValueRequired")]
    causes = causes_of_schema(schema, place)
    if not causes and has_rules(schema):
        # CEL's rooms are entered by those alone who have rules.
        from virtdeck.standalone.apiserver.resources.crd_expressions import causes_of_rules

        causes += causes_of_rules(schema, place)
    return [
        *causes,
        *_causes_of_columns(version.get("additionalPrinterColumns") or (), path),
        *_causes_of_selectable(version.get("selectableFields") or (), schema, path),
        *_causes_of_subresources(version.get("subresources") or {}, path),
    ]


def _causes_of_columns(columns: Any, path: str) -> Iterator[Cause]:
    for index, column in enumerate(columns):
        place = f"{path}.additionalPrinterColumns[{index}]"
        yield from (
            required(f"{place}.{name}") for name in ("name", "type", "jsonPath") if not column.get(name)
        )
        if (given := column.get("type")) and given not in _COLUMN_TYPES:
            yield unsupported(f"{place}.type", given, _COLUMN_TYPES)
        if (given := column.get("format")) and given not in _COLUMN_FORMATS:
            yield unsupported(f"{place}.format", given, _COLUMN_FORMATS)
        if (given := column.get("jsonPath")) and not given.startswith("."):
            yield Cause(
                f"{place}.jsonPath", f'Invalid value: "{given}": must be a simple json path starting with .'
            )


def _causes_of_selectable(fields: Any, schema: Obj, path: str) -> Iterator[Cause]:
    if len(fields) > _MOST_SELECTABLE:
        text = f"Too many: {len(fields)}: must have at most {_MOST_SELECTABLE} items"
        yield Cause(f"{path}.selectableFields", text, "FieldValueTooMany")
    seen = set()
    for index, field in enumerate(fields):
        place, given = f"{path}.selectableFields[{index}].jsonPath", field.get("jsonPath") or ""
        if not given:
            yield required(place)
            continue
        if given in seen:
            yield Cause(place, f'Duplicate value: "{given}"', "FieldValueDuplicate")
        seen.add(given)
        if why := _why_not_selectable(given, schema):
            yield Cause(place, f'Invalid value: "{given}": {why}')


def _why_not_selectable(path: str, schema: Obj) -> str:
    if not _SIMPLE_PATH.fullmatch(path):
        return "must be a simple field path"
    if path == ".metadata" or path.startswith(".metadata."):
        return "must not point to fields in metadata"
    try:
        kind = schema_at(path, schema).get("type", "")
    except BadPath:
        return "must be a field in the schema"
    return "" if kind in _SELECTABLE_TYPES else "must point to a field of type boolean, integer or string"


def _causes_of_subresources(subresources: Obj, path: str) -> Iterator[Cause]:
    scale = subresources.get("scale")
    if scale is None:
        return
    for name, below, needed in (
        ("specReplicasPath", ".spec.", True),
        ("statusReplicasPath", ".status.", True),
        ("labelSelectorPath", "", False),
    ):
        place, given = f"{path}.subresources.scale.{name}", scale.get(name) or ""
        if not given:
            if needed:
                yield required(place)
        elif not _SIMPLE_PATH.fullmatch(given):
            yield Cause(place, f'Invalid value: "{given}": should be a simple json path')
        elif not given.startswith(below) or (not below and not given.startswith((".spec.", ".status."))):
            wanted = below or ".spec. or .status."
            yield Cause(place, f'Invalid value: "{given}": should be a json path under {wanted}')
