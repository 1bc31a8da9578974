"""Name resolution of a pod."""

from virtdeck.crds.model import Model


class PodDNSConfigOption(Model, frozen=True, kw_only=True):
    """TBD"""

    name: str | None = None
    value: str | None = None


class PodDNSConfig(Model, frozen=True, kw_only=True):
    """TBD"""

    nameservers: tuple[str, ...] | None = None
    options: tuple[PodDNSConfigOption, ...] | None = None
    searches: tuple[str, ...] | None = None
