"""Takes away what an instance without pods has on the host, so that ``down`` leaves nothing."""

import shutil
import subprocess
from contextlib import suppress

from virtdeck.standalone.runner.cgroups import cgroup_folders
from virtdeck.standalone.runner.settings import RunnerSettings

_SECONDS = 3


def leave_host(settings: RunnerSettings) -> None:
    """Bridge, masquerade table, cgroups and runc's state are gone; what fails stays for the next time."""
    name = f"virtdeck-{settings.instance_id}"
    _run("ip", "link", "delete", settings.bridge)
    _run("nft", "delete", "table", "inet", name)
    for folder in cgroup_folders(settings.cgroup):
        with suppress(OSError):
            folder.rmdir()
    shutil.rmtree(settings.run, ignore_errors=True)
    shutil.rmtree(settings.state / "cni", ignore_errors=True)


def _run(*command: str) -> None:
    with suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
