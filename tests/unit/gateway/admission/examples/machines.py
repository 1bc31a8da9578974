"""Examples for the rules of memory, processors and live update."""

from typing import Any

from tests.unit.gateway.admission.build import Plain
from tests.unit.gateway.admission.examples.example import Example, gates, subject

from virtdeck.gateway.admission import ClusterConfig

_LIVE = ClusterConfig(live_update=True)
_NUMA: Plain = {"numa": {"guestMappingPassthrough": {}}}


def _cpu(**cpu: Any) -> Plain:
    return {"domain": {"cpu": cpu}}


def _memory(**memory: Any) -> Plain:
    return {"domain": {"memory": memory}}


def _resources(requests: Plain | None = None, limits: Plain | None = None) -> Plain:
    return {"domain": {"resources": {"requests": requests or {}, "limits": limits or {}}}}


def _dedicated(**cpu: Any) -> Plain:
    return _cpu(dedicatedCpuPlacement=True, **cpu)


def _pages(guest: str, page: str) -> Plain:
    return _memory(guest=guest, hugepages={"pageSize": page})


def _grows(guest: str | None, most: str, *changes: Plain, live: bool = True) -> Any:
    cluster = _LIVE if live else ClusterConfig()
    return subject(_memory(guest=guest, maxGuest=most), *changes, cluster=cluster)


_MEMORY = {
    "V2": Example(
        subject({"domain": {"memory": None}}), subject(_resources({"memory": "64M"}), _memory(guest=None))
    ),
    "V34": Example(
        (
            subject(_memory(hugepages={"pageSize": "big"})),
            subject(_memory(guest="128 MB")),
            subject(_memory(maxGuest="9E99")),
        ),
        subject(_memory(guest=1073741824)),
        "spec.domain.memory.hugepages.pageSize",
    ),
    "V29": Example(subject(_resources({"memory": "-1Mi"})), subject(_resources({"memory": "64Mi"}))),
    "V31": Example(
        subject(_resources(limits={"memory": "-1Gi"}), cluster=_LIVE),
        subject(_resources(limits={"memory": "1Gi"})),
    ),
    "guest_is_not_negative": Example(subject(_memory(guest="-128Mi")), subject(_memory(guest="128Mi"))),
    "V30": Example(subject(_resources({"memory": "64"})), subject(_resources({"memory": "1M"}))),
    "guest_is_a_size": Example(subject(_memory(guest="128")), subject(_memory(guest="1M"))),
    "V32": Example(
        subject(_resources({"memory": "2Gi"}, {"memory": "1Gi"})),
        subject(_resources({"memory": "1Gi"}, {"memory": "1Gi"})),
    ),
    "V33": Example(
        subject(_resources(limits={"memory": "64Mi"})),
        (
            subject(_resources(limits={"memory": "128Mi"})),
            subject(_resources(limits={"memory": "64Mi"}), cluster=_LIVE),
        ),
    ),
    "page_is_a_size": Example(subject(_pages("4Mi", "0")), subject(_pages("4Mi", "2Mi"))),
    "V35": Example(subject(_pages("1Mi", "2Mi")), subject(_pages("2Mi", "2Mi")), "spec.domain.memory.guest"),
    "V36": Example(subject(_pages("3Mi", "2Mi")), subject(_pages("4Mi", "2Mi"))),
    "V57": Example(
        subject(_memory(reservedOverhead={})),
        subject(_memory(reservedOverhead={}), cluster=gates("ReservedOverheadMemlock")),
    ),
}
_CPU = {
    "shares_can_be_read": Example(subject(_resources({"cpu": "two"})), subject(_resources({"cpu": "2"}))),
    "V37": Example(subject(_resources({"cpu": "-1"})), subject(_resources({"cpu": "0"}))),
    "V38": Example(
        subject(_resources({"cpu": "-2"}, {"cpu": "-1"})),
        subject(_resources(limits={"cpu": "1"})),
        beside=("V37",),
    ),
    "V39": Example(
        subject(_resources({"cpu": "2"}, {"cpu": "1"})), subject(_resources({"cpu": "100m"}, {"cpu": "1"}))
    ),
    "guest_is_not_too_wide": Example(subject(_cpu(cores=64, sockets=16)), subject(_cpu(cores=64, sockets=8))),
    "V56": Example(subject(_cpu(sockets=4, maxSockets=2)), subject(_cpu(sockets=2, maxSockets=2))),
    "V55": Example(
        subject(_cpu(features=[{"name": "vmx", "policy": "maybe"}])),
        subject(_cpu(features=[{"name": "vmx"}, {"name": "svm", "policy": "forbid"}])),
        "spec.domain.cpu.features[0].policy",
    ),
    "V48": Example(subject({"architecture": "arm64"}, _cpu(threads=2)), subject(_cpu(threads=2))),
}
_DEDICATION = {
    "V40": Example(
        subject(_dedicated(cores=1), {"domain": {"memory": None}}),
        subject(_dedicated(cores=1)),
        beside=("V2",),
    ),
    "V41": Example(
        subject(_dedicated(), _resources(limits={"cpu": "1500m"})),
        subject(_dedicated(), _resources(limits={"cpu": "2"})),
        beside=("V42",),
    ),
    "V42": Example(
        subject(_dedicated(), _resources({"cpu": "1500m"})), subject(_dedicated(), _resources({"cpu": "2"}))
    ),
    "V43": Example(
        subject(_dedicated(), _resources({"memory": "1Gi"}, {"memory": "2Gi"})),
        subject(_dedicated(), _resources({"memory": "1Gi"}, {"memory": "1Gi"})),
    ),
    "V44": Example(subject(_dedicated(), bare=True), subject(_dedicated(cores=1), bare=True)),
    "V45": Example(
        subject(_dedicated(), _resources({"cpu": "1"}, {"cpu": "2"})),
        subject(_dedicated(), _resources({"cpu": "2"}, {"cpu": "2"})),
    ),
    "V46": Example(
        subject(_dedicated(cores=2), _resources(limits={"cpu": "3"})),
        subject(_dedicated(cores=2), _resources(limits={"cpu": "2"})),
    ),
    "V47": Example(subject(_dedicated(threads=4, cores=1)), subject(_dedicated(threads=2, cores=1))),
    "V50": Example(
        subject(_cpu(**_NUMA), _pages("4Mi", "2Mi")), subject(_dedicated(**_NUMA), _pages("4Mi", "2Mi"))
    ),
    "V51": Example(subject(_dedicated(**_NUMA)), subject(_dedicated(**_NUMA), _pages("4Mi", "2Mi"))),
    "V52": Example(
        subject(_cpu(isolateEmulatorThread=True)), subject(_dedicated(isolateEmulatorThread=True))
    ),
    "V53": Example(
        subject(_cpu(realtime={}, **_NUMA), _pages("4Mi", "2Mi")),
        subject(_dedicated(realtime={}, **_NUMA), _pages("4Mi", "2Mi")),
        beside=("V50",),
    ),
    "V54": Example(
        subject(_dedicated(realtime={})), subject(_dedicated(realtime={}, **_NUMA), _pages("4Mi", "2Mi"))
    ),
}
_LIVE_UPDATE = {
    "V258a": Example(
        _grows("1Gi", "2Gi", _dedicated(realtime={})),
        _grows("1Gi", "2Gi", _dedicated(realtime={}), live=False),
        beside=("V54",),
    ),
    "V258b": Example(
        _grows("1Gi", "2Gi", _dedicated(**_NUMA)), _grows("1Gi", "2Gi", _dedicated()), beside=("V51",)
    ),
    "V258c": Example(
        _grows("1Gi", "2Gi", {"domain": {"launchSecurity": {"snp": {}}}}),
        _grows("1Gi", "2Gi"),
        beside=("V73",),
    ),
    "V258d": Example(_grows(None, "2Gi"), _grows(None, "2Gi", _resources({"memory": "1Gi"})), beside=("V2",)),
    "V258e": Example(_grows("1Gi", "0"), _grows("1Gi", "2Gi")),
    "V258f": Example(_grows("2Gi", "1Gi"), _grows("2Gi", "2Gi")),
    "V258g": Example(
        (_grows("1025Mi", "2Gi"), _grows("1536Mi", "2Gi", _memory(hugepages={"pageSize": "1Gi"}))),
        _grows("1026Mi", "2Gi"),
        beside=("V36",),
    ),
    "V258h": Example(_grows("1Gi", "2049Mi"), _grows("1Gi", "2050Mi")),
    "V258i": Example(
        _grows("1Gi", "2Gi", {"architecture": "s390x"}), _grows("1Gi", "2Gi", {"architecture": "amd64"})
    ),
    "V258j": Example(_grows("512Mi", "2Gi"), _grows("512Mi", "2Gi", live=False)),
    "V259": Example(
        subject(_cpu(maxSockets=513), cluster=_LIVE), subject(_cpu(maxSockets=512), cluster=_LIVE)
    ),
}
EXAMPLES: dict[str, Example] = {**_MEMORY, **_CPU, **_DEDICATION, **_LIVE_UPDATE}
