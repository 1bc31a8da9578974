"""The whole suite: the checks of the house, then every test (``./virtdeck test [pytest arguments]``)."""

import subprocess
import sys
from pathlib import Path

BIN = Path(sys.executable).parent
CHECKS = (
    (BIN / "ruff", "format", "--check", "--quiet", "."),
    (BIN / "ruff", "check", "--quiet", "."),
    (BIN / "mypy",),
    (BIN / "lint-imports",),
)


def main(arguments: list[str]) -> int:
    """Exit code: 0 when every check and test passed. With arguments only pytest runs, and gets them."""
    failed = [] if arguments else [command for command in CHECKS if not _passes(command)]
    tests = subprocess.run([BIN / "python", "-m", "pytest", *arguments], check=False)
    for command in failed:
        print("failed check:", command[0].name, *command[1:])
    return 1 if failed or tests.returncode else 0


def _passes(command: tuple[str | Path, ...]) -> bool:
    print("check:", Path(command[0]).name, *command[1:], flush=True)
    return subprocess.run(command, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
