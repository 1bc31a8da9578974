"""What virt-handler is told when it starts."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Read from a JSON file whose keys are these names; paths are absolute."""

    kubeconfig: str
    node_name: str
    # As a kubelet lays it out: pods/<uid>/volumes/…; a folder that only root can change.
    kubelet_dir: str
    # virt-handler's own notes (what the KVM probe found); root only.
    state_dir: str
    # Address and port of its API, which virt-api alone may call.
    bind: str
    tls_cert: str
    tls_key: str
    # Who signs virt-api's client certificate.
    client_ca: str
    # The user that launchers run as; nobody else may serve their sockets or open their taps.
    launcher_uid: int
    # The installation's namespace, where the KubeVirt object is.
    namespace: str = "kubevirt"
    # How virt-api reaches this API, if not by ``bind``: https://host:port.
    public_endpoint: str = ""
    verbosity: str = "info"
