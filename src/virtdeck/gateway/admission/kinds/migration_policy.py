"""MigrationPolicy: settings that a migration can follow."""

from collections.abc import Iterator
from decimal import Decimal

from virtdeck.basis.errors import Invalid
from virtdeck.crds.kubevirt.migration_status import StallDetectorOptions
from virtdeck.crds.migrations.policy import MigrationPolicy, MigrationPolicySpec
from virtdeck.crds.plain import Plain
from virtdeck.crds.quantity import parse_quantity
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.kinds.write import Write, examined, judged
from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, Place, Rules, at
from virtdeck.gateway.admission.stored_only import stored_only
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User

RULES: Rules[Write[MigrationPolicy]] = Rules("MigrationPolicy")

_DETECTION, _TUNING = "MigrationStallDetection", "MigrationDowntimeTuning"
_MOST_DECIMALS = 3
# The least and the most; ewmaAlpha's least is excluded.
_FACTORS: dict[str, tuple[str, Decimal, Decimal | None]] = {
    "ewmaAlpha": ("ewma_alpha", Decimal(0), Decimal(1)),
    "precopyPossibleFactor": ("precopy_possible_factor", Decimal(1), None),
    "patienceWindowDecayFactor": ("patience_window_decay_factor", Decimal(0), Decimal(1)),
    "completionTimeoutFactor": ("completion_timeout_factor", Decimal(1), None),
}
_FACTOR = "spec.experimental.stallDetector.{" + "|".join(_FACTORS) + "}"


@RULES.rule("V351", "spec.completionTimeoutPerGiB", INVALID, "must be 0 seconds or more")
def completion_timeout_is_a_time(policy: Write[MigrationPolicy]) -> Iterator[Place]:
    """It is negative."""
    if (policy.obj.spec.completion_timeout_per_gib or 0) < 0:
        yield at()


@RULES.rule("V352", "spec.bandwidthPerMigration", INVALID, "must be an amount of bytes, 0 or more, as 64Mi")
def bandwidth_is_an_amount(policy: Write[MigrationPolicy]) -> Iterator[Place]:
    """It is negative, or no quantity."""
    bandwidth = policy.obj.spec.bandwidth_per_migration
    if bandwidth is not None:
        amount = _amount(bandwidth)
        if amount is None or amount < 0:
            yield at()


@RULES.rule(
    "V353", "spec.maxDowntimeMs", FORBIDDEN, f"needs one of the feature gates {_DETECTION} and {_TUNING}"
)
def downtime_needs_a_gate(policy: Write[MigrationPolicy]) -> Iterator[Place]:
    """It is new or changed while both gates are off."""
    now, before = policy.obj.spec.max_downtime_ms, policy.old.spec.max_downtime_ms if policy.old else None
    if now is not None and now != before and not (policy.gate(_DETECTION) or policy.gate(_TUNING)):
        yield at()


@RULES.gate("V354", "spec.experimental.stallDetector", _DETECTION)
def stall_detector_needs_its_gate(policy: Write[MigrationPolicy]) -> Iterator[Place]:
    """It is new or changed."""
    detector = _detector(policy.obj.spec)
    if detector is not None and detector != (_detector(policy.old.spec) if policy.old else None):
        yield at()


@RULES.gate("V355", "spec.experimental.downtimeTuning", _TUNING)
def downtime_tuning_needs_its_gate(policy: Write[MigrationPolicy]) -> Iterator[Place]:
    """It is new or changed."""
    now, old = policy.obj.spec.experimental, policy.old.spec.experimental if policy.old else None
    if now and now.downtime_tuning is not None and now.downtime_tuning != (old and old.downtime_tuning):
        yield at()


@RULES.rule(
    "V356", "spec.experimental", INVALID, "must have either stallDetector or downtimeTuning, not both"
)
def one_experiment_at_a_time(policy: Write[MigrationPolicy]) -> Iterator[Place]:
    """Both decide how long the guest may stand still."""
    options = policy.obj.spec.experimental
    if options and options.stall_detector is not None and options.downtime_tuning is not None:
        yield at()


@RULES.rule("V357", _FACTOR, INVALID, "must be {range}")
def factors_are_in_range(policy: Write[MigrationPolicy]) -> Iterator[Place]:
    """A factor is smaller or greater than it may be, or no number."""
    for name, text in _factors(policy.obj.spec):
        value, (_, least, most) = _amount(text), _FACTORS[name]
        too_small = value is not None and (value <= 0 if name == "ewmaAlpha" else 0 <= value < least)
        if value is None or (too_small and value >= 0) or (most is not None and value > most):
            yield at(name, range=_range(name, least, most))


@RULES.rule("V358", _FACTOR, INVALID, f"must have at most {_MOST_DECIMALS} decimals")
def factors_are_short(policy: Write[MigrationPolicy]) -> Iterator[Place]:
    """A factor is more exact than it can be kept."""
    for name, text in _factors(policy.obj.spec):
        value = _amount(text)
        if value is not None and value != round(value, _MOST_DECIMALS):
            yield at(name)


@RULES.rule("V359", _FACTOR, INVALID, "must not be negative")
def factors_are_not_negative(policy: Write[MigrationPolicy]) -> Iterator[Place]:
    """A factor is less than 0."""
    for name, text in _factors(policy.obj.spec):
        value = _amount(text)
        if value is not None and value < 0:
            yield at(name)


def validate_migration_policy(obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig) -> Verdict:
    """A policy, new or changed."""
    stored = stored_only("migrationpolicies.migrations.kubevirt.io") if old is None else ""
    return examined(
        obj,
        old,
        MigrationPolicy,
        lambda now, before: judged(RULES, Write(now, before, user, cluster), stored=stored),
    )


def _detector(spec: MigrationPolicySpec) -> StallDetectorOptions | None:
    return spec.experimental.stall_detector if spec.experimental else None


def _factors(spec: MigrationPolicySpec) -> Iterator[tuple[str, str | int | float]]:
    """Every factor that is given, with its name."""
    detector = _detector(spec)
    for name, (attribute, *_) in _FACTORS.items():
        text = getattr(detector, attribute) if detector is not None else None
        if text is not None:
            yield name, text


def _amount(text: str | int | float) -> Decimal | None:
    try:
        return parse_quantity(text)
    except Invalid:
        return None


def _range(name: str, least: Decimal, most: Decimal | None) -> str:
    beginning = f"more than {least}" if name == "ewmaAlpha" else f"{least} or more"
    return beginning if most is None else f"{beginning} and at most {most}"
