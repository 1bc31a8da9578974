"""Name resolution of the pod, and of the guest by DHCP (V14–V22)."""

from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.core.dns import PodDNSConfig
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import invalid, required, unsupported
from virtdeck.gateway.admission.words import SUBDOMAIN_WORDS, is_ip, is_subdomain

_POLICIES = ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")
_MOST_SERVERS, _MOST_SEARCHES, _MOST_SEARCH_CHARACTERS = 3, 6, 256  # what resolv.conf holds


def policy_is_known(subject: Subject) -> Iterator[Cause]:
    """V14"""
    if subject.spec.dns_policy and subject.spec.dns_policy not in _POLICIES:
        yield unsupported(subject.at("dnsPolicy"), subject.spec.dns_policy, _POLICIES)


def own_resolution_names_servers(subject: Subject) -> Iterator[Cause]:
    """V15, V16"""
    if subject.spec.dns_policy != "None":
        return
    if subject.spec.dns_config is None:
        yield required(subject.at("dnsConfig"), "must be given when dnsPolicy is None")
    elif not subject.spec.dns_config.nameservers:
        yield required(
            subject.at("dnsConfig.nameservers"), "must have at least one server when dnsPolicy is None"
        )


def servers_are_few_addresses(subject: Subject) -> Iterator[Cause]:
    """V17, V18"""
    servers = _config(subject).nameservers or ()
    path = subject.at("dnsConfig.nameservers")
    if len(servers) > _MOST_SERVERS:
        yield invalid(path, f"must have at most {_MOST_SERVERS} servers")
    for index, server in enumerate(servers):
        if not is_ip(server):
            yield invalid(f"{path}[{index}]", f"{server!r} must be an IP address")


def searches_are_few_names(subject: Subject) -> Iterator[Cause]:
    """V19–V21"""
    searches = _config(subject).searches or ()
    path = subject.at("dnsConfig.searches")
    if len(searches) > _MOST_SEARCHES:
        yield invalid(path, f"must have at most {_MOST_SEARCHES} names")
    if len(" ".join(searches)) > _MOST_SEARCH_CHARACTERS:
        yield invalid(path, f"must have at most {_MOST_SEARCH_CHARACTERS} characters in all")
    for index, search in enumerate(searches):
        if not is_subdomain(search.removesuffix(".")):
            yield invalid(f"{path}[{index}]", f"{search!r} must be {SUBDOMAIN_WORDS}")


def options_have_names(subject: Subject) -> Iterator[Cause]:
    """V22"""
    for index, option in enumerate(_config(subject).options or ()):
        if not option.name:
            yield required(subject.at(f"dnsConfig.options[{index}].name"), "must not be empty")


def _config(subject: Subject) -> PodDNSConfig:
    return subject.spec.dns_config or PodDNSConfig()


RULES: tuple[Rule, ...] = (
    policy_is_known,
    own_resolution_names_servers,
    servers_are_few_addresses,
    searches_are_few_names,
    options_have_names,
)
