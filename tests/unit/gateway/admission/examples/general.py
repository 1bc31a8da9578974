"""Examples for the rules of metadata, general, probes, dns and scheduling."""

from typing import Any

from tests.unit.gateway.admission.build import CONTROLLER, Plain, nic, vmi
from tests.unit.gateway.admission.examples.example import Example, gates, subject

from virtdeck.crds.codec import decode
from virtdeck.crds.meta import ObjectMeta

_NO_POD = {"networks": [{"name": "default", "multus": {"networkName": "x"}}]} | nic(
    masquerade=None, bridge={}
)
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_IGNITION, _HOOKS = {"kubevirt.io/ignitiondata": "{}"}, {"hooks.kubevirt.io/hookSidecars": "[]"}


def _meta(**metadata: Any) -> ObjectMeta:
    return decode(metadata, ObjectMeta)


def _labelled(**options: Any) -> Any:
    return subject(labels={"kubevirt.io/nodeName": "a"}, **options)


def _account(name: str) -> Plain:
    seed = {"name": "account", "serviceAccount": {"serviceAccountName": name}}
    return {"volumes": [*vmi()["spec"]["volumes"], seed]}


def _node(**test: Any) -> Plain:
    term = {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"], **test}]}
    return {"affinity": {"nodeAffinity": {_REQUIRED: {"nodeSelectorTerms": [term]}}}}


def _pods(kind: str, when: str, term: Plain) -> Plain:
    return {"affinity": {kind: {when: [term]}}}


def _spread(**changes: Any) -> Plain:
    spread = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", **changes}
    return {"topologySpreadConstraints": [spread]}


def _dns(**config: Any) -> Plain:
    return {"dnsConfig": config}


_METADATA = {
    "texts_fit_into_xml": Example(
        (
            {"chassis": {"serial": "a\x00"}},
            {"firmware": {"kernelBoot": {"kernelArgs": "quiet\x1b[2J"}}},
            {"devices": {"disks": [{"name": "\ud800"}]}},
        ),
        {"chassis": {"serial": "a\tb\nc😀"}, "cpu": {"cores": 1}},
        "spec.domain.chassis.serial",
    ),
    "V3": Example(_labelled(), (_labelled(user=CONTROLLER), subject(labels={"kubevirt.io/mine": "a"}))),
    "V257": Example(_labelled(template=True), _labelled(template=True, user=CONTROLLER)),
    "V4": Example(
        subject(annotations=_IGNITION),
        subject(annotations=_IGNITION, cluster=gates("ExperimentalIgnitionSupport")),
        "metadata.annotations[kubevirt.io/ignitiondata]",
    ),
    "V5": Example(subject(annotations=_HOOKS), subject(annotations=_HOOKS, cluster=gates("Sidecar"))),
    "template_label_keys_are_keys": Example(
        subject(template=True, labels={"a b": "c"}), subject(template=True, labels={"example.com/a": "c"})
    ),
    "template_label_values_are_values": Example(
        subject(template=True, labels={"size": "very big"}), subject(template=True, labels={"size": ""})
    ),
    "template_annotation_keys_are_keys": Example(
        subject(template=True, annotations={"a b": "c"}), subject(template=True, annotations={"a": "b c"})
    ),
    "name_is_short": Example(_meta(name="a" * 64), _meta(name="a" * 63)),
    "name_is_a_subdomain": Example((_meta(name="Upper"), _meta(name="under_score")), _meta(name="a.b")),
    "generated_name_is_short": Example(_meta(generateName="a" * 59), _meta(generateName="a" * 58)),
    "name_is_given": Example(_meta(), _meta(generateName="a-")),
}
_GENERAL = {
    "V1": Example(
        subject(nic(masquerade=None, passt={}), cluster=gates("Passt")),
        subject(nic(masquerade=None, passt={}), is_new=False),
        beside=("V228",),
    ),
    "V6": Example(subject({"hostname": "No"}), subject({"hostname": "web-1"})),
    "V7": Example(subject({"subdomain": "a..b"}), subject({"subdomain": "vms.example"})),
    "V8": Example(subject({"architecture": "riscv64"}), subject({"architecture": "s390x"})),
    "V9": Example(subject({"startStrategy": "Later"}), subject({"startStrategy": "Paused"})),
    "V10": Example(
        subject({"startStrategy": "Paused", "livenessProbe": {"guestAgentPing": {}}}),
        subject({"startStrategy": "Paused", "readinessProbe": {"guestAgentPing": {}}}),
    ),
    "V11": Example(subject({"evictionStrategy": "Panic"}), subject({"evictionStrategy": "External"})),
    "V23": Example(subject({"serviceAccountName": "A"}), subject({"serviceAccountName": "a"})),
    "V24": Example(
        subject({"serviceAccountName": "a"}, _account("b")),
        subject({"serviceAccountName": "a"}, _account("a")),
        "spec.volumes[1].serviceAccount.serviceAccountName",
    ),
    "grace_period_is_a_time": Example(
        subject({"terminationGracePeriodSeconds": -1}), subject({"terminationGracePeriodSeconds": 0})
    ),
    "grace_period_has_an_end": Example(
        subject({"terminationGracePeriodSeconds": 2**31}), subject({"terminationGracePeriodSeconds": 3600})
    ),
}
_PROBES = {
    "V25": Example(
        subject({"readinessProbe": {"guestAgentPing": {}, "tcpSocket": {"port": 22}}}),
        subject({"readinessProbe": {"tcpSocket": {"port": 22}}}),
    ),
    "V26": Example(
        subject({"livenessProbe": {"periodSeconds": 3}}),
        subject({"livenessProbe": {"exec": {"command": ["true"]}}}),
        "spec.livenessProbe",
    ),
    "V27": Example(
        subject({"livenessProbe": {"httpGet": {"port": 80}}}, _NO_POD),
        subject({"livenessProbe": {"httpGet": {"port": 80}}}),
        "spec.livenessProbe.httpGet",
    ),
    "V28": Example(
        subject({"readinessProbe": {"tcpSocket": {"port": 80}}}, _NO_POD),
        subject({"readinessProbe": {"guestAgentPing": {}}}, _NO_POD),
    ),
}
_SCHEDULING = {
    "V12": Example(
        (
            subject({"affinity": {"nodeAffinity": {_REQUIRED: {"nodeSelectorTerms": []}}}}),
            subject(_node(operator="Like")),
            subject(_node(values=[])),
            subject(_node(operator="Exists")),
            subject(_node(operator="Gt", values=["x"])),
            subject(_node(key="a b")),
            subject(
                _pods("podAntiAffinity", _PREFERRED, {"weight": 0, "podAffinityTerm": {"topologyKey": "z"}})
            ),
            subject(_pods("podAffinity", _REQUIRED, {"topologyKey": ""})),
        ),
        (subject(_node(operator="Gt", values=["3"])), subject(_node(operator="Exists", values=None))),
        f"spec.affinity.nodeAffinity.{_REQUIRED}.nodeSelectorTerms",
    ),
    "V13": Example(
        (
            subject(_spread(maxSkew=0)),
            subject(_spread(topologyKey="")),
            subject(_spread(whenUnsatisfiable="Hope")),
            subject(_spread(labelSelector={"matchLabels": {"a b": "c"}})),
        ),
        subject(_spread(labelSelector={"matchLabels": {"a": "b"}})),
        "spec.topologySpreadConstraints[0].maxSkew",
    ),
    "node_selector_keys_are_keys": Example(
        subject({"nodeSelector": {"a b": "c"}}), subject({"nodeSelector": {"kubernetes.io/hostname": "c"}})
    ),
    "node_selector_values_are_values": Example(
        subject({"nodeSelector": {"a": "b c"}}), subject({"nodeSelector": {"a": ""}})
    ),
    "toleration_operator_is_known": Example(
        subject({"tolerations": [{"key": "a", "operator": "Like"}]}),
        subject({"tolerations": [{"operator": "Exists"}]}),
    ),
    "toleration_effect_is_known": Example(
        subject({"tolerations": [{"key": "a", "effect": "NoThing"}]}),
        subject({"tolerations": [{"key": "a", "effect": "NoExecute"}]}),
    ),
}
_NAMES = {
    "V14": Example(subject({"dnsPolicy": "Mine"}), subject({"dnsPolicy": "Default"})),
    "V15": Example(subject({"dnsPolicy": "None"}), subject({"dnsPolicy": "ClusterFirst"})),
    "V16": Example(
        subject({"dnsPolicy": "None"}, _dns()), subject({"dnsPolicy": "None"}, _dns(nameservers=["::1"]))
    ),
    "V17": Example(subject(_dns(nameservers=["1.1.1.1"] * 4)), subject(_dns(nameservers=["1.1.1.1"] * 3))),
    "V18": Example(subject(_dns(nameservers=["one.one"])), subject(_dns(nameservers=["1.1.1.1", "::1"]))),
    "V19": Example(subject(_dns(searches=["a"] * 7)), subject(_dns(searches=["a"] * 6))),
    "V20": Example(subject(_dns(searches=["a" * 60] * 5)), subject(_dns(searches=["a" * 60] * 4))),
    "V21": Example(subject(_dns(searches=["a_b"])), subject(_dns(searches=["a.b."]))),
    "V22": Example(subject(_dns(options=[{"name": ""}])), subject(_dns(options=[{"name": "ndots"}]))),
}
EXAMPLES: dict[str, Example] = {**_METADATA, **_GENERAL, **_PROBES, **_SCHEDULING, **_NAMES}
