"""``virtdeck test``: the whole test suite; the front door has installed what it needs."""

import argparse
import os
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[4]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Whatever follows goes to pytest."""
    parser.add_argument("pytest", nargs=argparse.REMAINDER, help="arguments for pytest")


def run(options: argparse.Namespace) -> int:
    """The checks, then pytest takes this process's place."""
    os.chdir(CHECKOUT)
    os.execv(sys.executable, [sys.executable, str(CHECKOUT / "tests" / "run.py"), *options.pytest])  # noqa: S606  # our own interpreter
