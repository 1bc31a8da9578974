"""Liveness and readiness of the guest (V25–V28)."""

from collections.abc import Iterator

from virtdeck.crds.kubevirt.probes import Probe
from virtdeck.gateway.admission.rule import FORBIDDEN, INVALID, REQUIRED, Place, Rules, at
from virtdeck.gateway.admission.subject import Subject

RULES: Rules[Subject] = Rules("VMI")

_PROBE = "spec.{livenessProbe|readinessProbe}"
_HANDLERS = "exec, guestAgentPing, httpGet, tcpSocket"
_POD = "needs a network of kind pod, for it is sent to the pod's address"


@RULES.rule("V25", _PROBE, INVALID, f"must have only one of {_HANDLERS}")
def probe_has_one_handler(vmi: Subject) -> Iterator[Place]:
    """It has several."""
    for name, probe in _probes(vmi):
        if _handlers(probe) > 1:
            yield at(name)


@RULES.rule("V26", _PROBE, REQUIRED, f"must have one of {_HANDLERS}")
def probe_has_a_handler(vmi: Subject) -> Iterator[Place]:
    """It has none."""
    for name, probe in _probes(vmi):
        if not _handlers(probe):
            yield at(name)


@RULES.rule("V27", f"{_PROBE}.httpGet", FORBIDDEN, _POD)
def http_probe_needs_the_pod_network(vmi: Subject) -> Iterator[Place]:
    """There is none."""
    for name, probe in _probes(vmi):
        if probe.http_get is not None and not _on_pod_network(vmi):
            yield at(name)


@RULES.rule("V28", f"{_PROBE}.tcpSocket", FORBIDDEN, _POD)
def tcp_probe_needs_the_pod_network(vmi: Subject) -> Iterator[Place]:
    """There is none."""
    for name, probe in _probes(vmi):
        if probe.tcp_socket is not None and not _on_pod_network(vmi):
            yield at(name)


def _handlers(probe: Probe) -> int:
    handlers = (probe.exec, probe.guest_agent_ping, probe.http_get, probe.tcp_socket)
    return sum(handler is not None for handler in handlers)


def _on_pod_network(vmi: Subject) -> bool:
    return any(network.pod is not None for network in vmi.networks)


def _probes(vmi: Subject) -> Iterator[tuple[str, Probe]]:
    if vmi.spec.liveness_probe is not None:
        yield "livenessProbe", vmi.spec.liveness_probe
    if vmi.spec.readiness_probe is not None:
        yield "readinessProbe", vmi.spec.readiness_probe
