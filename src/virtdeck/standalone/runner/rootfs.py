"""The folder that a container takes for its root, and its /etc."""

import os
import shutil
from pathlib import Path

from virtdeck.standalone.runner.launch import Launch

_LINKS = {"bin": "usr/bin", "sbin": "usr/sbin", "lib": "usr/lib", "lib64": "usr/lib64"}
_FOLDERS = ("usr", "etc", "proc", "sys", "dev", "run", "tmp", "var")
# Read from the host as they are: where libraries lie, and which time zone it is.
_COPIED = ("ld.so.cache", "localtime")
_RESOLVERS = (Path("/run/systemd/resolve/resolv.conf"), Path("/etc/resolv.conf"))
_LOCAL = ("127.", "::1")


def lay_root(root: Path, programs: tuple[str, ...]) -> None:
    """``root`` has the links of a Debian and an empty folder for each mount."""
    for name in (*_FOLDERS, *(path.lstrip("/") for path in programs)):
        (root / name).mkdir(parents=True, exist_ok=True)
    links = {**_LINKS, "var/run": "../run", "var/tmp": "../tmp"}
    for name, target in links.items():
        # A checkout below /var/tmp is shown there, and takes the link's place.
        if not os.path.lexists(root / name):
            (root / name).symlink_to(target)


def lay_etc(etc: Path, launch: Launch, addresses: tuple[str, ...]) -> None:
    """``etc`` is the container's /etc: its user, its names, the way to names, nothing else of the host."""
    etc.mkdir(parents=True, exist_ok=True)
    user = f"libvirt-qemu:x:{launch.uid}:{launch.gid}:launcher:/tmp:/usr/sbin/nologin"
    files = {
        "passwd": f"root:x:0:0:root:/root:/usr/sbin/nologin\n{user}\n",
        "group": f"root:x:0:\nlibvirt-qemu:x:{launch.gid}:\n",
        "hostname": f"{launch.hostname}\n",
        "hosts": hosts(launch.hostname, addresses),
        "resolv.conf": resolv_conf(_resolver_text()),
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    }
    for name, text in files.items():
        (etc / name).write_text(text)
        (etc / name).chmod(0o644)
    for name in _COPIED:
        if Path("/etc", name).is_file():
            shutil.copyfile(Path("/etc", name), etc / name)


def hosts(hostname: str, addresses: tuple[str, ...]) -> str:
    """/etc/hosts of a pod; pure."""
    own = "".join(f"{address} {hostname}\n" for address in addresses)
    return f"127.0.0.1 localhost\n::1 localhost ip6-localhost\n{own}"


def resolv_conf(host: str) -> str:
    """The host's resolvers as a pod can use them; those on its loopback are out of reach; pure."""
    kept = []
    for line in host.splitlines():
        words = line.split()
        if words[:1] == ["nameserver"] and len(words) > 1 and words[1].startswith(_LOCAL):
            continue
        if words[:1] in (["nameserver"], ["search"], ["options"], ["domain"]):
            kept.append(line.strip())
    return "".join(f"{line}\n" for line in kept)


def _resolver_text() -> str:
    for path in _RESOLVERS:
        if path.is_file():
            return path.read_text(errors="replace")
    return ""
