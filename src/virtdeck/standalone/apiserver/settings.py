"""The settings of the API server."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Settings:
    """What the supervisor decided; paths are absolute."""

    bind: str  # "127.0.0.1:6443"
    store: str  # the SQLite file; its folder must exist
    tls_cert: str
    tls_key: str
    client_ca: (
        str  # signs client certificates: CN is the user, O its groups; published to pods as the cluster's CA
    )
    front_proxy_ca: str  # what aggregated servers check our front-proxy certificate against
    front_proxy_cert: str
    front_proxy_key: str
    service_account_key: str  # EC key (PEM) that signs ServiceAccount tokens; made when missing
    webhook_cert: str = ""  # shown to webhooks; empty: none
    webhook_key: str = ""
    service_resolver: dict[str, str] = field(
        default_factory=dict
    )  # "name.namespace" of a Service to "host:port"
    log_dir: str = ""  # <namespace>_<pod>_<uid>/<container>.log; empty: pods/log is not served
    audit_log: str = ""  # an audit.k8s.io/v1 Event a line; empty: none is kept
    audit_level: str = "Metadata"  # None, Metadata, Request, RequestResponse; never secrets' bodies
    audit_reads: bool = False  # whether reads that succeed are written as well
    audit_file_bytes: int = 16 * 1024 * 1024  # then a new file begins
    audit_backups: int = 4  # older files that are kept, .1 the newest
    advertise: str = ""  # host:port in the kubernetes Endpoints; empty: as bound
    # How much of the past is kept for watches that come back: more costs memory, less makes more lists.
    watch_window_events: int = 4096
    watch_window_bytes: int = 8 * 1024 * 1024
    event_ttl_seconds: float = 3600.0  # as kube-apiserver
    verbosity: str = "info"
