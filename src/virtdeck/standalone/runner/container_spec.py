"""From a launch to runc's config.json; pure."""

from dataclasses import dataclass
from typing import Any

from virtdeck.standalone.runner.launch import Launch
from virtdeck.standalone.runner.seccomp import profile

OCI_VERSION = "1.0.2"
_READ_ONLY = ("rbind", "ro", "nosuid", "nodev")
_MASKED = (
    *("/proc/acpi", "/proc/asound", "/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/timer_list"),
    *("/proc/timer_stats", "/proc/sched_debug", "/proc/scsi", "/proc/kallsyms", "/proc/modules"),
    *("/sys/firmware", "/sys/devices/virtual/powercap"),
)
_READ_ONLY_PATHS = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")
# Character devices by number that any container may use: null, zero, full, random, urandom, tty, ptmx.
_PLAIN_DEVICES = ((1, 3), (1, 5), (1, 7), (1, 8), (1, 9), (5, 0), (5, 2))
_PTS_MAJOR = 136
_TUN = (10, 200)
_KVM = (10, 232)
_VHOST_NET = (10, 238)


@dataclass(frozen=True)
class Ground:
    """What the container stands on, all absolute paths on the host.

    root: a folder with links and empty folders alone. etc: the container's /etc. program: what is run, before
    the pod's own arguments. programs: further folders to show read-only at their own paths.
    volumes: from the volume's name to its folder. capabilities: libvirt's cache, empty when there is none.
    """

    root: str
    etc: str
    program: tuple[str, ...]
    programs: tuple[str, ...]
    source: str
    volumes: dict[str, str]
    capabilities_cache: str
    network_namespace: str
    cgroup: str
    pids_limit: int


def container_spec(launch: Launch, ground: Ground, annotations: dict[str, str]) -> dict[str, Any]:
    """The container's configuration. Source: OCI runtime specification"""
    return {
        "ociVersion": OCI_VERSION,
        "hostname": launch.hostname,
        "root": {"path": ground.root, "readonly": True},
        "process": _process(launch, ground),
        "mounts": [*_system_mounts(), *_host_mounts(ground), *_volume_mounts(launch, ground)],
        "linux": _linux(launch, ground),
        "annotations": annotations,
    }


def _process(launch: Launch, ground: Ground) -> dict[str, Any]:
    capabilities = [f"CAP_{name}" for name in launch.capabilities]
    kinds = ("bounding", "effective", "permitted", "inheritable", "ambient")
    return {
        "terminal": False,
        "user": {"uid": launch.uid, "gid": launch.gid, "additionalGids": list(launch.groups)},
        "args": [*ground.program, *launch.args],
        "env": [
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME=/tmp",
            "LANG=C.UTF-8",
            f"PYTHONPATH={ground.source}",
            "PYTHONDONTWRITEBYTECODE=1",
            *(f"{name}={value}" for name, value in launch.env),
        ],
        "cwd": "/",
        "capabilities": dict.fromkeys(kinds, capabilities),
        "noNewPrivileges": True,
    }


def _system_mounts() -> list[dict[str, Any]]:
    none = ["nosuid", "noexec", "nodev"]
    return [
        _mount("/proc", "proc", "proc", none),
        _mount("/dev", "tmpfs", "tmpfs", ["nosuid", "strictatime", "mode=755", "size=64k"]),
        _mount(
            "/dev/pts", "devpts", "devpts", ["nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620"]
        ),
        _mount("/dev/shm", "tmpfs", "shm", [*none, "mode=1777", "size=64m"]),  # noqa: S108 - the container's
        _mount("/dev/mqueue", "mqueue", "mqueue", none),
        _mount("/sys", "sysfs", "sysfs", [*none, "ro"]),
        _mount("/run", "tmpfs", "tmpfs", ["nosuid", "nodev", "mode=755", "size=1m"]),
        _mount("/tmp", "tmpfs", "tmpfs", ["nosuid", "nodev", "mode=1777", "size=64m"]),  # noqa: S108
    ]


def _host_mounts(ground: Ground) -> list[dict[str, Any]]:
    mounts = [_mount("/usr", "bind", "/usr", _READ_ONLY), _mount("/etc", "bind", ground.etc, _READ_ONLY)]
    mounts += [_mount(path, "bind", path, _READ_ONLY) for path in ground.programs]
    if ground.capabilities_cache:
        target = "/run/kubevirt-capabilities"
        mounts.append(_mount(target, "bind", ground.capabilities_cache, (*_READ_ONLY, "noexec")))
    return mounts


def _volume_mounts(launch: Launch, ground: Ground) -> list[dict[str, Any]]:
    """Shorter paths first: a mount inside another must come after it."""
    writable = {volume.name for volume in launch.volumes if volume.empty_dir is not None}
    mounts = []
    for mount in sorted(launch.mounts, key=lambda mount: mount.mount_path.count("/")):
        access = "rw" if mount.name in writable and not mount.read_only else "ro"
        options = ["rbind", access, "nosuid", "nodev", "noexec"]
        mounts.append(_mount(mount.mount_path, "bind", ground.volumes[mount.name], options))
    return mounts


def _linux(launch: Launch, ground: Ground) -> dict[str, Any]:
    extra = [("/dev/net/tun", _TUN)]
    extra += [("/dev/kvm", _KVM)] if launch.kvm else []
    extra += [("/dev/vhost-net", _VHOST_NET)] if launch.vhost_net else []
    resources: dict[str, Any] = {
        "devices": _device_rules([numbers for _, numbers in extra]),
        "pids": {"limit": ground.pids_limit},
    }
    if launch.memory_limit is not None:
        resources["memory"] = {"limit": launch.memory_limit}
    namespaces = [{"type": kind} for kind in ("pid", "ipc", "uts", "mount")]
    return {
        "namespaces": [*namespaces, {"type": "network", "path": ground.network_namespace}],
        "devices": [_device(path, numbers) for path, numbers in extra],
        "resources": resources,
        "cgroupsPath": ground.cgroup,
        "seccomp": profile(),
        "maskedPaths": list(_MASKED),
        "readonlyPaths": list(_READ_ONLY_PATHS),
    }


def _device_rules(extra: list[tuple[int, int]]) -> list[dict[str, Any]]:
    rules: list[dict[str, Any]] = [{"allow": False, "access": "rwm"}]
    for major, minor in (*_PLAIN_DEVICES, *extra):
        rules.append({"allow": True, "type": "c", "major": major, "minor": minor, "access": "rw"})
    return [*rules, {"allow": True, "type": "c", "major": _PTS_MAJOR, "access": "rw"}]


def _device(path: str, numbers: tuple[int, int]) -> dict[str, Any]:
    major, minor = numbers
    return {"path": path, "type": "c", "major": major, "minor": minor, "fileMode": 0o666, "uid": 0, "gid": 0}


def _mount(target: str, kind: str, source: str, options: Any) -> dict[str, Any]:
    return {"destination": target, "type": kind, "source": source, "options": list(options)}
