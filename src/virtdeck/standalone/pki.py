"""The instance's certificates: three authorities and what they sign, renewed when half spent."""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from virtdeck.standalone.state import StateFolder, write_file


@dataclass(frozen=True)
class Lifetimes:
    """How long what is made today holds."""

    authority: timedelta = timedelta(days=3650)
    # Browsers refuse server certificates that live longer.
    leaf: timedelta = timedelta(days=397)


@dataclass(frozen=True)
class Leaf:
    """One certificate: file name below pki/, its authority, and what it says."""

    name: str
    authority: str
    common_name: str
    organizations: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    server_names: tuple[str, ...] = ()
    client: bool = True


def service_account(name: str, namespace: str = "kubevirt") -> tuple[str, tuple[str, ...]]:
    """User and groups of a service account, as Kubernetes spells them."""
    groups = ("system:serviceaccounts", f"system:serviceaccounts:{namespace}")
    return f"system:serviceaccount:{namespace}:{name}", groups


def leaves(node_name: str, *console_hosts: str) -> tuple[Leaf, ...]:
    """Every certificate of an instance; docs/contracts.md says what each is for."""
    api_names = (
        "127.0.0.1",
        "localhost",
        "kubernetes",
        "kubernetes.default",
        "kubernetes.default.svc",
        node_name,
    )
    accounts = {
        "gateway": service_account("kubevirt-apiserver"),
        "controllers": service_account("kubevirt-controller"),
        "runner": (f"system:node:{node_name}", ("system:nodes",)),
        "admin": ("admin", ("system:masters",)),
    }
    clients = tuple(Leaf(name, "ca", user, groups) for name, (user, groups) in accounts.items())
    handler, handler_groups = service_account("kubevirt-handler")
    return (
        *clients,
        # The unit binds it to its node: admission refuses it the machines of any other.
        Leaf("node-agent", "ca", handler, handler_groups, units=(f"node:{node_name}",)),
        Leaf("apiserver", "ca", "kube-apiserver", server_names=api_names, client=False),
        Leaf(
            "console", "ca", "virtdeck", server_names=(*console_hosts, "localhost", node_name), client=False
        ),
        Leaf("front-proxy-client", "front-proxy-ca", "front-proxy-client"),
        Leaf("apiserver-webhook-client", "component-ca", "kubevirt.io:system:client:apiserver"),
        Leaf("gateway-client", "component-ca", "kubevirt.io:system:client:virt-api"),
        Leaf(
            "gateway-internal",
            "component-ca",
            "virt-api.kubevirt.svc",
            server_names=("virt-api.kubevirt.svc", "127.0.0.1", "localhost"),
            client=False,
        ),
        Leaf(
            "handler-server", "component-ca", node_name, server_names=(node_name, "127.0.0.1"), client=False
        ),
    )


_EARLIER = timedelta(hours=1)  # for clocks that are a little apart
AUTHORITIES = ("ca", "front-proxy-ca", "component-ca")


def ensure_pki(
    state: StateFolder,
    node_name: str,
    *console_hosts: str,
    lifetimes: Lifetimes | None = None,
    now: datetime | None = None,
) -> list[str]:
    """Every authority and certificate is there and has more than half its time left; answers what was made.

    An authority is renewed with its own key: what it has signed stays valid, and so does trust in the old one
    until that ends. console_hosts: addresses that browsers may reach the console by.
    """
    maker = _Maker(state.path("pki"), lifetimes or Lifetimes(), now or datetime.now(UTC))
    made = [name for name in AUTHORITIES if maker.ensure_authority(name)]
    return made + [leaf.name for leaf in leaves(node_name, *console_hosts) if maker.ensure_leaf(leaf)]


def days_left(certificate: Path) -> int:
    """Whole days until the certificate ends, negative afterwards."""
    ends = x509.load_pem_x509_certificate(certificate.read_bytes()).not_valid_after_utc
    return (ends - datetime.now(UTC)).days


def _names_of(certificate: x509.Certificate) -> list[x509.GeneralName]:
    try:
        return list(certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value)
    except x509.ExtensionNotFound:
        return []


def _alternative_names(names: Iterable[str]) -> list[x509.GeneralName]:
    found: list[x509.GeneralName] = []
    for name in dict.fromkeys(names):
        try:
            found.append(x509.IPAddress(ipaddress.ip_address(name)))
        except ValueError:
            found.append(x509.DNSName(name))
    return found


def _subject(leaf: Leaf) -> x509.Name:
    organizations = [x509.NameAttribute(NameOID.ORGANIZATION_NAME, text) for text in leaf.organizations]
    units = [x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, text) for text in leaf.units]
    return x509.Name([*organizations, *units, x509.NameAttribute(NameOID.COMMON_NAME, leaf.common_name)])


def _new_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def _key_of(folder: Path, name: str) -> ec.EllipticCurvePrivateKey:
    key = serialization.load_pem_private_key((folder / f"{name}.key").read_bytes(), None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise TypeError(f"{name}.key is not an EC key")
    return key


def _key_usage(signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )


def _write(folder: Path, name: str, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> None:
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    write_file(folder / f"{name}.key", pem)
    write_file(folder / f"{name}.crt", certificate.public_bytes(serialization.Encoding.PEM), mode=0o644)


@dataclass(frozen=True)
class _Maker:
    """Makes certificates in one folder at one moment."""

    folder: Path
    lifetimes: Lifetimes
    now: datetime

    def ensure_authority(self, name: str) -> bool:
        """The authority lasts; whether it was made for that."""
        if not self._is_spent(name):
            return False
        key = _key_of(self.folder, name) if (self.folder / f"{name}.key").exists() else _new_key()
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"virtdeck {name}")])
        builder = self._builder(subject, subject, key, self.lifetimes.authority)
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        builder = builder.add_extension(_key_usage(signs=True), critical=True)
        _write(self.folder, name, key, builder.sign(key, hashes.SHA256()))
        return True

    def ensure_leaf(self, leaf: Leaf) -> bool:
        """The certificate lasts and says what it should; whether it was made for that."""
        authority = self._certificate(leaf.authority)
        if not self._is_spent(leaf.name) and self._says(leaf, authority):
            return False
        self._sign(leaf, authority)
        return True

    def _certificate(self, name: str) -> x509.Certificate:
        return x509.load_pem_x509_certificate((self.folder / f"{name}.crt").read_bytes())

    def _is_spent(self, name: str) -> bool:
        """Whether less than half its time is left, or it is not there."""
        if not all((self.folder / f"{name}.{kind}").exists() for kind in ("crt", "key")):
            return True
        certificate = self._certificate(name)
        begins, ends = certificate.not_valid_before_utc + _EARLIER, certificate.not_valid_after_utc
        return self.now > begins + (ends - begins) / 2

    def _says(self, leaf: Leaf, authority: x509.Certificate) -> bool:
        certificate = self._certificate(leaf.name)
        return (
            certificate.issuer == authority.subject
            and certificate.subject == _subject(leaf)
            and _names_of(certificate) == _alternative_names(leaf.server_names)
        )

    def _sign(self, leaf: Leaf, authority: x509.Certificate) -> None:
        signer, key = _key_of(self.folder, leaf.authority), _new_key()
        usage = ExtendedKeyUsageOID.CLIENT_AUTH if leaf.client else ExtendedKeyUsageOID.SERVER_AUTH
        builder = self._builder(_subject(leaf), authority.subject, key, self.lifetimes.leaf)
        builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        builder = builder.add_extension(_key_usage(signs=False), critical=True)
        builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        builder = builder.add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
        if leaf.server_names:
            names = x509.SubjectAlternativeName(_alternative_names(leaf.server_names))
            builder = builder.add_extension(names, critical=False)
        _write(self.folder, leaf.name, key, builder.sign(signer, hashes.SHA256()))

    def _builder(
        self, subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, lifetime: timedelta
    ) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(issuer)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(self.now - _EARLIER)
            .not_valid_after(self.now + lifetime)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        )
