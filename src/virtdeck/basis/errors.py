"""The roots of all errors, sorted by who must act; they know neither HTTP nor logging."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Cause:
    """One reason why input was refused.

    field: path as Kubernetes writes it, e.g. ``spec.domain.memory.guest``.
    reason: Kubernetes' CauseType, e.g. ``FieldValueInvalid``, ``FieldValueRequired``.
    """

    field: str
    message: str
    reason: str = "FieldValueInvalid"


@dataclass(eq=False)
class VirtdeckError(Exception):
    """Root of what virtdeck raises on purpose; ``reason`` is stable CamelCase for programs."""

    message: str
    reason: str = ""

    def __post_init__(self) -> None:
        self.reason = self.reason or type(self).__name__

    def __str__(self) -> str:
        return self.message


@dataclass(eq=False)
class Invalid(VirtdeckError):
    """The caller must change the input; every cause is named at once."""

    causes: tuple[Cause, ...] = field(default=())


@dataclass(eq=False)
class Refused(VirtdeckError):
    """The caller is not who it says it is (``authenticated`` false) or lacks a right."""

    authenticated: bool = True


@dataclass(eq=False)
class Absent(VirtdeckError):
    """The thing asked for is not there."""


@dataclass(eq=False)
class Conflict(VirtdeckError):
    """The state of the thing forbids it; read again, then decide."""


@dataclass(eq=False)
class Unready(VirtdeckError):
    """Not now; the same call may work ``after_seconds`` later."""

    after_seconds: float = 1.0


@dataclass(eq=False)
class HostFault(VirtdeckError):
    """libvirt, QEMU or the kernel refused; an administrator must look at the host."""


@dataclass(eq=False)
class Lost(VirtdeckError):
    """The process behind this is gone."""


@dataclass(eq=False)
class Bug(VirtdeckError):
    """An invariant broke; logged with its trace, never swallowed."""
