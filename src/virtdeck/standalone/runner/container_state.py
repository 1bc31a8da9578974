"""What can be true of a container."""

from dataclasses import dataclass

from virtdeck.standalone.runner.processes import ProcessId


@dataclass(frozen=True)
class Absent:
    """The runner never got as far as starting a container, or has removed it."""


@dataclass(frozen=True)
class Running:
    """The container's first process lives, or conmon has not noted its end yet; conmon: None when killed."""

    process: ProcessId
    conmon: ProcessId | None
    started_at: float


@dataclass(frozen=True)
class Ended:
    """The container has run. exit_code: None when nobody saw it end. Times: seconds since 1970."""

    exit_code: int | None
    started_at: float
    finished_at: float
    out_of_memory: bool


Container = Absent | Running | Ended
