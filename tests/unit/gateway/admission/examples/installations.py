"""Examples for ``kinds.kubevirt``, ``kinds.kubevirt_security`` and ``kinds.placement``."""

from typing import Any

from tests.unit.gateway.admission.build import ALICE, CLUSTER, Plain
from tests.unit.gateway.admission.examples.example import Example
from tests.unit.gateway.admission.examples.writes import made

from virtdeck.crds.kubevirt.kubevirt import KubeVirt
from virtdeck.gateway.admission.kinds.installation import Installation, Uninstallation

_BASE: Plain = {"metadata": {"name": "kubevirt"}, "spec": {}}
_DEVELOPER = "spec.configuration.developerConfiguration"
_BLOCK = {"uninstallStrategy": "BlockUninstallIfWorkloadsExist"}


def _of(spec: Plain | None = None, old: Plain | None = None, **surroundings: Any) -> Installation:
    before = None if old is None else made(_BASE, KubeVirt, {"spec": old})
    return Installation(made(_BASE, KubeVirt, {"spec": spec or {}}), before, ALICE, CLUSTER, **surroundings)


def _configured(**configuration: Any) -> Installation:
    return _of({"configuration": configuration})


def _gated(*gates: str, off: tuple[str, ...] = (), **configuration: Any) -> Installation:
    lists = {"featureGates": list(gates), "disabledFeatureGates": list(off)}
    return _configured(developerConfiguration=lists, **configuration)


def _signed(**config: Any) -> Installation:
    return _of({"certificateRotateStrategy": {"selfSigned": config}})


def _tls(**config: Any) -> Installation:
    return _configured(tlsConfiguration=config)


def _seccomp(profile: Plain | None) -> Installation:
    found = {} if profile is None else {"customProfile": profile}
    return _configured(seccompConfiguration={"virtualMachineInstanceProfile": found})


def _placed(part: str, **placement: Any) -> Installation:
    return _of({part: {"nodePlacement": placement}})


def _patch(text: str) -> Installation:
    patch = {"patch": text, "resourceName": "virt-api", "resourceType": "Deployment", "type": "json"}
    return _of({"customizeComponents": {"patches": [patch]}})


def _leaving(workloads: int, **spec: Any) -> Uninstallation:
    return Uninstallation(made(_BASE, KubeVirt, {"spec": spec}), workloads)


_TWELVE = "VersionTLS12"
_CIPHER = "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"
_RATIO = "additionalGuestMemoryOverheadRatio"
_OLD_SPELLING: Plain = {"nodeSelector": {}, "mediatedDevicesTypes": ["a"]}

_OBJECT: dict[str, Example] = {
    "V418": Example(_of(others=("kubevirt/other",)), _of()),
    "V419": Example(_leaving(2, **_BLOCK), _leaving(0, **_BLOCK)),
    "V420": Example(_patch("[{op: add}]"), _patch("[]"), "spec.customizeComponents.patches[0].patch"),
    "V433": Example(_of({"infra": {"replicas": 0}}), _of({"infra": {"replicas": 1}})),
    "V434": Example(_configured(**{_RATIO: "much"}), _configured(**{_RATIO: "1.5"})),
    "V435": Example(_configured(**{_RATIO: "0.5"}), _configured(**{_RATIO: "1.0"})),
    "V436": Example(
        _gated("Sidecar", off=("Sidecar",)), _gated("Sidecar"), f"{_DEVELOPER}.disabledFeatureGates"
    ),
    "V437": Example(
        _gated(off=("Template",), virtTemplateDeployment={"enabled": True}),
        _gated(virtTemplateDeployment={"enabled": True}),
    ),
    "V438": Example(
        _gated(off=("OptOutRoleAggregation",), roleAggregationStrategy="Manual"),
        _gated(roleAggregationStrategy="Manual"),
    ),
    "V439": Example(
        _gated(migrations={"maxDowntimeMs": 500}),
        _gated("MigrationStallDetection", migrations={"maxDowntimeMs": 500}),
    ),
    "uninstall_strategy_is_known": Example(_of({"uninstallStrategy": "Burn"}), _of(_BLOCK)),
    "rollout_strategy_is_known": Example(
        _configured(vmRolloutStrategy="Wild"), _configured(vmRolloutStrategy="LiveUpdate")
    ),
    "role_aggregation_is_known": Example(
        _configured(roleAggregationStrategy="Some"), _configured(roleAggregationStrategy="AggregateToDefault")
    ),
    "default_interface_is_known": Example(
        _configured(network={"defaultNetworkInterface": "slirp"}),
        _configured(network={"defaultNetworkInterface": "bridge"}),
    ),
    "cpu_request_is_an_amount": Example(_configured(cpuRequest="lots"), _configured(cpuRequest="100m")),
    "mediated_devices_are_spelt_anew": Example(
        _configured(mediatedDevicesConfiguration={"nodeMediatedDeviceTypes": [_OLD_SPELLING]}),
        _configured(mediatedDevicesConfiguration={"mediatedDeviceTypes": ["a"]}),
        "spec.configuration.mediatedDevicesConfiguration.nodeMediatedDeviceTypes[0].mediatedDevicesTypes",
    ),
}

_SECURITY: dict[str, Example] = {
    "V421": Example(_signed(caRotateInterval="200h", ca={}), _signed(caRotateInterval="200h")),
    "V422": Example(
        _signed(ca={"duration": "48h", "renewBefore": "49h"}),
        _signed(ca={"duration": "48h", "renewBefore": "12h"}),
    ),
    "V423": Example(_signed(server={"renewBefore": "25h"}), _signed(server={"renewBefore": "23h"})),
    "V424": Example(
        _signed(ca={"duration": "12h"}), _signed(ca={"duration": "12h"}, server={"duration": "6h"})
    ),
    "rotation_times_are_durations": Example(
        _signed(ca={"renewBefore": "soon"}),
        _signed(ca={"renewBefore": "12h"}),
        "spec.certificateRotateStrategy.selfSigned.ca.renewBefore",
    ),
    "V425": Example(_tls(ciphers=[_CIPHER]), _tls(ciphers=[_CIPHER], minTLSVersion=_TWELVE)),
    "V426": Example(
        _tls(ciphers=["ROT13"], minTLSVersion=_TWELVE),
        _tls(ciphers=[_CIPHER], minTLSVersion=_TWELVE),
        "spec.configuration.tlsConfiguration.ciphers[0]",
    ),
    "tls_version_is_known": Example(_tls(minTLSVersion="SSL3"), _tls(minTLSVersion="VersionTLS13")),
    "V427": Example(
        _seccomp({"localhostProfile": "a.json", "runtimeDefaultProfile": True}),
        _seccomp({"localhostProfile": "a.json", "runtimeDefaultProfile": False}),
    ),
    "V428": Example(
        _seccomp({"localhostProfile": "a.json", "runtimeDefaultProfile": True}),
        _seccomp({"runtimeDefaultProfile": True}),
    ),
    "V429": Example(_seccomp(None), _seccomp({"runtimeDefaultProfile": True})),
    "V430": Example(_seccomp({}), _seccomp({"localhostProfile": "a.json"})),
    "V431": Example(
        _placed("workloads", tolerations=[{"key": "a", "operator": "Likes"}]),
        _placed("workloads", tolerations=[{"key": "a", "operator": "Exists", "effect": "NoSchedule"}]),
        "spec.workloads.nodePlacement.tolerations[0].operator",
    ),
    "V432": Example(_placed("infra", nodeSelector={"a b": "c"}), _placed("infra", nodeSelector={"a": "c"})),
}

EXAMPLES: dict[str, Example] = {**_OBJECT, **_SECURITY}
