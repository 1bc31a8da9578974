"""The rules of CustomResourceDefinitions themselves."""

from typing import Any

from virtdeck.basis.clock import SystemClock, rfc3339
from virtdeck.basis.errors import Cause
from virtdeck.standalone.apiserver.resources.rules import Obj, Rules, immutable, required
from virtdeck.standalone.apiserver.schema.structural import has_rules

CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io"


class DefinitionRules(Rules):
    """CRDs: accepted and established as soon as they are valid, since one process serves them."""

    has_status = True
    has_generation = True

    def for_create(self, obj: Obj) -> None:
        super().for_create(obj)
        meta = obj["metadata"]
        if CLEANUP_FINALIZER not in (meta.get("finalizers") or ()):
            meta["finalizers"] = [*(meta.get("finalizers") or ()), CLEANUP_FINALIZER]
        obj["status"] = {
            "conditions": _established(rfc3339(SystemClock().now())),
            "acceptedNames": obj["spec"].get("names", {}),
            "storedVersions": [_storage_version(obj)],
        }

    def for_update(self, new: Obj, old: Obj) -> None:
        super().for_update(new, old)
        status = dict(new.get("status") or {})
        stored = list(status.get("storedVersions") or ())
        if (current := _storage_version(new)) not in stored:
            stored.append(current)
        new["status"] = {**status, "storedVersions": stored, "acceptedNames": new["spec"].get("names", {})}

    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        names = spec.setdefault("names", {})
        if kind := names.get("kind"):
            names.setdefault("singular", kind.lower())
            names.setdefault("listKind", f"{kind}List")
        spec.setdefault("conversion", {"strategy": "None"})

    def causes(self, obj: Obj) -> list[Cause]:
        spec = obj["spec"]
        causes = [required(f"spec.{name}") for name in ("group", "scope", "versions") if not spec.get(name)]
        causes += [
            required(f"spec.names.{name}") for name in ("plural", "kind") if not spec["names"].get(name)
        ]
        if causes:
            return causes
        wanted = f"{spec['names']['plural']}.{spec['group']}"
        if obj["metadata"]["name"] != wanted:
            text = f'Invalid value: "{obj["metadata"]["name"]}": must be spec.names.plural+"."+spec.group'
            causes.append(Cause("metadata.name", text))
        if spec["conversion"].get("strategy") != "None":
            text = "Unsupported value: only None is served: all versions of a kind have the same fields"
            causes.append(Cause("spec.conversion.strategy", text, "FieldValueNotSupported"))
        return causes + _causes_of_versions(spec["versions"])

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        return [
            immutable(f"spec.{name}") for name in ("group", "scope") if new["spec"][name] != old["spec"][name]
        ]


def _storage_version(obj: Obj) -> str:
    return next((str(one["name"]) for one in obj["spec"].get("versions") or () if one.get("storage")), "")


def _causes_of_versions(versions: Any) -> list[Cause]:
    causes = []
    for index, version in enumerate(versions):
        path = f"spec.versions[{index}]"
        if not version.get("name"):
            causes.append(required(f"{path}.name"))
        schema = (version.get("schema") or {}).get("openAPIV3Schema")
        if not isinstance(schema, dict):
            causes.append(
                Cause(
                    f"{path}.schema.openAPIV3Schema",
                    "Required value: schemas are required",
                    "FieldValueRequired",
                )
            )
        elif schema.get("type") != "object":
            text = f'Invalid value: "{schema.get("type", "")}": must be object at the root'
            causes.append(Cause(f"{path}.schema.openAPIV3Schema.type", text))
        else:
            causes += _causes_of_valid_type(schema, f"{path}.schema.openAPIV3Schema")
    if sum(bool(version.get("storage")) for version in versions) != 1:
        text = "Invalid value: must have exactly one version marked as storage version"
        causes.append(Cause("spec.versions", text))
    return causes


def _causes_of_valid_type(schema: Obj, path: str) -> list[Cause]:
    causes = causes_of_schema(schema, path)
    if causes or not has_rules(schema):
        return causes
    # CEL's rooms are entered by those alone who have rules.
    from virtdeck.standalone.apiserver.resources.crd_expressions import causes_of_rules

    return causes_of_rules(schema, path)


def causes_of_schema(schema: Any, path: str) -> list[Cause]:
    """Where a schema is not structural: below the root every field has a type."""
    if not isinstance(schema, dict):
        return [Cause(path, "Invalid value: must be an object", "FieldValueTypeInvalid")]
    free = schema.get("x-kubernetes-int-or-string") or schema.get("x-kubernetes-preserve-unknown-fields")
    causes = []
    if not schema.get("type") and not free:
        causes.append(
            Cause(
                f"{path}.type",
                "Required value: must not be empty for specified object fields",
                "FieldValueRequired",
            )
        )
    for name, below in (schema.get("properties") or {}).items():
        causes += causes_of_schema(below, f"{path}.properties[{name}]")
    if isinstance(below := schema.get("items"), dict):
        causes += causes_of_schema(below, f"{path}.items")
    if isinstance(below := schema.get("additionalProperties"), dict):
        causes += causes_of_schema(below, f"{path}.additionalProperties")
    return causes


def _established(now: str) -> list[Obj]:
    return [
        {
            "type": "NamesAccepted",
            "status": "True",
            "lastTransitionTime": now,
            "reason": "NoConflicts",
            "message": "no conflicts found",
        },
        {
            "type": "Established",
            "status": "True",
            "lastTransitionTime": now,
            "reason": "InitialNamesAccepted",
            "message": "the initial names have been accepted",
        },
    ]
