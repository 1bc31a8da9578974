"""KubeVirt: the installation's own object; there is one, and its configuration can be used."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.kubevirt import KubeVirt
from virtdeck.crds.plain import Plain
from virtdeck.gateway.admission.amounts import why_unreadable
from virtdeck.gateway.admission.cluster import ClusterConfig
from virtdeck.gateway.admission.gates import gate_warnings
from virtdeck.gateway.admission.kinds import kubevirt_security, placement
from virtdeck.gateway.admission.kinds.clone import is_json
from virtdeck.gateway.admission.kinds.installation import Installation, Uninstallation
from virtdeck.gateway.admission.kinds.write import examined, judged
from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, WARNING, Place, Rules, at
from virtdeck.gateway.admission.verdict import Verdict
from virtdeck.gateway.auth.user import User

_CONFIG = "spec.configuration"
_GATES = f"{_CONFIG}.developerConfiguration"
_MDEVS = f"{_CONFIG}.mediatedDevicesConfiguration"
_DETECTION, _TUNING = "MigrationStallDetection", "MigrationDowntimeTuning"
_LEAST_RATIO, _MOST_RATIO = 1.0, 100.0


DELETE: Rules[Uninstallation] = Rules("KubeVirt, deleted")


@DELETE.rule(
    "V419",
    "spec.uninstallStrategy",
    FORBIDDEN,
    "{workloads} virtual machines exist; delete them first, or choose RemoveWorkloads",
)
def nothing_runs_any_more(removal: Uninstallation) -> Iterator[Place]:
    """The strategy is BlockUninstallIfWorkloadsExist, and there are virtual machines."""
    if removal.workloads and removal.obj.spec.uninstall_strategy == "BlockUninstallIfWorkloadsExist":
        yield at(workloads=removal.workloads)


RULES: Rules[Installation] = Rules("KubeVirt")


@RULES.rule("V418", "metadata.name", FORBIDDEN, "only one KubeVirt object may exist; {name} does already")
def there_is_only_one(kubevirt: Installation) -> Iterator[Place]:
    """Another one exists."""
    if kubevirt.others:
        yield at(name=min(kubevirt.others))


@RULES.rule("V420", "spec.customizeComponents.patches[].patch", INVALID, "must be JSON")
def patches_are_json(kubevirt: Installation) -> Iterator[Place]:
    """It is none."""
    custom = kubevirt.obj.spec.customize_components
    for index, patch in enumerate((custom and custom.patches) or ()):
        if not is_json(patch.patch):
            yield at(index)


@RULES.rule(
    "V434",
    f"{_CONFIG}.additionalGuestMemoryOverheadRatio",
    INVALID,
    f"must be a number below {_MOST_RATIO:g}, as 1.5",
)
def overhead_ratio_is_a_number(kubevirt: Installation) -> Iterator[Place]:
    """It is another text, or beyond all measure."""
    ratio = kubevirt.configuration.additional_guest_memory_overhead_ratio
    if ratio:
        value = _number(ratio)
        if value is None or not value < _MOST_RATIO:
            yield at()


@RULES.rule(
    "V435", f"{_CONFIG}.additionalGuestMemoryOverheadRatio", INVALID, f"must be {_LEAST_RATIO} or more"
)
def overhead_ratio_adds(kubevirt: Installation) -> Iterator[Place]:
    """It is less, so that a guest would get less than it takes."""
    value = _number(kubevirt.configuration.additional_guest_memory_overhead_ratio or "1")
    if value is not None and value < _LEAST_RATIO:
        yield at()


@RULES.rule(
    "V436", f"{_GATES}.disabledFeatureGates", INVALID, "{gate} is in featureGates too; keep it in one of them"
)
def gates_are_on_or_off(kubevirt: Installation) -> Iterator[Place]:
    """A gate stands in both lists."""
    developer = kubevirt.developer
    for gate in sorted(set(developer.feature_gates or ()) & set(developer.disabled_feature_gates or ())):
        yield at(gate=gate)


@RULES.gate("V437", f"{_CONFIG}.virtTemplateDeployment", "Template")
def templates_need_their_gate(kubevirt: Installation) -> Iterator[Place]:
    """They are to be deployed."""
    deployment = kubevirt.configuration.virt_template_deployment
    if deployment is not None and deployment.enabled is not False:
        yield at()


@RULES.gate("V438", f"{_CONFIG}.roleAggregationStrategy", "OptOutRoleAggregation")
def role_aggregation_needs_its_gate(kubevirt: Installation) -> Iterator[Place]:
    """It is given."""
    if kubevirt.configuration.role_aggregation_strategy:
        yield at()


@RULES.rule(
    "V439",
    f"{_CONFIG}.migrations.maxDowntimeMs",
    FORBIDDEN,
    f"needs one of the feature gates {_DETECTION} and {_TUNING}",
)
def downtime_needs_a_gate(kubevirt: Installation) -> Iterator[Place]:
    """It is new or changed while both gates are off."""
    now, before = _downtime(kubevirt.obj), _downtime(kubevirt.old) if kubevirt.old else None
    if now is not None and now != before and not (kubevirt.gate(_DETECTION) or kubevirt.gate(_TUNING)):
        yield at()


@RULES.rule("V433", "spec.infra.replicas", INVALID, "must be 1 or more")
def infrastructure_has_a_replica(kubevirt: Installation) -> Iterator[Place]:
    """It is 0."""
    if kubevirt.obj.spec.infra is not None and kubevirt.obj.spec.infra.replicas == 0:
        yield at()


@RULES.choice("", "spec.uninstallStrategy", "RemoveWorkloads", "BlockUninstallIfWorkloadsExist")
def uninstall_strategy_is_known(kubevirt: Installation) -> Iterator[Place]:
    """It is another word."""
    yield at(value=kubevirt.obj.spec.uninstall_strategy)


@RULES.choice("", f"{_CONFIG}.vmRolloutStrategy", "Stage", "LiveUpdate")
def rollout_strategy_is_known(kubevirt: Installation) -> Iterator[Place]:
    """It is another word."""
    yield at(value=kubevirt.configuration.vm_rollout_strategy)


@RULES.choice("", f"{_CONFIG}.roleAggregationStrategy", "AggregateToDefault", "Manual")
def role_aggregation_is_known(kubevirt: Installation) -> Iterator[Place]:
    """It is another word."""
    yield at(value=kubevirt.configuration.role_aggregation_strategy)


@RULES.choice("", f"{_CONFIG}.network.defaultNetworkInterface", "bridge", "masquerade")
def default_interface_is_known(kubevirt: Installation) -> Iterator[Place]:
    """It is another word."""
    network = kubevirt.configuration.network
    if network is not None:
        yield at(value=network.default_network_interface)


@RULES.rule("", f"{_CONFIG}.cpuRequest", INVALID, "{why}")
def cpu_request_is_an_amount(kubevirt: Installation) -> Iterator[Place]:
    """It is no quantity, which a VM's user would find out."""
    why = why_unreadable(kubevirt.configuration.cpu_request)
    if why:
        yield at(why=why)


@RULES.rule(
    "",
    f"{_MDEVS}.{{mediatedDevicesTypes|nodeMediatedDeviceTypes…}}",
    WARNING,
    "is deprecated; use mediatedDeviceTypes",
)
def mediated_devices_are_spelt_anew(kubevirt: Installation) -> Iterator[Place]:
    """The field of the old spelling is used."""
    devices = kubevirt.configuration.mediated_devices_configuration
    if devices is None:
        return
    if devices.mediated_devices_types is not None:
        yield at("mediatedDevicesTypes")
    for index, node in enumerate(devices.node_mediated_device_types or ()):
        if node.mediated_devices_types is not None:
            yield at(f"nodeMediatedDeviceTypes[{index}].mediatedDevicesTypes")


ALL: Rules[Installation] = Rules("KubeVirt", RULES, kubevirt_security.RULES, placement.RULES)


def validate_kubevirt(
    obj: Plain, old: Plain | None, user: User, cluster: ClusterConfig, *, others: tuple[str, ...] = ()
) -> Verdict:
    """The object, new or changed. others: ``namespace/name`` of those beside a new one."""

    def verdict(now: KubeVirt, before: KubeVirt | None) -> Verdict:
        told = judged(ALL, Installation(now, before, user, cluster, others))
        return Verdict(told.causes, (*told.warnings, *_gate_warnings(now, before)))

    return examined(obj, old, KubeVirt, verdict)


def validate_kubevirt_delete(old: Plain, *, workloads: int) -> Verdict:
    """workloads: how many virtual machines, instances and replica sets exist; an unreadable object may go."""
    verdict = examined(
        old, None, KubeVirt, lambda now, _before: judged(DELETE, Uninstallation(now, workloads))
    )
    return verdict if any(cause.field == "spec.uninstallStrategy" for cause in verdict.causes) else Verdict()


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _downtime(kubevirt: KubeVirt) -> int | None:
    migrations = kubevirt.spec.configuration.migrations if kubevirt.spec.configuration else None
    return migrations.max_downtime_ms if migrations else None


def _gate_warnings(now: KubeVirt, before: KubeVirt | None) -> tuple[str, ...]:
    """Told when the gates change, not at every write."""
    lists = _gates(now)
    return () if before is not None and lists == _gates(before) else tuple(gate_warnings(*lists))


def _gates(kubevirt: KubeVirt) -> tuple[tuple[str, ...], tuple[str, ...]]:
    developer = kubevirt.spec.configuration.developer_configuration if kubevirt.spec.configuration else None
    if developer is None:
        return (), ()
    return developer.feature_gates or (), developer.disabled_feature_gates or ()
