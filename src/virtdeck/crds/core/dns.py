"""Name resolution of a pod."""

from typing import Annotated

from virtdeck.crds.model import Model, doc


class PodDNSConfigOption(Model, frozen=True, kw_only=True):
    """One option of resolv.conf."""

    name: Annotated[str | None, doc("Name, as ndots.")] = None
    value: Annotated[str | None, doc("Value, if the option has one.")] = None


class PodDNSConfig(Model, frozen=True, kw_only=True):
    """Name servers, search names and options, added to those of dnsPolicy."""

    nameservers: Annotated[tuple[str, ...] | None, doc("Addresses of name servers, at most three.")] = None
    options: Annotated[tuple[PodDNSConfigOption, ...] | None, doc("Options of resolv.conf.")] = None
    searches: Annotated[tuple[str, ...] | None, doc("Names that are tried behind a short name.")] = None
