"""Debian packages, fetched by apt and read without being installed."""

import subprocess
import tarfile
from collections.abc import Callable, Iterable
from pathlib import Path

from virtdeck.basis.errors import HostFault

FETCH_SECONDS = 600
_HINT = "; check the network, then run: apt-get update"


def fetch_packages(names: Iterable[str], folder: Path) -> dict[str, Path]:
    """The newest package of each name as a file in ``folder``; what is there already is not fetched again.

    Raises: HostFault.
    """
    folder.mkdir(parents=True, exist_ok=True)
    wanted = _candidates(tuple(names))
    missing = [f"{name}={version}" for name, version in wanted.items() if not _file(folder, name, version)]
    if missing:
        _apt("apt-get", "download", *missing, cwd=folder)
    found = {name: _file(folder, name, version) for name, version in wanted.items()}
    return {name: _present(name, path) for name, path in found.items()}


def kernel_package(flavour: str) -> str:
    """The package that ``linux-image-<flavour>`` stands for. Raises: HostFault."""
    answer = _apt("apt-cache", "depends", f"linux-image-{flavour}")
    for line in answer.splitlines():
        kind, _, name = line.strip().partition(": ")
        if kind == "Depends" and name.startswith("linux-image-"):
            return name
    raise HostFault(f"apt knows no kernel linux-image-{flavour}{_HINT}")


def extract(package: Path, into: Path, wanted: Callable[[str], bool]) -> None:
    """The package's files whose path is wanted lie below ``into``, /bin and /lib merged into /usr.

    Raises: HostFault.
    """
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)], stdout=subprocess.PIPE) as unpacker:
        with tarfile.open(fileobj=unpacker.stdout, mode="r|") as archive:
            # The packages are apt's, signed; newer Pythons want to be told so.
            archive.extraction_filter = lambda member, _path: member
            for member in archive:
                member.name = _merged(member.name.removeprefix("./"))
                if not member.isdir() and wanted(member.name):
                    archive.extract(member, into)
        if unpacker.stdout:
            unpacker.stdout.read()
    if unpacker.returncode:
        raise HostFault(f"{package.name} is damaged; remove it and try again")


def _merged(name: str) -> str:
    return f"usr/{name}" if name.partition("/")[0] in {"bin", "sbin", "lib", "lib64"} else name


def _candidates(names: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    package = ""
    for line in _apt("apt-cache", "policy", *names).splitlines():
        key, _, value = line.strip().partition(":")
        if not line.startswith(" "):
            package = key
        elif key == "Candidate" and value.strip() != "(none)":
            found[package] = value.strip()
    if missing := sorted(set(names) - set(found)):
        raise HostFault(f"apt knows no package {', '.join(missing)}{_HINT}")
    return found


def _file(folder: Path, name: str, version: str) -> Path | None:
    # apt writes the colon of an epoch as %3a in file names.
    return next(folder.glob(f"{name}_{version.replace(':', '%3a')}_*.deb"), None)


def _present(name: str, path: Path | None) -> Path:
    if path is None:
        raise HostFault(f"apt-get did not fetch {name}{_HINT}")
    return path


def _apt(*command: str, cwd: Path | None = None) -> str:
    try:
        done = subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, timeout=FETCH_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise HostFault(f"{command[0]} cannot be run: {fault}") from fault
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise HostFault(f"{' '.join(command[:2])} failed: {reason}{_HINT}")
    return done.stdout
