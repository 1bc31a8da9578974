"""What a kind adds to the rules of every object; each method may be overridden and knows no storage."""

from dataclasses import dataclass, field
from typing import Any

from virtdeck.basis.errors import Cause
from virtdeck.crds.names import faults_of_subdomain

Obj = dict[str, Any]


@dataclass(frozen=True)
class Verdict:
    """What is wrong with an object, and what its writer should know although it is allowed."""

    causes: list[Cause] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


class Rules:
    """The rules of a kind that has none of its own."""

    has_status = False  # a status subresource: status is written only through it
    has_generation = False  # metadata.generation counts the changes of what is wanted
    unconditional_update = True  # a PUT without resourceVersion overwrites
    checks_presence = False  # ``causes`` names fields that must be there and are not
    selectable: frozenset[str] = frozenset()  # fields for selectors, besides name and namespace

    def faults_of_name(self, name: str) -> list[str]:
        """Sentences that say why an object cannot have this name."""
        return faults_of_subdomain(name)

    def for_create(self, obj: Obj) -> None:
        """The object is as it would be right after creation."""
        if self.has_status:
            obj.pop("status", None)
        if self.has_generation:
            obj["metadata"]["generation"] = 1
        self.default(obj)

    def for_update(self, new: Obj, old: Obj) -> None:
        """``new`` keeps of ``old`` what an update may not change."""
        if self.has_status:
            _carry(new, old, "status")
        self.default(new)
        if self.has_generation:
            bump = self.wanted(new) != self.wanted(old)
            new["metadata"]["generation"] = old["metadata"].get("generation", 1) + int(bump)

    def for_status(self, new: Obj, old: Obj) -> None:
        """``new`` differs from ``old`` in its status, labels and annotations at most."""
        for name in list(new):
            if name not in ("status", "metadata"):
                del new[name]
        for name in old:
            if name not in ("status", "metadata"):
                new[name] = old[name]
        meta = new["metadata"]
        for name in ("ownerReferences", "finalizers", "generation"):
            _carry(meta, old["metadata"], name)

    def default(self, obj: Obj) -> None:
        """Fields that were left out have their defaults."""

    def wanted(self, obj: Obj) -> Any:
        """The part whose change makes a new generation."""
        return {name: value for name, value in obj.items() if name not in ("metadata", "status")}

    def verdict(self, obj: Obj, old: Obj | None) -> Verdict:
        """The object judged, for a kind that does so beside what it was (None: it is new).

        Raises: Lengthy when others would have to wait; then it is to be asked aside.
        """
        return Verdict(self.causes(obj), self.warnings(obj))

    def verdict_aside(self, obj: Obj, old: Obj | None) -> Verdict:
        """The same, however long it takes; called in a thread of its own."""
        return self.verdict(obj, old)

    def causes(self, obj: Obj) -> list[Cause]:
        """What is wrong with the object."""
        return []

    def warnings(self, obj: Obj) -> list[str]:
        """What the writer should know although it is allowed."""
        return []

    def causes_of_update(self, new: Obj, old: Obj) -> list[Cause]:
        """What is wrong with the change."""
        return []


def _carry(new: Obj, old: Obj, name: str) -> None:
    if name in old:
        new[name] = old[name]
    else:
        new.pop(name, None)


def required(path: str) -> Cause:
    """A field that must be there."""
    return Cause(path, "Required value", "FieldValueRequired")


def immutable(path: str) -> Cause:
    """A field that may not change."""
    return Cause(path, "Forbidden: field is immutable", "FieldValueForbidden")


def unsupported(path: str, value: str, supported: tuple[str, ...]) -> Cause:
    """A value that is not among the supported ones."""
    shown = ", ".join(f'"{one}"' for one in supported)
    text = f'Unsupported value: "{value}": supported values: {shown}'
    return Cause(path, text, "FieldValueNotSupported")
