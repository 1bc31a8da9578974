"""Name resolution of the pod, and of the guest by DHCP (V14–V22)."""

from collections.abc import Iterator

from virtdeck.gateway.admission.rule import INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.words import SUBDOMAIN_WORDS, is_ip, is_subdomain

RULES: Rules[Subject] = Rules("VMI")

_SERVERS, _SEARCHES = "spec.dnsConfig.nameservers", "spec.dnsConfig.searches"
_MOST_SERVERS, _MOST_SEARCHES, _MOST_SEARCH_CHARACTERS = 3, 6, 256  # what resolv.conf holds


@RULES.choice("V14", "spec.dnsPolicy", "ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")
def dns_policy_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    yield at(value=vmi.spec.dns_policy)


@RULES.rule("V15", "spec.dnsConfig", REQUIRED, "must be given when dnsPolicy is None")
def own_resolution_is_configured(vmi: Subject) -> Iterator[Place]:
    """dnsPolicy is None and nothing is configured."""
    if vmi.spec.dns_policy == "None" and vmi.spec.dns_config is None:
        yield at()


@RULES.rule("V16", _SERVERS, REQUIRED, "must have at least one server when dnsPolicy is None")
def own_resolution_names_servers(vmi: Subject) -> Iterator[Place]:
    """dnsPolicy is None and there is none."""
    config = vmi.spec.dns_config
    if vmi.spec.dns_policy == "None" and config is not None and not config.nameservers:
        yield at()


@RULES.rule("V17", _SERVERS, INVALID, f"must have at most {_MOST_SERVERS} servers")
def servers_are_few(vmi: Subject) -> Iterator[Place]:
    """There are more."""
    if vmi.spec.dns_config and len(vmi.spec.dns_config.nameservers or ()) > _MOST_SERVERS:
        yield at()


@RULES.rule("V18", f"{_SERVERS}[]", INVALID, "{server!r} must be an IP address")
def servers_are_addresses(vmi: Subject) -> Iterator[Place]:
    """It is another text."""
    config = vmi.spec.dns_config
    for index, server in enumerate((config.nameservers if config else None) or ()):
        if not is_ip(server):
            yield at(index, server=server)


@RULES.rule("V19", _SEARCHES, INVALID, f"must have at most {_MOST_SEARCHES} names")
def searches_are_few(vmi: Subject) -> Iterator[Place]:
    """There are more."""
    if vmi.spec.dns_config and len(vmi.spec.dns_config.searches or ()) > _MOST_SEARCHES:
        yield at()


@RULES.rule("V20", _SEARCHES, INVALID, f"must have at most {_MOST_SEARCH_CHARACTERS} characters in all")
def searches_are_short(vmi: Subject) -> Iterator[Place]:
    """They are longer."""
    config = vmi.spec.dns_config
    if config and len(" ".join(config.searches or ())) > _MOST_SEARCH_CHARACTERS:
        yield at()


@RULES.rule("V21", f"{_SEARCHES}[]", INVALID, f"{{search!r}} must be {SUBDOMAIN_WORDS}")
def searches_are_names(vmi: Subject) -> Iterator[Place]:
    """It is no DNS subdomain; a dot at its end is fine."""
    config = vmi.spec.dns_config
    for index, search in enumerate((config.searches if config else None) or ()):
        if not is_subdomain(search.removesuffix(".")):
            yield at(index, search=search)


@RULES.rule("V22", "spec.dnsConfig.options[].name", REQUIRED, "must not be empty")
def options_have_names(vmi: Subject) -> Iterator[Place]:
    """It is empty."""
    config = vmi.spec.dns_config
    for index, option in enumerate((config.options if config else None) or ()):
        if not option.name:
            yield at(index)
