"""Reads a kubeconfig file into an Access."""

import base64
import binascii
import os
from pathlib import Path
from typing import Any

import msgspec

from virtdeck.basis.errors import Cause, Invalid
from virtdeck.kube.access import Access, in_cluster

Entry = dict[str, Any]


def load_access(kubeconfig: str | os.PathLike[str] | None) -> Access:
    """The access that the file gives; without a file that of the pod this process runs in."""
    return load_kubeconfig(kubeconfig) if kubeconfig else in_cluster()


def load_kubeconfig(path: str | os.PathLike[str], context: str | None = None) -> Access:
    """The access of ``context``, or of the file's current context.

    Raises: Invalid, naming the file and the entry.
    """
    file = Path(path)
    config = _read(file)
    try:
        chosen = _entry(config, "contexts", context or config.get("current-context", ""))["context"]
        cluster = _entry(config, "clusters", chosen.get("cluster", ""))["cluster"]
        user = _entry(config, "users", chosen["user"])["user"] if chosen.get("user") else {}
        return _access(file.parent, cluster, user or {}, chosen.get("namespace") or "default")
    except (KeyError, TypeError, AttributeError) as fault:
        raise _fault(file, f"is not a kubeconfig: {fault}") from fault
    except (OSError, binascii.Error, Invalid) as fault:
        raise _fault(file, str(fault)) from fault


def _read(file: Path) -> Entry:
    try:
        text = file.read_bytes()
    except OSError as fault:
        raise _fault(file, f"cannot be read: {fault.strerror}") from fault
    config = _parse(file, text)
    if not isinstance(config, dict):
        raise _fault(file, "is not a kubeconfig")
    return config


def _parse(file: Path, text: bytes) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        import yaml  # only for files that are not JSON: 2 MB and 20 ms that a component need not pay

        try:
            return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
        except yaml.YAMLError as fault:
            raise _fault(file, f"is not YAML: {fault}") from fault


def _entry(config: Entry, section: str, name: str) -> Entry:
    for entry in config.get(section) or ():
        if entry.get("name") == name:
            found: Entry = entry
            return found
    raise Invalid(f"has no entry {name!r} in {section}")


def _access(folder: Path, cluster: Entry, user: Entry, namespace: str) -> Access:
    if "exec" in user or "auth-provider" in user:
        raise Invalid(
            "asks for a credential plugin, which a component does not run; use a token or certificate"
        )
    token_file = user.get("tokenFile")
    return Access(
        server=str(cluster["server"]).rstrip("/"),
        ca=_data(folder, cluster, "certificate-authority"),
        client_cert=_data(folder, user, "client-certificate"),
        client_key=_data(folder, user, "client-key"),
        ca_file=_file(folder, cluster, "certificate-authority"),
        cert_file=_file(folder, user, "client-certificate"),
        key_file=_file(folder, user, "client-key"),
        token=user.get("token"),
        token_file=folder / token_file if token_file else None,
        server_name=cluster.get("tls-server-name"),
        namespace=namespace,
        insecure=bool(cluster.get("insecure-skip-tls-verify", False)),
    )


def _data(folder: Path, entry: Entry, name: str) -> bytes | None:
    """Embedded data wins over a path, as in kubectl; a relative path starts at the kubeconfig's folder."""
    if entry.get(f"{name}-data"):
        return base64.b64decode(entry[f"{name}-data"], validate=True)
    return (folder / entry[name]).read_bytes() if entry.get(name) else None


def _file(folder: Path, entry: Entry, name: str) -> Path | None:
    return folder / entry[name] if entry.get(name) and not entry.get(f"{name}-data") else None


def _fault(file: Path, problem: str) -> Invalid:
    return Invalid(f"kubeconfig {file} {problem}", causes=(Cause("$", problem),))
