"""The rules of CustomResourceDefinitions themselves."""

from virtdeck.basis.clock import SystemClock, rfc3339
from virtdeck.basis.errors import Cause
from virtdeck.crds.names import invalid_value
from virtdeck.standalone.apiserver.resources.crd_conversion import causes_of_conversion
from virtdeck.standalone.apiserver.resources.crd_names import (
    TakenBy,
    causes_of_names,
    is_established,
    nothing_taken,
    settle_names,
)
from virtdeck.standalone.apiserver.resources.crd_versions import causes_of_versions
from virtdeck.standalone.apiserver.resources.rules import Obj, Rules, required

CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io"


class DefinitionRules(Rules):
    """CRDs: accepted and established as soon as they are valid and their names are free."""

    has_status = True
    has_generation = True

    def __init__(self, taken_by: TakenBy = nothing_taken) -> None:
        self._taken_by = taken_by

    def for_create(self, obj: Obj) -> None:
        super().for_create(obj)
        meta = obj["metadata"]
        if CLEANUP_FINALIZER not in (meta.get("finalizers") or ()):
            meta["finalizers"] = [*(meta.get("finalizers") or ()), CLEANUP_FINALIZER]
        obj["status"] = {"storedVersions": [_storage_version(obj)]}
        self._settle(obj)

    def for_update(self, new: Obj, old: Obj) -> None:
        super().for_update(new, old)
        status = dict(new.get("status") or {})
        stored = list(status.get("storedVersions") or ())
        if (current := _storage_version(new)) not in stored:
            stored.append(current)
        new["status"] = {**status, "storedVersions": stored}
        if "deletionTimestamp" not in new["metadata"]:
            self._settle(new)

    def _settle(self, obj: Obj) -> None:
        taken = self._taken_by(obj["spec"].get("group") or "", obj["metadata"].get("name") or "")
        settle_names(obj, taken, rfc3339(SystemClock().now()))

    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        names = spec.setdefault("names", {})
        if kind := names.get("kind"):
            names.setdefault("singular", kind.lower())
            names.setdefault("listKind", f"{kind}List")
        conversion = spec.setdefault("conversion", {"strategy": "None"})
        webhook = conversion.get("webhook") if isinstance(conversion, dict) else None
        if webhook and (service := (webhook.get("clientConfig") or {}).get("service")):
            service.setdefault("port", 443)
        for version in spec.get("versions") or ():
            for field in version.get("additionalPrinterColumns") or ():
                if field.get("priority") == 0:
                    del field["priority"]

    def causes(self, obj: Obj) -> list[Cause]:
        spec = obj["spec"]
        causes = [required(f"spec.{name}") for name in ("group", "scope", "versions") if not spec.get(name)]
        causes += [
            required(f"spec.names.{name}") for name in ("plural", "kind") if not spec["names"].get(name)
        ]
        if causes:
            return causes
        if spec.get("preserveUnknownFields"):
            text = (
                "Invalid value: true: must be false: use x-kubernetes-preserve-unknown-fields in the schema"
            )
            causes.append(Cause("spec.preserveUnknownFields", text))
        return [
            *causes,
            *causes_of_names(obj),
            *causes_of_versions(spec["versions"]),
            *causes_of_conversion(spec["conversion"]),
            *_causes_of_stored(obj),
        ]

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        fixed = [
            invalid_value(f"spec.{name}", str(new["spec"][name]), "field is immutable")
            for name in ("group", "scope")
            if new["spec"][name] != old["spec"][name]
        ]
        if is_established(old):
            fixed += [
                invalid_value(f"spec.names.{name}", str(new["spec"]["names"].get(name)), "field is immutable")
                for name in ("plural", "kind")
                if new["spec"]["names"].get(name) != old["spec"]["names"].get(name)
            ]
        return fixed


def _storage_version(obj: Obj) -> str:
    return next((str(one["name"]) for one in obj["spec"].get("versions") or () if one.get("storage")), "")


def _causes_of_stored(obj: Obj) -> list[Cause]:
    """Objects may stand in a version that was the stored one: it cannot go before it is said that none do."""
    names = {version.get("name") for version in obj["spec"]["versions"]}
    stored = (obj.get("status") or {}).get("storedVersions") or []
    causes = [
        Cause(f"status.storedVersions[{index}]", f'Invalid value: "{name}": must appear in spec.versions')
        for index, name in enumerate(stored)
        if name not in names
    ]
    if _storage_version(obj) not in stored:
        text = "Invalid value: must have the storage version " + _storage_version(obj)
        causes.append(Cause("status.storedVersions", text))
    return causes
