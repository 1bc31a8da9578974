"""Host name, architecture, start, eviction and service account (V1, V6–V11, V23, V24)."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.grace import LONGEST_GRACE_SECONDS
from virtdeck.gateway.admission.cluster import ARCHITECTURES
from virtdeck.gateway.admission.gates import DISCONTINUED_BINDINGS
from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject
from virtdeck.gateway.admission.words import LABEL_WORDS, SUBDOMAIN_WORDS, is_label, is_subdomain

RULES: Rules[Subject] = Rules("VMI")


@RULES.rule(
    "V1",
    "spec.domain.devices.interfaces[].{passt|macvtap}",
    FORBIDDEN,
    "belongs to the feature gate {gate}, which the KubeVirt object lists but which is discontinued; "
    "use masquerade, bridge or a binding plugin",
)
def discontinued_features_are_gone(vmi: Subject) -> Iterator[Place]:
    """The KubeVirt object still lists the discontinued gate of the field."""
    for gate, field in DISCONTINUED_BINDINGS.items() if vmi.cluster.enabled_gates else ():
        for index, interface in enumerate(vmi.interfaces if gate in vmi.cluster.enabled_gates else ()):
            if getattr(interface, field) is not None:
                yield at(index, field, gate=gate)


@RULES.rule("V6", "spec.hostname", INVALID, f"must be {LABEL_WORDS}")
def hostname_is_a_label(vmi: Subject) -> Iterator[Place]:
    """It is no DNS label."""
    if vmi.spec.hostname and not is_label(vmi.spec.hostname):
        yield at()


@RULES.rule("V7", "spec.subdomain", INVALID, f"must be {SUBDOMAIN_WORDS}")
def subdomain_is_a_name(vmi: Subject) -> Iterator[Place]:
    """It is no DNS subdomain."""
    if vmi.spec.subdomain and not is_subdomain(vmi.spec.subdomain):
        yield at()


@RULES.choice("V8", "spec.architecture", *ARCHITECTURES)
def architecture_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    yield at(value=vmi.architecture)


@RULES.choice("V9", "spec.startStrategy", "Paused")
def start_strategy_is_paused(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    yield at(value=vmi.spec.start_strategy)


@RULES.rule(
    "V10", "spec.livenessProbe", FORBIDDEN, "cannot be used with startStrategy Paused; remove one of them"
)
def paused_start_has_no_liveness_probe(vmi: Subject) -> Iterator[Place]:
    """The guest starts paused: it would be killed for standing still."""
    if vmi.spec.start_strategy == "Paused" and vmi.spec.liveness_probe is not None:
        yield at()


@RULES.choice("V11", "spec.evictionStrategy", "None", "LiveMigrate", "LiveMigrateIfPossible", "External")
def eviction_strategy_is_known(vmi: Subject) -> Iterator[Place]:
    """It is another word."""
    yield at(value=vmi.spec.eviction_strategy)


@RULES.rule("V23", "spec.serviceAccountName", INVALID, f"must be {SUBDOMAIN_WORDS}")
def service_account_is_a_name(vmi: Subject) -> Iterator[Place]:
    """It is no DNS subdomain."""
    if vmi.spec.service_account_name and not is_subdomain(vmi.spec.service_account_name):
        yield at()


@RULES.rule(
    "V24",
    "spec.volumes[].serviceAccount.serviceAccountName",
    INVALID,
    "must be the same as {base}spec.serviceAccountName",
)
def service_accounts_agree(vmi: Subject) -> Iterator[Place]:
    """Both are given and differ; a pod has one service account."""
    name = vmi.spec.service_account_name
    for index, volume in enumerate((vmi.spec.volumes or ()) if name else ()):
        account = volume.service_account and volume.service_account.service_account_name
        if account and account != name:
            yield at(index)


@RULES.rule("", "spec.terminationGracePeriodSeconds", INVALID, "must be 0 or more seconds")
def grace_period_is_a_time(vmi: Subject) -> Iterator[Place]:
    """It is negative."""
    if (vmi.spec.termination_grace_period_seconds or 0) < 0:
        yield at()


@RULES.rule(
    "", "spec.terminationGracePeriodSeconds", INVALID, f"must be at most {LONGEST_GRACE_SECONDS} seconds"
)
def grace_period_has_an_end(vmi: Subject) -> Iterator[Place]:
    """Nobody would see it end."""
    if (vmi.spec.termination_grace_period_seconds or 0) > LONGEST_GRACE_SECONDS:
        yield at()
