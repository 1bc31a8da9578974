"""Settings of virt-api."""

import socket
from dataclasses import dataclass

_EVERYWHERE = ("0.0.0.0", "[::]")  # noqa: S104 (recognised, not bound)


@dataclass(frozen=True)
class GatewaySettings:
    """One virt-api process. Paths are PEM files or folders."""

    bind: str
    """Where webhooks, subresources and the command line are served, with mTLS."""
    tls_cert: str
    tls_key: str
    component_ca: str
    """Signs virt-handler's server certificates and the client certificate that webhooks are called with."""
    handler_cert: str
    handler_key: str
    """The client certificate that virt-handler knows virt-api by."""
    kubeconfig: str | None = None
    """None inside a pod: its service account."""
    cluster_ca: str | None = None
    """Signs administrators' client certificates; None when only tokens may ask for login links."""
    webhook_certificates: bool = True
    """Webhooks are answered to the API server's own client certificate only; false where it has none."""
    namespace: str = "kubevirt"
    """The installation's namespace: sessions and one-time codes are Secrets there."""
    listen: str = "127.0.0.1:8900"
    """The public address: console, façade, documentation."""
    reached_host: str = ""
    """What login links call this host when ``listen`` is every address; its name when empty."""
    listen_tls_cert: str | None = None
    listen_tls_key: str | None = None
    """Without them only loopback is served, in the clear."""
    behind_proxy: bool = False
    """A proxy ends TLS in front: plain HTTP is served on any address; public_url must say https."""
    public_url: str = ""
    """As browsers reach the console; derived from ``listen`` when empty."""
    data_dir: str = ""
    """Tasks and drafts; a folder of its own, 0700."""
    images_dir: str = ""
    """The image store's folder on this host; empty in a cluster."""
    session_idle_seconds: float = 12 * 3600
    """A working day; whoever comes back later logs in again."""
    session_seconds: float = 7 * 24 * 3600
    """However busy: groups and rights are those of the login."""
    link_seconds: float = 600
    ticket_seconds: float = 30
    """A console ticket lives as long as a page needs to open its WebSocket."""
    review_seconds: float = 5
    """How long an access review's answer is kept."""
    verbosity: str = "info"

    @property
    def origin(self) -> str:
        """Scheme, host and port as links say them; pages work under the host's other names as well."""
        host, _, port = self.listen.rpartition(":")
        reached = (self.reached_host or socket.gethostname()) if host in _EVERYWHERE else host
        reached = f"[{reached}]" if ":" in reached.strip("[]") and not reached.startswith("[") else reached
        return (self.public_url or f"{self.scheme}://{reached}:{port}").rstrip("/")

    @property
    def scheme(self) -> str:
        """Of the public address itself."""
        return "https" if self.listen_tls_cert else "http"

    @property
    def secure(self) -> bool:
        """Browsers reach the console by https."""
        return self.origin.startswith("https://")
