"""Kubeconfigs as kubectl writes them."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from virtdeck.basis.errors import Invalid
from virtdeck.kube.access import in_cluster
from virtdeck.kube.kubeconfig import load_kubeconfig


def config(cluster: dict[str, Any] | None = None, user: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "current-context": "c",
        "contexts": [{"name": "c", "context": {"cluster": "k", "user": "u", "namespace": "dev"}}],
        "clusters": [{"name": "k", "cluster": {"server": "https://127.0.0.1:6443/", **(cluster or {})}}],
        "users": [{"name": "u", "user": user or {}}],
    }


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def _write(content: Any, name: str = "config") -> Path:
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return _write


@pytest.mark.parametrize("dump", [json.dumps, yaml.safe_dump], ids=["json", "yaml"])
def test_embedded_data_is_decoded(write: Callable[..., Path], dump: Callable[[Any], str]) -> None:
    encoded = base64.b64encode(b"PEM").decode()
    user = {"client-certificate-data": encoded, "client-key-data": encoded, "token": "t"}
    access = load_kubeconfig(write(dump(config({"certificate-authority-data": encoded}, user))))
    assert (access.server, access.namespace) == ("https://127.0.0.1:6443", "dev")
    assert (access.ca, access.client_cert, access.client_key, access.token) == (b"PEM", b"PEM", b"PEM", "t")


def test_paths_start_at_the_files_folder(write: Callable[..., Path], tmp_path: Path) -> None:
    (tmp_path / "pki").mkdir()
    (tmp_path / "pki" / "ca.crt").write_bytes(b"CA")
    access = load_kubeconfig(write(config({"certificate-authority": "pki/ca.crt"}, {"tokenFile": "token"})))
    assert access.ca == b"CA"
    assert access.token_file == tmp_path / "token"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "YAML"),
        ("[]", "not a kubeconfig"),
        ({"current-context": "none"}, "no entry 'none' in contexts"),
        (config(user={"exec": {"command": "x"}}), "credential plugin"),
        (config({"certificate-authority": "missing.crt"}), "missing.crt"),
        (config({"certificate-authority-data": "!"}), "kubeconfig"),
    ],
)
def test_what_is_wrong_is_named(write: Callable[..., Path], content: Any, problem: str) -> None:
    with pytest.raises(Invalid, match=problem):
        load_kubeconfig(write(content))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="nothing-here"):
        load_kubeconfig(tmp_path / "nothing-here")


def test_in_a_pod_the_service_account_is_used(tmp_path: Path) -> None:
    for name, content in (("token", "t"), ("ca.crt", "CA"), ("namespace", "kubevirt")):
        (tmp_path / name).write_text(content)
    access = in_cluster(tmp_path, {"KUBERNETES_SERVICE_HOST": "10.0.0.1"})
    assert (access.server, access.namespace) == ("https://10.0.0.1:443", "kubevirt")
    assert access.token_file == tmp_path / "token"


def test_outside_a_pod_without_a_kubeconfig_nothing_is_guessed(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="no kubeconfig"):
        in_cluster(tmp_path, {})
