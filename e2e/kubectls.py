"""The kubectl programs that tests run: the installed one, and those that KUBECTLS names (colons between)."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

INSTALLED = shutil.which("kubectl") or ""
PROGRAMS = [path for path in (INSTALLED, *os.environ.get("KUBECTLS", "").split(":")) if Path(path).is_file()]


@dataclass(frozen=True)
class Kubectl:
    """One program at one instance. home: where it keeps what it learned, apart from others."""

    program: str
    kubeconfig: Path
    home: Path

    def run(self, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        """The finished process, whatever came of it."""
        return subprocess.run(
            [self.program, "--kubeconfig", str(self.kubeconfig), *arguments],
            input=given,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env={"HOME": str(self.home), "PATH": os.environ["PATH"]},
        )

    def __call__(self, *arguments: str, given: str = "") -> str:
        """What it printed. Raises: AssertionError when it failed."""
        done = self.run(*arguments, given=given)
        if done.returncode != 0:
            raise AssertionError(f"kubectl {' '.join(arguments)}: {done.stdout}\n{done.stderr}")
        return done.stdout

    @property
    def minor(self) -> int:
        """The 20 of 1.20."""
        version = json.loads(self("version", "--client", "-o", "json"))["clientVersion"]
        return int(version["minor"].rstrip("+"))
