"""What admission answers, and words for writing causes."""

from collections.abc import Iterable
from dataclasses import dataclass

from virtdeck.basis.errors import Cause


@dataclass(frozen=True)
class Verdict:
    """Why an object is refused; without causes it is let through, with ``warnings`` for its author.

    forbidden: the author may not do this at all (403), rather than that the object is wrong (422).
    """

    causes: tuple[Cause, ...] = ()
    warnings: tuple[str, ...] = ()
    forbidden: bool = False

    @property
    def allowed(self) -> bool:
        return not self.causes


def invalid(field: str, message: str) -> Cause:
    """The value cannot be what it is."""
    return Cause(field, message, "FieldValueInvalid")


def required(field: str, message: str) -> Cause:
    """A value is missing."""
    return Cause(field, message, "FieldValueRequired")


def duplicate(field: str, value: object) -> Cause:
    """The value stands elsewhere already."""
    return Cause(field, f"{value!r} is used twice; it must be unique here", "FieldValueDuplicate")


def not_found(field: str, message: str) -> Cause:
    """The thing that is named does not exist."""
    return Cause(field, message, "FieldValueNotFound")


def unsupported(field: str, value: object, allowed: Iterable[str]) -> Cause:
    """The value is none of those allowed."""
    return Cause(
        field, f"{value!r} is not supported; use {one_of_words(tuple(allowed))}", "FieldValueNotSupported"
    )


def forbidden(field: str, message: str) -> Cause:
    """The field may not be used here, or not by this author."""
    return Cause(field, message, "FieldValueForbidden")


def needs_gate(field: str, gate: str) -> Cause:
    """The field stands behind a feature gate that is off."""
    return forbidden(field, gate_words(gate))


def gate_words(gate: str) -> str:
    """What is said of a feature whose gate is off."""
    where = "spec.configuration.developerConfiguration.featureGates of the KubeVirt object"
    return f"needs the feature gate {gate}; an administrator can add it to {where}"


def one_of_words(names: tuple[str, ...]) -> str:
    """``a, b or c``"""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
