"""What a namespace that is being deleted says of what it still waits for."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

Obj = dict[str, Any]

# Said of what cannot go wrong here: one process serves everything that it deletes.
_ALWAYS = (
    ("NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"),
    (
        "NamespaceDeletionGroupVersionParsingFailure",
        "ParsedGroupVersions",
        "All legacy kube types successfully parsed",
    ),
)


def deletion_conditions(
    left: Iterable[tuple[str, Obj]], faults: Iterable[str], before: list[Obj], now: str
) -> list[Obj]:
    """The conditions while these objects are left. left: ``group/plural`` and metadata of each.

    Those of other kinds stay; one that has not changed keeps its time.
    """
    held = list(left)
    wanted = [
        *((kind, "False", reason, text) for kind, reason, text in _ALWAYS),
        _content_failure(sorted(faults)),
        _remaining(held),
        _finalizers(held),
    ]
    mine = {kind for kind, *_rest in wanted}
    kept = [one for one in before if one.get("type") not in mine]
    old = {one.get("type"): one for one in before}
    return kept + [_condition(old.get(kind, {}), kind, *rest, now=now) for kind, *rest in wanted]


def _condition(old: Obj, kind: str, status: str, reason: str, message: str, *, now: str) -> Obj:
    same = old.get("status") == status and old.get("message") == message
    return {
        "type": kind,
        "status": status,
        "lastTransitionTime": old["lastTransitionTime"] if same else now,
        "reason": reason,
        "message": message,
    }


def _content_failure(faults: list[str]) -> tuple[str, str, str, str]:
    kind = "NamespaceDeletionContentFailure"
    if faults:
        text = f"Failed to delete all resource types, {len(faults)} remaining: {', '.join(faults)}"
        return kind, "True", "ContentDeletionFailed", text
    text = "All content successfully deleted, may be waiting on finalization"
    return kind, "False", "ContentDeleted", text


def _remaining(left: list[tuple[str, Obj]]) -> tuple[str, str, str, str]:
    kind = "NamespaceContentRemaining"
    counts = Counter(_dotted(shelf) for shelf, _meta in left)
    if not counts:
        return kind, "False", "ContentRemoved", "All content successfully removed"
    shown = ", ".join(f"{name} has {count} resource instances" for name, count in sorted(counts.items()))
    return kind, "True", "SomeResourcesRemain", f"Some resources are remaining: {shown}"


def _finalizers(left: list[tuple[str, Obj]]) -> tuple[str, str, str, str]:
    kind = "NamespaceFinalizersRemaining"
    counts = Counter(name for _shelf, meta in left for name in meta.get("finalizers") or ())
    if not counts:
        return kind, "False", "ContentHasNoFinalizers", "All content-preserving finalizers finished"
    shown = ", ".join(f"{name} in {count} resource instances" for name, count in sorted(counts.items()))
    text = f"Some content in the namespace has finalizers remaining: {shown}"
    return kind, "True", "SomeFinalizersRemain", text


def _dotted(shelf: str) -> str:
    """``pods.`` or ``virtualmachines.kubevirt.io``."""
    group, _, plural = shelf.partition("/")
    return f"{plural}.{group}"
