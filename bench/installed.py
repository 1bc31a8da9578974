"""The product as its users have it: run with the packages that ``requirements.lock`` names, and no others."""

import hashlib
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from e2e.product import CHECKOUT, Product

LOCK = CHECKOUT / "requirements.lock"
ENVIRONMENTS = Path("/var/tmp")


@dataclass
class Installed(Product):
    """A product whose processes see no package of the tests: some load more when others are there."""

    def command(
        self, *arguments: str, timeout: float = 300, check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """``./virtdeck ARGUMENTS --state …``, past the front door, which knows its own environment alone."""
        program = [str(environment() / "bin" / "python"), "-m", "virtdeck.standalone"]
        done = subprocess.run(
            [*program, *arguments, "--state", str(self.state)],
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
            env=self.environment,
        )
        if check and done.returncode != 0:
            raise RuntimeError(f"virtdeck {' '.join(arguments)}: {done.stdout}\n{done.stderr}")
        return done


def environment() -> Path:
    """A virtual environment with exactly the locked packages; kept while the lock is the same."""
    wanted = hashlib.sha256(LOCK.read_bytes()).hexdigest()[:12]
    folder = ENVIRONMENTS / f"virtdeck-bench-env-{wanted}"
    if (folder / "complete").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    make_environment(folder, "--require-hashes", "-r", str(LOCK))
    [site_packages] = folder.glob("lib/python3*/site-packages")
    (site_packages / "virtdeck.pth").write_text(f"{CHECKOUT / 'src'}\n")
    (folder / "complete").touch()
    return folder


def make_environment(folder: Path, *wanted: str) -> None:
    """A new virtual environment of Debian's Python with these packages."""
    subprocess.run(["/usr/bin/python3", "-m", "venv", str(folder)], check=True)
    pip = [str(folder / "bin" / "pip"), "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, *wanted], check=True)
