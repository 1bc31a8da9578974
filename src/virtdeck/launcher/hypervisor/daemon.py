"""libvirt's private daemon: its folders and configuration, and its start as the launcher's first act.

Imports nothing but ``os``: it runs before everything else is loaded, while the daemon starts beside.
"""

# pathlib would have to be loaded before the daemon runs.
# ruff: noqa: PTH103, PTH123, PTH208

import os

LIBVIRTD = "/usr/sbin/libvirtd"
KVM_DEVICE = "/dev/kvm"
KVM_CACHE = "kvm"  # folder in the cache: what QEMU can do where the device can be used

# Runs inside a container without privileges: no cgroups, namespaces or labels of its own, files as they are.
_QEMU_CONF = """\
stdio_handler = "file"
namespaces = []
cgroup_controllers = []
security_driver = "none"
remember_owner = 0
dynamic_ownership = 0
max_core = 0
"""


class DaemonPaths:
    """Where one private daemon keeps things. root: a folder of this launcher alone."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.runtime = f"{root}/run"
        self.config = f"{root}/config"
        self.cache = f"{root}/cache"
        self.log = f"{root}/libvirtd.log"
        self.socket = f"{root}/run/libvirt/libvirt-sock"
        self.capabilities = f"{root}/cache/libvirt/qemu/cache/capabilities"

    def environment(self) -> dict[str, str]:
        """What makes libvirtd and QEMU use these folders alone."""
        return {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": self.root,
            "LC_ALL": "C",
            "XDG_RUNTIME_DIR": self.runtime,
            "XDG_CONFIG_HOME": self.config,
            "XDG_CACHE_HOME": self.cache,
            "XDG_DATA_HOME": f"{self.root}/data",
        }


def start_daemon(paths: DaemonPaths, host_uuid: str, warm_cache: str | None, program: str = LIBVIRTD) -> int:
    """libvirtd runs as a child of this process; its pid. warm_cache: capabilities read before, or None."""
    _prepare(paths, host_uuid)
    if warm_cache:
        usable = os.access(KVM_DEVICE, os.R_OK | os.W_OK)
        _copy_files(f"{warm_cache}/{KVM_CACHE}" if usable else warm_cache, paths.capabilities)
    log = os.open(paths.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        return os.posix_spawn(
            program,
            [program, "--config", f"{paths.config}/libvirt/libvirtd.conf"],
            paths.environment(),
            file_actions=[(os.POSIX_SPAWN_DUP2, log, 1), (os.POSIX_SPAWN_DUP2, log, 2)],
            setsigmask=[],
        )
    finally:
        os.close(log)


def _prepare(paths: DaemonPaths, host_uuid: str) -> None:
    for folder in (f"{paths.config}/libvirt", f"{paths.runtime}/libvirt", paths.capabilities):
        os.makedirs(folder, mode=0o700, exist_ok=True)
    # A session daemon has one socket, mode 0700, and no read-only one.
    _write(f"{paths.config}/libvirt/libvirtd.conf", f'host_uuid = "{host_uuid}"\n')
    _write(f"{paths.config}/libvirt/qemu.conf", _QEMU_CONF)


def _copy_files(source: str, target: str) -> None:
    """The folder's XML files are in ``target``; a cache that cannot be read is as good as none."""
    try:
        for name in os.listdir(source):
            if name.endswith(".xml"):
                with open(f"{source}/{name}", "rb") as file:
                    content = file.read()
                with open(f"{target}/{name}", "wb") as file:
                    file.write(content)
    except OSError:
        return


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)
