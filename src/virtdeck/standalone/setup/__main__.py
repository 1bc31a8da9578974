"""``python -m virtdeck.standalone.setup CHECKOUT run|test``: install what is missing, saying what and why."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from virtdeck.standalone.setup import packages

PYTHON = "/usr/bin/python3"


def main() -> int:
    """Exit code of the process."""
    checkout, purpose = Path(sys.argv[1]), sys.argv[2]
    install_packages(packages.wanted(purpose))
    install_environment(checkout, "requirements-dev.lock" if purpose == "test" else "requirements.lock")
    return 0


def install_packages(wanted: dict[str, str]) -> None:
    """Every wanted Debian package is installed. Raises: SystemExit with what to do."""
    missing = [name for name in wanted if not is_installed(name)]
    # kubectl from elsewhere serves as well, and Debian's package would not go beside it.
    if shutil.which("kubectl") and "kubernetes-client" in missing:
        missing.remove("kubernetes-client")
    if not missing:
        return
    if os.geteuid() != 0:
        raise SystemExit(
            "virtdeck needs these Debian packages, run this command once as root: " + " ".join(missing)
        )
    say(f"Installing {len(missing)} Debian packages:")
    for name in missing:
        say(f"  {name:28} {wanted[name]}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run(["apt-get", "update", "-qq"], environment, "apt-get update failed; is the network there?")
    run(
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing],
        environment,
        "apt-get could not install them; its message is above",
    )


def is_installed(package: str) -> bool:
    """The package is installed and configured."""
    answer = subprocess.run(
        ["dpkg-query", "-W", "-f", "${db:Status-Abbrev}", package],
        capture_output=True,
        text=True,
        check=False,
    )
    return answer.stdout.startswith("ii")


def install_environment(checkout: Path, lock_file: str) -> None:
    """The virtual environment holds what the lock file names, and virtdeck itself."""
    venv = checkout / ".venv"
    say(f"Installing Python packages into {venv} (from {lock_file}, with hashes)")
    if not (venv / "bin" / "pip").exists():
        run([PYTHON, "-m", "venv", str(venv)], None, "the virtual environment could not be made")
    pip = [str(venv / "bin" / "pip"), "--disable-pip-version-check", "install", "--quiet", "--require-hashes"]
    run([*pip, "-r", str(checkout / lock_file)], None, "pip could not install them; its message is above")
    [site_packages] = venv.glob("lib/python3*/site-packages")
    (site_packages / "virtdeck.pth").write_text(f"{checkout / 'src'}\n")


def run(command: list[str], environment: dict[str, str] | None, advice: str) -> None:
    """The command succeeded. Raises: SystemExit with the advice."""
    started = time.monotonic()
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{command[0]} failed: {advice}")
    seconds = time.monotonic() - started
    if seconds > 1:
        say(f"  done in {seconds:.0f} s")


def say(text: str) -> None:
    """Progress goes to stderr, so that output stays clean for scripts."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
