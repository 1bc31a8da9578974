"""Bodies of subresource requests."""

from typing import TypeVar

from virtdeck.crds.codec import decode
from virtdeck.crds.model import Model

T = TypeVar("T", bound=Model)


def read_options(body: bytes, kind: type[T]) -> T:
    """The options in the body; an empty body means none. Raises: Invalid."""
    return decode(body if body.strip() else b"{}", kind)


def is_dry_run(dry_run: tuple[str, ...] | None) -> bool:
    """Nothing is to be changed."""
    return "All" in (dry_run or ())
