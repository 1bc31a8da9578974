"""The instance's certificates."""

from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from virtdeck.standalone.pki import days_left, ensure_pki
from virtdeck.standalone.state import open_state


@pytest.fixture(scope="module")
def pki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    state = open_state(tmp_path_factory.mktemp("pki") / "s")
    ensure_pki(state, "node1", "127.0.0.1")
    return state.path("pki")


def certificate(pki: Path, name: str) -> x509.Certificate:
    return x509.load_pem_x509_certificate((pki / f"{name}.crt").read_bytes())


@pytest.mark.parametrize(
    ("name", "authority", "user", "groups"),
    [
        ("admin", "ca", "admin", ["system:masters"]),
        ("runner", "ca", "system:node:node1", ["system:nodes"]),
        (
            "controllers",
            "ca",
            "system:serviceaccount:kubevirt:kubevirt-controller",
            ["system:serviceaccounts", "system:serviceaccounts:kubevirt"],
        ),
        ("front-proxy-client", "front-proxy-ca", "front-proxy-client", []),
        ("gateway-client", "component-ca", "kubevirt.io:system:client:virt-api", []),
    ],
)
def test_client_certificate_names_user_and_groups(
    pki: Path, name: str, authority: str, user: str, groups: list[str]
) -> None:
    found = certificate(pki, name)
    found.verify_directly_issued_by(certificate(pki, authority))
    assert [a.value for a in found.subject.get_attributes_for_oid(NameOID.COMMON_NAME)] == [user]
    assert [a.value for a in found.subject.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)] == groups
    usage = found.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [ExtendedKeyUsageOID.CLIENT_AUTH]


def test_server_certificate_cannot_be_used_as_a_client(pki: Path) -> None:
    usage = certificate(pki, "handler-server").extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [ExtendedKeyUsageOID.SERVER_AUTH]


def test_second_start_keeps_certificates_that_are_good(pki: Path) -> None:
    before = {path: path.read_bytes() for path in pki.iterdir()}
    ensure_pki(open_state(pki.parent), "node1", "127.0.0.1")
    assert {path: path.read_bytes() for path in pki.iterdir()} == before


def test_new_listen_address_gets_a_new_console_certificate(pki: Path) -> None:
    ensure_pki(open_state(pki.parent), "node1", "192.0.2.7")
    names = certificate(pki, "console").extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert [str(a) for a in names.get_values_for_type(x509.IPAddress)] == ["192.0.2.7"]


def test_fresh_certificate_lives_about_a_year(pki: Path) -> None:
    assert 390 <= days_left(pki / "admin.crt") <= 397


def test_private_keys_are_for_root_alone(pki: Path) -> None:
    assert {path.stat().st_mode & 0o777 for path in pki.glob("*.key")} == {0o600}


def test_console_certificate_names_every_address_it_may_be_reached_by(pki: Path) -> None:
    ensure_pki(open_state(pki.parent), "node1", "192.0.2.7", "2001:db8::7")
    names = certificate(pki, "console").extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert [str(a) for a in names.get_values_for_type(x509.IPAddress)] == ["192.0.2.7", "2001:db8::7"]
    assert names.get_values_for_type(x509.DNSName) == ["localhost", "node1"]
