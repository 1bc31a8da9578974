"""Liveness and readiness of the guest (V25–V28)."""

from collections.abc import Iterator

from virtdeck.basis.errors import Cause
from virtdeck.crds.kubevirt.probes import Probe
from virtdeck.gateway.admission.subject import Rule, Subject
from virtdeck.gateway.admission.verdict import forbidden, invalid, required

_HANDLERS = "exec, guestAgentPing, httpGet, tcpSocket"


def probe_has_one_handler(subject: Subject) -> Iterator[Cause]:
    """V25, V26"""
    for path, probe in _probes(subject):
        handlers = [probe.exec, probe.guest_agent_ping, probe.http_get, probe.tcp_socket]
        given = sum(handler is not None for handler in handlers)
        if given == 0:
            yield required(path, f"must have one of {_HANDLERS}")
        elif given > 1:
            yield invalid(path, f"must have only one of {_HANDLERS}")


def network_probes_need_the_pod_network(subject: Subject) -> Iterator[Cause]:
    """V27, V28: they are sent to the pod's address."""
    if any(network.pod is not None for network in subject.networks):
        return
    for path, probe in _probes(subject):
        for name, handler in (("httpGet", probe.http_get), ("tcpSocket", probe.tcp_socket)):
            if handler is not None:
                yield forbidden(
                    f"{path}.{name}", "needs a network of kind pod, for it is sent to the pod's address"
                )


def _probes(subject: Subject) -> Iterator[tuple[str, Probe]]:
    named = (("livenessProbe", subject.spec.liveness_probe), ("readinessProbe", subject.spec.readiness_probe))
    for name, probe in named:
        if probe is not None:
            yield subject.at(name), probe


RULES: tuple[Rule, ...] = (probe_has_one_handler, network_probes_need_the_pod_network)
