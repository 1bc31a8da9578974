"""Names that CRDs of a group give their kinds: who came first has them, and conditions say so."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.crds.names import faults_of_service_name
from virtdeck.standalone.apiserver.resources.rules import Obj, required, unsupported

PROTECTED = "api-approved.kubernetes.io"


@dataclass(frozen=True)
class Taken:
    """What other CRDs of a group are called: plurals, singulars and short names; kinds and kinds of lists."""

    words: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()


# The names of a group that others than the CRD of this name have: (group, CRD's name).
TakenBy = Callable[[str, str], Taken]


def nothing_taken(_group: str, _name: str) -> Taken:
    """Where there are no other CRDs."""
    return Taken()


def names_of(spec_names: Obj) -> Taken:
    """What one CRD takes."""
    words = {spec_names.get("plural"), spec_names.get("singular"), *(spec_names.get("shortNames") or ())}
    kinds = {spec_names.get("kind"), spec_names.get("listKind")}
    return Taken(frozenset(map(str, words - {None, ""})), frozenset(map(str, kinds - {None, ""})))


def conflict_of(spec_names: Obj, taken: Taken) -> tuple[str, str] | None:
    """Reason and sentence of the first name that another CRD has."""
    for field, reason in (("plural", "PluralConflict"), ("singular", "SingularConflict")):
        if (name := spec_names.get(field)) and name in taken.words:
            return reason, f'"{name}" is already in use'
    for name in spec_names.get("shortNames") or ():
        if name in taken.words:
            return "ShortNamesConflict", f'"{name}" is already in use'
    for field, reason in (("kind", "KindConflict"), ("listKind", "ListKindConflict")):
        if (name := spec_names.get(field)) and name in taken.kinds:
            return reason, f'"{name}" is already in use'
    return None


def settle_names(obj: Obj, taken: Taken, now: str) -> None:
    """The CRD's status says whether its names are accepted and, once they are, that it is established."""
    status = obj.setdefault("status", {})
    names = obj["spec"]["names"]
    conflict = conflict_of(names, taken)
    conditions = {one["type"]: one for one in status.get("conditions") or ()}
    if conflict is None:
        status["acceptedNames"] = names
        _set(conditions, now, "NamesAccepted", "True", "NoConflicts", "no conflicts found")
        text = "the initial names have been accepted"
        _set(conditions, now, "Established", "True", "InitialNamesAccepted", text)
    else:
        _set(conditions, now, "NamesAccepted", "False", *conflict)
        if conditions.get("Established", {}).get("status") != "True":
            status.setdefault("acceptedNames", {"plural": "", "kind": ""})
            _set(conditions, now, "Established", "False", "NotAccepted", "not all names are accepted")
    status["conditions"] = list(conditions.values())


def set_condition(obj: Obj, now: str, kind: str, reason: str, message: str) -> None:
    """A condition of the CRD holds, since now if it did not before."""
    status = obj.setdefault("status", {})
    conditions = {one["type"]: one for one in status.get("conditions") or ()}
    _set(conditions, now, kind, "True", reason, message)
    status["conditions"] = list(conditions.values())


def _set(conditions: dict[str, Obj], now: str, kind: str, status: str, reason: str, message: str) -> None:
    before = conditions.get(kind) or {}
    since = before.get("lastTransitionTime", now) if before.get("status") == status else now
    conditions[kind] = {
        "type": kind,
        "status": status,
        "lastTransitionTime": since,
        "reason": reason,
        "message": message,
    }


def is_established(definition: Obj) -> bool:
    """Whether the CRD's objects are served."""
    conditions = (definition.get("status") or {}).get("conditions") or ()
    return any(one.get("type") == "Established" and one.get("status") == "True" for one in conditions)


def causes_of_names(obj: Obj) -> Iterator[Cause]:
    """What is wrong with a CRD's group, scope and names."""
    spec: Any = obj["spec"]
    names = spec["names"]
    if spec["scope"] not in ("Cluster", "Namespaced"):
        yield unsupported("spec.scope", spec["scope"], ("Cluster", "Namespaced"))
    if "." not in spec["group"]:
        yield Cause(
            "spec.group", f'Invalid value: "{spec["group"]}": should be a domain with at least one dot'
        )
    wanted = f"{names['plural']}.{spec['group']}"
    if obj["metadata"]["name"] != wanted:
        text = f'Invalid value: "{obj["metadata"]["name"]}": must be spec.names.plural+"."+spec.group'
        yield Cause("metadata.name", text)
    for field, name in (
        ("plural", names["plural"]),
        ("singular", names.get("singular") or ""),
        ("kind", names["kind"].lower()),
    ):
        for fault in faults_of_service_name(name) if name else ():
            yield Cause(f"spec.names.{field}", f'Invalid value: "{name}": {fault}')
    for part in ("shortNames", "categories"):
        for index, name in enumerate(names.get(part) or ()):
            for fault in faults_of_service_name(name):
                yield Cause(f"spec.names.{part}[{index}]", f'Invalid value: "{name}": {fault}')
    if names.get("listKind") == names["kind"]:
        yield Cause(
            "spec.names.listKind", f'Invalid value: "{names["kind"]}": kind and listKind may not be the same'
        )
    if _is_protected(spec["group"]) and not (obj["metadata"].get("annotations") or {}).get(PROTECTED):
        yield required(f"metadata.annotations[{PROTECTED}]")


def _is_protected(group: str) -> bool:
    return group in ("k8s.io", "kubernetes.io") or group.endswith((".k8s.io", ".kubernetes.io"))
