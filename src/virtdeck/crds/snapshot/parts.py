"""What snapshots, their contents and restores all speak of."""

from typing import Annotated

from virtdeck.crds.model import Model, doc
from virtdeck.crds.scalars import Time


class Error(Model, frozen=True, kw_only=True):
    """The last thing that went wrong."""

    message: Annotated[str | None, doc("What happened, and what to do about it.")] = None
    time: Annotated[Time | None, doc("When it happened.")] = None
