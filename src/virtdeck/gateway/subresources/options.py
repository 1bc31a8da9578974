"""Bodies of subresource requests."""

from typing import TypeVar

from virtdeck.crds.codec import decode
from virtdeck.crds.model import Model

T = TypeVar("T", bound=Model)


class StartOptions(Model, frozen=True, kw_only=True):
    """paused: the guest's processors stand still until it is unpaused."""

    paused: bool | None = None
    dry_run: tuple[str, ...] | None = None


class StopOptions(Model, frozen=True, kw_only=True):
    """grace_period: seconds for the guest to shut down by itself."""

    grace_period: int | None = None
    dry_run: tuple[str, ...] | None = None


class RestartOptions(Model, frozen=True, kw_only=True):
    """grace_period_seconds: nothing, or 0 to end the guest at once."""

    grace_period_seconds: int | None = None
    dry_run: tuple[str, ...] | None = None


class DryRunOptions(Model, frozen=True, kw_only=True):
    """Options of which only ``dryRun`` counts."""

    dry_run: tuple[str, ...] | None = None


def read_options(body: bytes, kind: type[T]) -> T:
    """The options in the body; an empty body means none. Raises: Invalid."""
    return decode(body if body.strip() else b"{}", kind)


def is_dry_run(dry_run: tuple[str, ...] | None) -> bool:
    """Nothing is to be changed."""
    return "All" in (dry_run or ())
