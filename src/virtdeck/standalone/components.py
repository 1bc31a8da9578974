"""The processes of an instance: how each is started and with which settings."""

import base64
import json
import pwd
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from virtdeck import __version__
from virtdeck.basis.errors import HostFault
from virtdeck.standalone.addresses import reached_host
from virtdeck.standalone.instance import Instance, split_address
from virtdeck.standalone.state import StateFolder, write_file
from virtdeck.standalone.supervisor.component import Program

INSTALL_NAMESPACE = "kubevirt"
# Nothing else on the host runs as this user, and it owns nothing but running guests' files.
LAUNCHER_USER = "virtdeck-vm"
# Certificates are renewed when half spent, 198 days before they end: hours are soon enough.
_RENEWAL_SECONDS = 6 * 3600.0


@dataclass(frozen=True)
class LauncherUser:
    """Whom launchers and QEMU run as."""

    uid: int
    gid: int


def launcher_user() -> LauncherUser:
    """The launchers' user on this host, made when it is missing. Raises: HostFault."""
    try:
        user = pwd.getpwnam(LAUNCHER_USER)
    except KeyError:
        _add_user(LAUNCHER_USER)
        user = pwd.getpwnam(LAUNCHER_USER)
    return LauncherUser(user.pw_uid, user.pw_gid)


def _add_user(name: str) -> None:
    command = ["useradd", "--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent"]
    done = subprocess.run(
        [*command, "--shell", "/usr/sbin/nologin", "--comment", "virtdeck guests", name],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    if done.returncode != 0:
        raise HostFault(f"the user {name} for guests could not be made: {done.stderr.strip()}")


def programs(state: StateFolder) -> tuple[Program, ...]:
    """What the supervisor runs, in order of start."""
    modules = {
        "apiserver": ("virtdeck.standalone.apiserver", ()),
        "bootstrap": ("virtdeck.standalone.bootstrap", ()),  # waits for the API server itself
        "gateway": ("virtdeck.gateway", ("apiserver",)),
        "runner": ("virtdeck.standalone.runner", ("apiserver",)),
        "controllers": ("virtdeck.controllers", ("bootstrap",)),
        "node-agent": ("virtdeck.node_agent", ("apiserver",)),
    }
    parts = tuple(
        Program(
            name=name,
            command=(sys.executable, "-m", module, "--config", str(state.config(name))),
            log=state.log(name),
            needs=needs,
            once=name == "bootstrap",
        )
        for name, (module, needs) in modules.items()
    )
    renewal = Program(
        name="renewal",
        command=(sys.executable, "-m", "virtdeck.standalone.renewal", str(state.root)),
        log=state.log("renewal"),
        repeat_seconds=_RENEWAL_SECONDS,
    )
    return (*parts, renewal)


def write_settings(state: StateFolder, instance: Instance, launcher: LauncherUser) -> None:
    """Every process finds its settings file."""
    for name, settings in settings_of_all(state, instance, launcher).items():
        write_file(state.config(name), json.dumps(settings, indent=2) + "\n")


def settings_of_all(
    state: StateFolder, instance: Instance, launcher: LauncherUser
) -> dict[str, dict[str, Any]]:
    """Settings by component; what each field means stands in the component's settings.py."""
    return {
        "apiserver": _apiserver(state, instance),
        "bootstrap": _bootstrap(state, instance),
        "gateway": _gateway(state, instance),
        "runner": _runner(state, instance),
        "controllers": _controllers(state, launcher),
        "node-agent": _node_agent(state, instance, launcher),
    }


def write_kubeconfigs(state: StateFolder, instance: Instance) -> None:
    """Every client of the API server has its kubeconfig; the admin's holds its certificates itself."""
    for name in ("gateway", "runner", "controllers", "node-agent"):
        write_file(state.kubeconfig(name), json.dumps(_kubeconfig(state, instance, name)))
    write_file(state.admin_kubeconfig, json.dumps(_embedded_kubeconfig(state, instance, "admin"), indent=2))


def launcher_image() -> str:
    """The name that the pod runner knows for the host's own root file system with this virtdeck."""
    return f"virtdeck/launcher:{__version__}"


def _pki(state: StateFolder, name: str) -> str:
    return str(state.path("pki", name))


def _apiserver(state: StateFolder, instance: Instance) -> dict[str, Any]:
    return {
        "bind": f"127.0.0.1:{instance.apiserver_port}",
        "store": str(state.path("apiserver", "store.sqlite")),
        "tls_cert": _pki(state, "apiserver.crt"),
        "tls_key": _pki(state, "apiserver.key"),
        "client_ca": _pki(state, "ca.crt"),
        "front_proxy_ca": _pki(state, "front-proxy-ca.crt"),
        "front_proxy_cert": _pki(state, "front-proxy-client.crt"),
        "front_proxy_key": _pki(state, "front-proxy-client.key"),
        "webhook_cert": _pki(state, "apiserver-webhook-client.crt"),
        "webhook_key": _pki(state, "apiserver-webhook-client.key"),
        "service_resolver": {f"virt-api.{INSTALL_NAMESPACE}": f"127.0.0.1:{instance.gateway_port}"},
        "service_account_key": str(state.path("apiserver", "service-account.key")),
        "log_dir": str(state.path("log", "pods")),
        "audit_log": str(state.log("audit")),
    }


def _bootstrap(state: StateFolder, instance: Instance) -> dict[str, Any]:
    return {
        "kubeconfig": str(state.admin_kubeconfig),
        "namespace": INSTALL_NAMESPACE,
        "component_ca": _pki(state, "component-ca.crt"),
        "gateway_url": f"https://127.0.0.1:{instance.gateway_port}",
        "node_name": instance.node_name,
    }


def _gateway(state: StateFolder, instance: Instance) -> dict[str, Any]:
    tls = {}
    if not instance.listens_on_loopback:
        tls = {"listen_tls_cert": _pki(state, "console.crt"), "listen_tls_key": _pki(state, "console.key")}
    return {
        "kubeconfig": str(state.kubeconfig("gateway")),
        "namespace": INSTALL_NAMESPACE,
        "bind": f"127.0.0.1:{instance.gateway_port}",
        "tls_cert": _pki(state, "gateway-internal.crt"),
        "tls_key": _pki(state, "gateway-internal.key"),
        "component_ca": _pki(state, "component-ca.crt"),
        "cluster_ca": _pki(state, "ca.crt"),
        "handler_cert": _pki(state, "gateway-client.crt"),
        "handler_key": _pki(state, "gateway-client.key"),
        "listen": instance.listen,
        "reached_host": reached_host(split_address(instance.listen)[0]),
        "data_dir": str(state.path("gateway")),
        "images_dir": str(state.path("images")),
        **tls,
    }


def _runner(state: StateFolder, instance: Instance) -> dict[str, Any]:
    return {
        "kubeconfig": str(state.kubeconfig("runner")),
        "node_name": instance.node_name,
        "instance_id": instance.id,
        "state_dir": str(state.root),
        "kubelet_dir": str(state.path("kubelet")),
        "images_dir": str(state.path("images")),
        "log_dir": str(state.path("log", "pods")),
        "bridge": instance.bridge,
        "pod_subnet": instance.pod_subnet,
        "launcher_image": launcher_image(),
        "venv_dir": sys.prefix,
        "source_dir": str(Path(__file__).parents[2]),
    }


def _controllers(state: StateFolder, launcher: LauncherUser) -> dict[str, Any]:
    return {
        "kubeconfig": str(state.kubeconfig("controllers")),
        "namespace": INSTALL_NAMESPACE,
        "launcher_image": launcher_image(),
        "launcher_uid": launcher.uid,
        "launcher_gid": launcher.gid,
        "leader_election": False,
    }


def _node_agent(state: StateFolder, instance: Instance, launcher: LauncherUser) -> dict[str, Any]:
    return {
        "kubeconfig": str(state.kubeconfig("node-agent")),
        "namespace": INSTALL_NAMESPACE,
        "node_name": instance.node_name,
        "kubelet_dir": str(state.path("kubelet")),
        "state_dir": str(state.path("handler")),
        "bind": f"127.0.0.1:{instance.handler_port}",
        "tls_cert": _pki(state, "handler-server.crt"),
        "tls_key": _pki(state, "handler-server.key"),
        "client_ca": _pki(state, "component-ca.crt"),
        "launcher_uid": launcher.uid,
    }


def _kubeconfig(state: StateFolder, instance: Instance, name: str) -> dict[str, Any]:
    cluster = {"server": instance.apiserver_url, "certificate-authority": _pki(state, "ca.crt")}
    user = {"client-certificate": _pki(state, f"{name}.crt"), "client-key": _pki(state, f"{name}.key")}
    return _kubeconfig_of(instance, name, cluster, user)


def _embedded_kubeconfig(state: StateFolder, instance: Instance, name: str) -> dict[str, Any]:
    cluster = {"server": instance.apiserver_url, "certificate-authority-data": _base64(state, "ca.crt")}
    user = {
        "client-certificate-data": _base64(state, f"{name}.crt"),
        "client-key-data": _base64(state, f"{name}.key"),
    }
    return _kubeconfig_of(instance, name, cluster, user)


def _base64(state: StateFolder, name: str) -> str:
    return base64.b64encode(state.path("pki", name).read_bytes()).decode()


def _kubeconfig_of(
    instance: Instance, name: str, cluster: dict[str, Any], user: dict[str, Any]
) -> dict[str, Any]:
    context = f"virtdeck-{instance.id}"
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": context, "cluster": cluster}],
        "users": [{"name": name, "user": user}],
        "contexts": [
            {"name": context, "context": {"cluster": context, "user": name, "namespace": "default"}}
        ],
        "current-context": context,
    }
