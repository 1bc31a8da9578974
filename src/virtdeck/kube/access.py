"""How to reach an API server and who to be there: server, trust, client certificate or token."""

import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from virtdeck.basis.errors import Invalid
from virtdeck.serving.renewal import RenewedContext

SERVICE_ACCOUNT_DIR = Path("/var/run/secrets/kubernetes.io/serviceaccount")


@dataclass(frozen=True, kw_only=True)
class Access:
    """One identity at one API server; certificates and keys are PEM.

    ca_file, cert_file, key_file: where they came from, if they are to be read again when they are renewed.
    token_file: read again now and then, for clusters rotate it. insecure: the server is not checked.
    """

    server: str
    ca: bytes | None = None
    client_cert: bytes | None = None
    client_key: bytes | None = None
    ca_file: Path | None = None
    cert_file: Path | None = None
    key_file: Path | None = None
    token: str | None = None
    token_file: Path | None = None
    server_name: str | None = None
    namespace: str = "default"
    insecure: bool = False


def in_cluster(folder: Path = SERVICE_ACCOUNT_DIR, environment: Mapping[str, str] = os.environ) -> Access:
    """The access that a pod's service account gives. Raises: Invalid outside a pod."""
    host = environment.get("KUBERNETES_SERVICE_HOST")
    port = environment.get("KUBERNETES_SERVICE_PORT", "443")
    if not host or not (folder / "token").exists():
        raise Invalid("no kubeconfig is set, and this process does not run in a pod with a service account")
    return Access(
        server=f"https://[{host}]:{port}" if ":" in host else f"https://{host}:{port}",
        ca=(folder / "ca.crt").read_bytes(),
        ca_file=folder / "ca.crt",
        token_file=folder / "token",
        namespace=(folder / "namespace").read_text().strip() or "default",
    )


def tls_context(access: Access) -> ssl.SSLContext | None:
    """The TLS side of an access; None for a plain http server."""
    if not access.server.startswith("https://"):
        return None
    context = RenewedContext(ssl.PROTOCOL_TLS_CLIENT)
    if access.insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    elif access.ca is None:
        context.load_default_certs()
    elif access.ca_file is None:
        context.load_verify_locations(cadata=access.ca.decode())
    if access.client_cert is not None and access.cert_file is None:
        _load_client_cert(context, access.client_cert, access.client_key or access.client_cert)
    _follow(context, access)
    return context


def _follow(context: RenewedContext, access: Access) -> None:
    cert, key = (str(path) if path else None for path in (access.cert_file, access.key_file))
    authorities = [str(access.ca_file)] if access.ca_file and not access.insecure else []
    try:
        context.follow(cert, key, *authorities)
    except ssl.SSLError as fault:
        raise Invalid(f"the client certificate or its key cannot be used: {fault.reason}") from fault


def _load_client_cert(context: ssl.SSLContext, cert: bytes, key: bytes) -> None:
    """Python loads key pairs from files only; a memory file keeps the key off every disk."""
    handle = os.memfd_create("client-certificate", os.MFD_CLOEXEC)
    try:
        for part in (cert, b"\n", key):
            os.write(handle, part)
        context.load_cert_chain(f"/proc/self/fd/{handle}")
    except ssl.SSLError as fault:
        raise Invalid(f"the client certificate or its key cannot be used: {fault.reason}") from fault
    finally:
        os.close(handle)
