"""B-07: what the API server's listener speaks, and what it does not."""

import socket
import ssl
import subprocess

import pytest
from tests.contract.apiserver.running import Running

WEAK = (
    "AES256-SHA",
    "ECDHE-RSA-AES128-SHA",
    "ECDHE-ECDSA-AES128-SHA256",
    "AES128-GCM-SHA256",
    "NULL",
    "DES-CBC3-SHA",
)


def handshake(server: Running, context: ssl.SSLContext, name: str = "localhost") -> ssl.SSLSocket:
    """A connection, open."""
    plain = socket.create_connection(("127.0.0.1", server.port), 5)
    try:
        return context.wrap_socket(plain, server_hostname=name)
    except BaseException:
        plain.close()
        raise


def trusting(server: Running) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(server.state.path("pki", "ca.crt")))


@pytest.mark.parametrize("option", ["-tls1", "-tls1_1"])
def test_old_versions_are_refused(server: Running, option: str) -> None:
    """B-07: TLS 1.2 or later. OpenSSL's own client is told to allow what is old."""
    address = f"127.0.0.1:{server.port}"
    command = ["openssl", "s_client", "-connect", address, option, "-cipher", "ALL:@SECLEVEL=0"]
    done = subprocess.run(command, input=b"", capture_output=True, timeout=20, check=False)
    assert done.returncode != 0
    assert b"Cipher is (NONE)" in done.stdout


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_new_versions_are_spoken_with_forward_secrecy(server: Running, version: ssl.TLSVersion) -> None:
    """B-07."""
    context = trusting(server)
    context.minimum_version = context.maximum_version = version
    with handshake(server, context) as connection:
        name, _protocol, bits = connection.cipher() or ("", "", 0)
        assert bits >= 128
        assert "GCM" in name or "CHACHA20" in name
        assert version is ssl.TLSVersion.TLSv1_3 or name.startswith("ECDHE")
        assert connection.compression() is None


@pytest.mark.parametrize("suite", WEAK)
def test_weak_suites_are_refused(server: Running, suite: str) -> None:
    """B-07."""
    address = f"127.0.0.1:{server.port}"
    command = ["openssl", "s_client", "-connect", address, "-tls1_2", "-cipher", f"{suite}:@SECLEVEL=0"]
    done = subprocess.run(command, input=b"", capture_output=True, timeout=20, check=False)
    assert done.returncode != 0


def test_renegotiation_is_refused(server: Running) -> None:
    """B-07: asked for by the client, which costs the server far more than the client."""
    address = f"127.0.0.1:{server.port}"
    command = ["openssl", "s_client", "-connect", address, "-tls1_2"]
    done = subprocess.run(command, input=b"R\nQ\n", capture_output=True, timeout=20, check=False)
    assert b"no renegotiation" in done.stderr + done.stdout


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "kubernetes.default.svc"])
def test_certificate_names_the_server(server: Running, name: str) -> None:
    """B-07: right names; any other is not this server."""
    with handshake(server, trusting(server), name) as connection:
        assert connection.version() == "TLSv1.3"


def test_certificate_names_nobody_else(server: Running) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(server, trusting(server), "kubernetes.example.com")
