"""The installation's own object (V418–V439, as far as this release reads it)."""

from collections.abc import Collection, Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.kubevirt import KubeVirt
from virtdeck.crds.kubevirt.kubevirt import KubeVirtSpec as Spec
from virtdeck.gateway.admission.amounts import why_unreadable
from virtdeck.gateway.admission.verdict import forbidden, invalid, unsupported

_ROLLOUT = ("Stage", "LiveUpdate")
_INTERFACES = ("bridge", "masquerade")
_UNINSTALL = ("RemoveWorkloads", "BlockUninstallIfWorkloadsExist")


def there_is_only_one(others: Collection[str]) -> Iterator[Cause]:
    """V418"""
    if others:
        yield forbidden(
            "metadata.name", f"only one KubeVirt object may exist; {sorted(others)[0]} does already"
        )


def nothing_runs_any_more(kubevirt: KubeVirt, workloads: int) -> Iterator[Cause]:
    """V419"""
    if workloads and kubevirt.spec.uninstall_strategy == "BlockUninstallIfWorkloadsExist":
        yield forbidden(
            "spec.uninstallStrategy",
            f"{workloads} virtual machines exist; delete them first, or choose RemoveWorkloads",
        )


def overhead_ratio_is_a_factor(spec: Spec) -> Iterator[Cause]:
    """V434, V435"""
    ratio = spec.configuration and spec.configuration.additional_guest_memory_overhead_ratio
    if not ratio:
        return
    try:
        wrong = not 1.0 <= float(ratio) < 100.0
    except ValueError:
        wrong = True
    if wrong:
        yield invalid(
            "spec.configuration.additionalGuestMemoryOverheadRatio",
            "must be a number of at least 1.0, as 1.5",
        )


def gates_are_on_or_off(spec: Spec) -> Iterator[Cause]:
    """V436"""
    developer = spec.configuration and spec.configuration.developer_configuration
    enabled, disabled = (
        (developer.feature_gates or (), developer.disabled_feature_gates or ()) if developer else ((), ())
    )
    for gate in sorted(set(enabled) & set(disabled)):
        path = "spec.configuration.developerConfiguration.disabledFeatureGates"
        yield invalid(path, f"{gate} is in featureGates as well; keep it in one of them")


def infrastructure_has_a_replica(spec: Spec) -> Iterator[Cause]:
    """V433"""
    if spec.infra is not None and spec.infra.replicas == 0:
        yield invalid("spec.infra.replicas", "must be 1 or more")


def choices_are_known(spec: Spec) -> Iterator[Cause]:
    """Ours: what is misspelt here would be found out by a VM's user."""
    config = spec.configuration
    if spec.uninstall_strategy and spec.uninstall_strategy not in _UNINSTALL:
        yield unsupported("spec.uninstallStrategy", spec.uninstall_strategy, _UNINSTALL)
    if config and config.vm_rollout_strategy and config.vm_rollout_strategy not in _ROLLOUT:
        yield unsupported("spec.configuration.vmRolloutStrategy", config.vm_rollout_strategy, _ROLLOUT)
    interface = config and config.network and config.network.default_network_interface
    if interface and interface not in _INTERFACES:
        yield unsupported("spec.configuration.network.defaultNetworkInterface", interface, _INTERFACES)
    if config and (wrong := why_unreadable(config.cpu_request)):
        yield invalid("spec.configuration.cpuRequest", wrong)


SPEC_RULES = (
    overhead_ratio_is_a_factor,
    gates_are_on_or_off,
    infrastructure_has_a_replica,
    choices_are_known,
)
