"""Rules on names, start, scheduling, probes, DNS and further devices. Each row breaks one rule."""

from typing import Any

import pytest
from tests.unit.gateway.admission.build import CONTROLLER, bare_fields, causes, devices, fields

from virtdeck.gateway.admission import ClusterConfig

_NODE = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def _node(**test: Any) -> dict[str, Any]:
    term = {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"], **test}]}
    return {"affinity": {"nodeAffinity": {_REQUIRED: {"nodeSelectorTerms": [term]}}}}


def _spread(**changes: Any) -> dict[str, Any]:
    spread = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", **changes}
    return {"topologySpreadConstraints": [spread]}


def _dns(**config: Any) -> dict[str, Any]:
    return {"dnsConfig": config}


_NO_POD = {"networks": [{"name": "default", "multus": {"networkName": "x"}}]}
_EVERY_ROW = [
    ("V6", {"hostname": "No"}, "spec.hostname"),
    ("V7", {"subdomain": "a..b"}, "spec.subdomain"),
    ("V8", {"architecture": "riscv64"}, "spec.architecture"),
    ("V9", {"startStrategy": "Later"}, "spec.startStrategy"),
    ("V10", {"startStrategy": "Paused", "livenessProbe": {"guestAgentPing": {}}}, "spec.livenessProbe"),
    ("V11", {"evictionStrategy": "Panic"}, "spec.evictionStrategy"),
    ("V12", {"affinity": {"nodeAffinity": {_REQUIRED: {"nodeSelectorTerms": []}}}}, _NODE),
    ("V12", _node(operator="Like"), f"{_NODE}[0].matchExpressions[0].operator"),
    ("V12", _node(values=[]), f"{_NODE}[0].matchExpressions[0].values"),
    ("V12", _node(operator="Exists"), f"{_NODE}[0].matchExpressions[0].values"),
    ("V12", _node(operator="Gt", values=["x"]), f"{_NODE}[0].matchExpressions[0].values"),
    ("V12", _node(key="a b"), f"{_NODE}[0].matchExpressions[0].key"),
    (
        "V12",
        {
            "affinity": {
                "podAntiAffinity": {_PREFERRED: [{"weight": 0, "podAffinityTerm": {"topologyKey": "z"}}]}
            }
        },
        f"spec.affinity.podAntiAffinity.{_PREFERRED}[0].weight",
    ),
    (
        "V12",
        {"affinity": {"podAffinity": {_REQUIRED: [{"topologyKey": ""}]}}},
        f"spec.affinity.podAffinity.{_REQUIRED}[0].topologyKey",
    ),
    ("V13", _spread(maxSkew=0), "spec.topologySpreadConstraints[0].maxSkew"),
    ("V13", _spread(topologyKey=""), "spec.topologySpreadConstraints[0].topologyKey"),
    ("V13", _spread(whenUnsatisfiable="Hope"), "spec.topologySpreadConstraints[0].whenUnsatisfiable"),
    ("labels", {"nodeSelector": {"a b": "c"}}, "spec.nodeSelector"),
    ("labels", {"nodeSelector": {"a": "b c"}}, "spec.nodeSelector[a]"),
    ("V14", {"dnsPolicy": "Mine"}, "spec.dnsPolicy"),
    ("V15", {"dnsPolicy": "None"}, "spec.dnsConfig"),
    ("V16", {"dnsPolicy": "None", **_dns()}, "spec.dnsConfig.nameservers"),
    ("V17", _dns(nameservers=["1.1.1.1"] * 4), "spec.dnsConfig.nameservers"),
    ("V18", _dns(nameservers=["one.one"]), "spec.dnsConfig.nameservers[0]"),
    ("V19", _dns(searches=["a"] * 7), "spec.dnsConfig.searches"),
    ("V20", _dns(searches=["a" * 60] * 5), "spec.dnsConfig.searches"),
    ("V21", _dns(searches=["a_b"]), "spec.dnsConfig.searches[0]"),
    ("V22", _dns(options=[{"name": ""}]), "spec.dnsConfig.options[0].name"),
    ("V23", {"serviceAccountName": "A"}, "spec.serviceAccountName"),
    (
        "V24",
        {
            "serviceAccountName": "a",
            "volumes": [{"name": "root", "serviceAccount": {"serviceAccountName": "b"}}],
        },
        "spec.volumes[0].serviceAccount.serviceAccountName",
    ),
    ("V25", {"readinessProbe": {"guestAgentPing": {}, "tcpSocket": {"port": 22}}}, "spec.readinessProbe"),
    ("V26", {"livenessProbe": {"periodSeconds": 3}}, "spec.livenessProbe"),
    ("V27", {"livenessProbe": {"httpGet": {"port": 80}}, **_NO_POD}, "spec.livenessProbe.httpGet"),
    ("V28", {"livenessProbe": {"tcpSocket": {"port": 80}}, **_NO_POD}, "spec.livenessProbe.tcpSocket"),
    ("grace", {"terminationGracePeriodSeconds": -1}, "spec.terminationGracePeriodSeconds"),
    ("grace", {"terminationGracePeriodSeconds": 2**31}, "spec.terminationGracePeriodSeconds"),
    ("V102", devices(inputs=[{"name": "i", "bus": "ps2"}]), "spec.domain.devices.inputs[0].bus"),
    ("V103", devices(inputs=[{"name": "i", "type": "mouse"}]), "spec.domain.devices.inputs[0].type"),
    ("V104", {"domain": {"ioThreadsPolicy": "many"}}, "spec.domain.ioThreadsPolicy"),
    (
        "V105",
        {"domain": {"ioThreadsPolicy": "supplementalPool"}},
        "spec.domain.ioThreads.supplementalPoolThreadCount",
    ),
    (
        "V106",
        devices(gpus=[{"name": n, "virtualGPUOptions": {"display": {"ramFB": {}}}} for n in "ab"]),
        "spec.domain.devices.gpus[1].virtualGPUOptions.display.ramFB",
    ),
    ("V107", devices(hostDevices=[{"name": "h"}]), "spec.domain.devices.hostDevices"),
    ("V108", devices(sound={"name": "s", "model": "sb16"}), "spec.domain.devices.sound.model"),
    ("V109", devices(sound={"name": ""}), "spec.domain.devices.sound.name"),
    ("V110", devices(autoattachVSOCK=True), "spec.domain.devices.autoattachVSOCK"),
    (
        "V111",
        devices(disks=[{"name": "root", "lun": {"bus": "scsi", "reservation": True}}]),
        "spec.domain.devices.disks[0].lun.reservation",
    ),
    ("V112", devices(downwardMetrics={}), "spec.domain.devices.downwardMetrics"),
    (
        "V113",
        devices(disks=[], filesystems=[{"name": "root", "virtiofs": {}}])
        | {"volumes": [{"name": "root", "persistentVolumeClaim": {"claimName": "c"}}]},
        "spec.domain.devices.filesystems[0].virtiofs",
    ),
    ("V114", devices(video={"type": "vga"}, autoattachGraphicsDevice=False), "spec.domain.devices.video"),
    ("V116", devices(panicDevices=[{"model": "loud"}]), "spec.domain.devices.panicDevices[0].model"),
]


@pytest.mark.parametrize(
    ("rule", "spec", "field"), _EVERY_ROW, ids=[f"{r}-{i}" for i, (r, _, _) in enumerate(_EVERY_ROW)]
)
def test_what_breaks_the_rule_is_refused(rule: str, spec: dict[str, Any], field: str) -> None:
    assert field in fields(spec), rule


SOUND: list[dict[str, Any]] = [
    {"hostname": "web-1", "subdomain": "vms.example"},
    {"startStrategy": "Paused", "evictionStrategy": "LiveMigrateIfPossible"},
    _node(operator="Gt", values=["3"]),
    _node(operator="Exists", values=None),
    _spread(labelSelector={"matchLabels": {"a": "b"}}),
    {
        "dnsPolicy": "None",
        **_dns(nameservers=["1.1.1.1", "::1"], searches=["a.b."], options=[{"name": "ndots"}]),
    },
    {"readinessProbe": {"tcpSocket": {"port": 22}}, "livenessProbe": {"exec": {"command": ["true"]}}},
    {"domain": {"ioThreadsPolicy": "supplementalPool", "ioThreads": {"supplementalPoolThreadCount": 2}}},
    {"nodeSelector": {"kubernetes.io/hostname": "node-1", "empty": ""}},
    devices(
        inputs=[{"name": "i"}], panicDevices=[{"model": "pvpanic"}], sound={"name": "s", "model": "ac97"}
    ),
]


@pytest.mark.parametrize("spec", SOUND, ids=str)
def test_what_is_sound_is_let_through(spec: dict[str, Any]) -> None:
    assert causes(spec) == []


@pytest.mark.parametrize(
    ("rule", "metadata", "gate"),
    [
        ("V4", {"annotations": {"kubevirt.io/ignitiondata": "{}"}}, "ExperimentalIgnitionSupport"),
        ("V5", {"annotations": {"hooks.kubevirt.io/hookSidecars": "[]"}}, "Sidecar"),
    ],
)
def test_annotations_stand_behind_gates(rule: str, metadata: dict[str, Any], gate: str) -> None:
    (cause,) = causes({}, metadata=metadata)
    assert gate in cause.message, rule
    assert cause.field == f"metadata.annotations[{next(iter(metadata['annotations']))}]"
    assert causes({}, metadata=metadata, cluster=ClusterConfig(enabled_gates=frozenset({gate}))) == []


@pytest.mark.parametrize(
    "label", ["kubevirt.io/created-by", "kubevirt.io/nodeName", "kubevirt.io/schedulable"]
)
def test_reserved_labels_are_for_the_components(label: str) -> None:
    """V3"""
    metadata = {"labels": {label: "x"}}
    assert fields({}, metadata=metadata) == {f"metadata.labels[{label}]"}
    assert causes({}, metadata=metadata, user=CONTROLLER) == []


@pytest.mark.parametrize(
    ("rule", "spec", "field"),
    [
        ("V44", {"domain": {"cpu": {"dedicatedCpuPlacement": True}}}, "spec.domain.cpu.cores"),
        (
            "V81",
            {"domain": {"features": {"hyperv": {"evmcs": {}, "vapic": {}}}}},
            "spec.domain.cpu.features",
        ),
        (
            "V97",
            devices(disks=[]) | {"volumes": [{"name": "m", "downwardMetrics": {}}]},
            "spec.volumes[0].name",
        ),
        ("V154", devices(disks=[]), "spec.volumes[0].name"),
        ("V156", {"volumes": [{"name": "root", "containerPath": {"path": "/data"}}]}, "spec.volumes[0].name"),
    ],
)
def test_what_defaults_mend_is_refused_all_the_same(rule: str, spec: dict[str, Any], field: str) -> None:
    assert field in bare_fields(spec), rule
