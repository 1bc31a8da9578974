"""A frozen copy of an object's spec."""

from typing import Any

from virtdeck.crds.core.meta_only import Plain


class ControllerRevision(Plain, frozen=True, kw_only=True):
    """What an object looked like when it was used; ``data`` never changes."""

    data: dict[str, Any] | None = None
    revision: int = 0
