"""Objects of which only the name matters here; they are written as plain values."""

from virtdeck.crds.meta import ObjectMeta
from virtdeck.crds.model import Model


class Plain(Model, frozen=True, kw_only=True):
    """Any object, by its metadata."""

    api_version: str | None = None
    kind: str | None = None
    metadata: ObjectMeta = ObjectMeta()
