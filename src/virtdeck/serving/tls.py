"""TLS contexts of servers, and what a peer's certificate says."""

import ssl
from dataclasses import dataclass
from typing import Any, TypedDict

from virtdeck.serving.renewal import RenewedContext

TLS_EXTENSION = "virtdeck.tls"

Name = tuple[tuple[tuple[str, str], ...], ...]
"""A distinguished name as Python's ssl module gives it."""


@dataclass(frozen=True)
class Tls:
    """Files (PEM) that a server needs. client_ca: bundle whose certificates are accepted from clients."""

    cert: str
    key: str
    client_ca: str | None = None
    require_client_cert: bool = False


class PeerCertificate(TypedDict):
    """A client certificate that chains to the server's client CAs and may be used by clients.

    units: its organizational units. issuer: common name of who signed it. issuer_name: who signed it, whole,
    to compare with a CA's subject.
    """

    cn: str
    organizations: tuple[str, ...]
    units: tuple[str, ...]
    issuer: str
    issuer_name: Name
    der: bytes


def server_context(tls: Tls) -> ssl.SSLContext:
    """A context for TLS 1.2 and later that offers HTTP/1.1 only and follows its files.

    Raises: OSError, ssl.SSLError.
    """
    context = RenewedContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION | ssl.OP_CIPHER_SERVER_PREFERENCE
    context.set_ciphers("ECDHE+AESGCM:ECDHE+CHACHA20")
    context.set_alpn_protocols(["http/1.1"])
    context.follow(tls.cert, tls.key, *([tls.client_ca] if tls.client_ca else []))
    if tls.client_ca:
        context.verify_mode = ssl.CERT_REQUIRED if tls.require_client_cert else ssl.CERT_OPTIONAL
    return context


def client_context(ca: str, cert: str | None = None, key: str | None = None) -> ssl.SSLContext:
    """A context that trusts only ``ca`` (a file), shows the certificate if one is given, and follows both."""
    context = RenewedContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.follow(cert, key, ca)
    return context


def authority_names(pem: str) -> frozenset[Name]:
    """The subjects of all certificates in a bundle. Raises: ssl.SSLError when it is none."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=pem)
    return frozenset(entry["subject"] for entry in context.get_ca_certs())  # type: ignore[misc]


def peer_certificate(scope: Any) -> PeerCertificate | None:
    """The verified client certificate of this ASGI request's connection, None without one."""
    found: PeerCertificate | None = scope.get("extensions", {}).get(TLS_EXTENSION)
    return found


def read_peer(connection: ssl.SSLObject | None) -> PeerCertificate | None:
    """What the client showed in the handshake; None on plain HTTP and without a certificate."""
    decoded = connection.getpeercert() if connection is not None else None
    if connection is None or not decoded:
        return None
    return PeerCertificate(
        cn=next(iter(_names(decoded["subject"], "commonName")), ""),
        organizations=_names(decoded["subject"], "organizationName"),
        units=_names(decoded["subject"], "organizationalUnitName"),
        issuer=next(iter(_names(decoded["issuer"], "commonName")), ""),
        issuer_name=decoded["issuer"],  # type: ignore[typeddict-item] # the stub joins all fields' types
        der=connection.getpeercert(binary_form=True) or b"",
    )


def _names(distinguished: Any, attribute: str) -> tuple[str, ...]:
    return tuple(value for part in distinguished for key, value in part if key == attribute)
