"""The state folder: where everything of one instance lies, and which format it has."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from virtdeck.basis.errors import Conflict, Invalid

STATE_VERSION = 1
DEFAULT_STATE = Path("/var/lib/virtdeck")
_FOLDERS = (
    "pki",
    "config",
    "kubeconfigs",
    "apiserver",
    "images",
    "kubelet/pods",
    "runner",
    "handler",
    "gateway",
)
_OPEN_FOLDERS = ("log", "run")


@dataclass(frozen=True)
class StateFolder:
    """Paths below the folder; see docs/contracts.md for what each holds."""

    root: Path

    def path(self, *parts: str) -> Path:
        """The path of something in the folder."""
        return self.root.joinpath(*parts)

    @property
    def admin_kubeconfig(self) -> Path:
        return self.path("admin.kubeconfig")

    @property
    def supervisor_socket(self) -> Path:
        return self.path("run", "supervisor.sock")

    def log(self, component: str) -> Path:
        return self.path("log", f"{component}.log")

    def config(self, component: str) -> Path:
        return self.path("config", f"{component}.json")

    def kubeconfig(self, component: str) -> Path:
        return self.path("kubeconfigs", f"{component}.kubeconfig")


def open_state(root: Path) -> StateFolder:
    """The folder exists, is ours and has a format that we know. Raises: Invalid."""
    version_file = root / "version"
    if root.exists() and any(root.iterdir()) and not version_file.exists():
        raise Invalid(f"{root} is not empty and not a state folder of virtdeck; name another with --state")
    root.mkdir(parents=True, exist_ok=True)
    root.chmod(0o755)
    _check_version(version_file)
    for name in (*_FOLDERS, *_OPEN_FOLDERS):
        (root / name).mkdir(parents=True, exist_ok=True)
    for name in ("pki", "config", "kubeconfigs", "apiserver", "runner", "handler", "gateway"):
        (root / name).chmod(0o700)
    return StateFolder(root)


def _check_version(version_file: Path) -> None:
    if not version_file.exists():
        write_file(version_file, f"{STATE_VERSION}\n", mode=0o644)
    found = version_file.read_text().strip()
    if not found.isdigit():
        raise Invalid(f"{version_file} should hold a number, it holds {found[:40]!r}")
    if int(found) > STATE_VERSION:
        raise Invalid(
            f"the state folder has format {found}, this virtdeck knows up to {STATE_VERSION}: use a newer one"
        )


def write_file(path: Path, content: str | bytes, mode: int = 0o600) -> None:
    """The file holds the content, wholly or not at all, also after a power loss."""
    data = content.encode() if isinstance(content, str) else content
    temporary = path.with_name(path.name + ".new")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, mode)
    try:
        os.fchmod(descriptor, mode)
        os.write(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    temporary.replace(path)


@contextmanager
def held_lock(state: StateFolder) -> Iterator[None]:
    """Only one command changes the instance at a time. Raises: Conflict."""
    with state.path("run", "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as fault:
            raise Conflict(
                f"another virtdeck command is at work on {state.root}; wait for it to end"
            ) from fault
        yield
