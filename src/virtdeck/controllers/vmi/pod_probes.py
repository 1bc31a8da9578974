"""A VMI's probes as its container's."""

from virtdeck.crds.core.pod_containers import ContainerProbe
from virtdeck.crds.kubevirt.probes import Probe

BOOT_SECONDS = 10  # a guest is not there at once, as a container is


def container_probe(probe: Probe | None) -> ContainerProbe | None:
    """The same question, asked of the pod's address.

    None for those that only the guest agent answers: the kubelet cannot ask it.
    """
    if probe is None or not (probe.http_get or probe.tcp_socket):
        return None
    return ContainerProbe(
        http_get=probe.http_get,
        tcp_socket=probe.tcp_socket,
        initial_delay_seconds=(probe.initial_delay_seconds or 0) + BOOT_SECONDS,
        timeout_seconds=probe.timeout_seconds,
        period_seconds=probe.period_seconds,
        success_threshold=probe.success_threshold,
        failure_threshold=probe.failure_threshold,
    )
