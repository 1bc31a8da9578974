"""Certificates of a test cluster: one authority and what it signs."""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_DAYS = 30


@dataclass(frozen=True)
class Certificate:
    """One certificate with its key, as files side by side."""

    folder: Path
    name: str

    @property
    def crt(self) -> Path:
        return self.folder / f"{self.name}.crt"

    @property
    def key(self) -> Path:
        return self.folder / f"{self.name}.key"


class Authority:
    """Signs into one folder; made new there when the folder has none."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder
        self.own = Certificate(folder, "ca")
        if not self.own.crt.exists():
            key = ec.generate_private_key(ec.SECP256R1())
            builder = _builder(_subject("test-ca"), _subject("test-ca"), key)
            builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            _write(self.own, key, builder.sign(key, hashes.SHA256()))

    def server(self, name: str, addresses: Iterable[str]) -> Certificate:
        """A server's certificate for these names and addresses."""
        names = x509.SubjectAlternativeName([_alternative_name(text) for text in addresses])
        return self._signed(name, name, (), names, ExtendedKeyUsageOID.SERVER_AUTH)

    def client(self, name: str, user: str, groups: Iterable[str] = ()) -> Certificate:
        """What a client shows to be this user."""
        return self._signed(name, user, groups, None, ExtendedKeyUsageOID.CLIENT_AUTH)

    def _signed(
        self,
        name: str,
        user: str,
        groups: Iterable[str],
        names: x509.SubjectAlternativeName | None,
        usage: x509.ObjectIdentifier,
    ) -> Certificate:
        made = Certificate(self._folder, name)
        if made.crt.exists():
            return made
        key = ec.generate_private_key(ec.SECP256R1())
        issuer = x509.load_pem_x509_certificate(self.own.crt.read_bytes()).subject
        builder = _builder(_subject(user, groups), issuer, key)
        builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        if names:
            builder = builder.add_extension(names, critical=False)
        signer = serialization.load_pem_private_key(self.own.key.read_bytes(), None)
        if not isinstance(signer, ec.EllipticCurvePrivateKey):
            raise TypeError(f"{self.own.key} is not an EC key")
        _write(made, key, builder.sign(signer, hashes.SHA256()))
        return made


def signing_key(folder: Path, name: str) -> Certificate:
    """A bare key pair; the public half lies where a certificate would."""
    made = Certificate(folder, name)
    if not made.key.exists():
        key = ec.generate_private_key(ec.SECP256R1())
        public = key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        made.crt.write_bytes(public)
        _write_key(made, key)
    return made


def _alternative_name(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def _subject(user: str, groups: Iterable[str] = ()) -> x509.Name:
    organizations = [x509.NameAttribute(NameOID.ORGANIZATION_NAME, group) for group in groups]
    return x509.Name([*organizations, x509.NameAttribute(NameOID.COMMON_NAME, user)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=_DAYS))
    )


def _write(made: Certificate, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> None:
    _write_key(made, key)
    made.crt.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))


def _write_key(made: Certificate, key: ec.EllipticCurvePrivateKey) -> None:
    # SEC1, since Kubernetes reads service account keys in this form and TLS keys in any.
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    made.key.touch(mode=0o600)
    made.key.write_bytes(pem)
