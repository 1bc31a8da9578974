"""``virtdeck kubeconfig``: the path of an administrator's kubeconfig."""

import argparse

from virtdeck.basis.errors import Absent
from virtdeck.standalone.cli.words import answer
from virtdeck.standalone.state import StateFolder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No options of its own."""


def run(options: argparse.Namespace) -> int:
    """Prints the path."""
    path = StateFolder(options.state.absolute()).admin_kubeconfig
    if not path.exists():
        raise Absent(f"no instance was ever started with the state folder {options.state}; run ./virtdeck up")
    answer(str(path))
    return 0
