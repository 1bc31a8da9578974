"""Host name, architecture, start, eviction and service account (V6–V11, V23, V24)."""

from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.grace import LONGEST_GRACE_SECONDS
from virtdeck.gateway.admission.cluster import ARCHITECTURES
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import forbidden, invalid, unsupported
from virtdeck.gateway.admission.words import LABEL_WORDS, SUBDOMAIN_WORDS, is_label, is_subdomain

_EVICTION = ("None", "LiveMigrate", "LiveMigrateIfPossible", "External")


def hostname_is_a_label(subject: Subject) -> Iterator[Cause]:
    """V6"""
    if subject.spec.hostname and not is_label(subject.spec.hostname):
        yield invalid(subject.at("hostname"), f"must be {LABEL_WORDS}")


def subdomain_is_a_name(subject: Subject) -> Iterator[Cause]:
    """V7"""
    if subject.spec.subdomain and not is_subdomain(subject.spec.subdomain):
        yield invalid(subject.at("subdomain"), f"must be {SUBDOMAIN_WORDS}")


def architecture_is_known(subject: Subject) -> Iterator[Cause]:
    """V8"""
    if subject.architecture not in ARCHITECTURES:
        yield unsupported(subject.at("architecture"), subject.architecture, ARCHITECTURES)


def start_strategy_is_paused(subject: Subject) -> Iterator[Cause]:
    """V9"""
    if subject.spec.start_strategy not in (None, "", "Paused"):
        yield unsupported(subject.at("startStrategy"), subject.spec.start_strategy, ("Paused",))


def paused_start_has_no_liveness_probe(subject: Subject) -> Iterator[Cause]:
    """V10: a guest that stands still would be killed for it."""
    if subject.spec.start_strategy == "Paused" and subject.spec.liveness_probe is not None:
        yield forbidden(
            subject.at("livenessProbe"), "cannot be used with startStrategy Paused; remove one of them"
        )


def eviction_strategy_is_known(subject: Subject) -> Iterator[Cause]:
    """V11"""
    if subject.spec.eviction_strategy and subject.spec.eviction_strategy not in _EVICTION:
        yield unsupported(subject.at("evictionStrategy"), subject.spec.eviction_strategy, _EVICTION)


def service_account_is_a_name(subject: Subject) -> Iterator[Cause]:
    """V23"""
    if subject.spec.service_account_name and not is_subdomain(subject.spec.service_account_name):
        yield invalid(subject.at("serviceAccountName"), f"must be {SUBDOMAIN_WORDS}")


def service_accounts_agree(subject: Subject) -> Iterator[Cause]:
    """V24: a pod has one service account."""
    name = subject.spec.service_account_name
    for path, volume in subject.each_volume():
        account = volume.service_account and volume.service_account.service_account_name
        if name and account and account != name:
            yield invalid(
                f"{path}.serviceAccount.serviceAccountName",
                f"must be the same as {subject.at('serviceAccountName')}",
            )


def grace_period_has_an_end(subject: Subject) -> Iterator[Cause]:
    """Ours"""
    seconds, field = subject.spec.termination_grace_period_seconds or 0, "terminationGracePeriodSeconds"
    if seconds < 0:
        yield invalid(subject.at(field), "must be 0 or more seconds")
    elif seconds > LONGEST_GRACE_SECONDS:
        yield invalid(subject.at(field), f"must be at most {LONGEST_GRACE_SECONDS} seconds")


RULES: tuple[Rule, ...] = (
    hostname_is_a_label,
    subdomain_is_a_name,
    architecture_is_known,
    start_strategy_is_paused,
    paused_start_has_no_liveness_probe,
    eviction_strategy_is_known,
    service_account_is_a_name,
    service_accounts_agree,
    grace_period_has_an_end,
)
