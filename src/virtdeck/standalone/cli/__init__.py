"""The command line: one module a command; each returns the process's exit code.

Commands speak to people on stderr and answer on stdout, so that ``$(./virtdeck kubeconfig)`` works.
"""

import argparse
import importlib
import os
import signal
import sys
from pathlib import Path

from virtdeck.basis.errors import VirtdeckError
from virtdeck.standalone.state import DEFAULT_STATE

COMMANDS = {
    "up": "start virtdeck on this machine",
    "down": "stop the services; virtual machines keep running unless --vms",
    "status": "what runs, where the data is, what is wrong and what to do about it",
    "login": "print a new one-time link to the console",
    "kubeconfig": "print the path of an administrator's kubeconfig",
    "image": "the local image store: ls, pull, import, rm, build-demo",
    "store": "the stored objects: check, backup, restore, repair",
    "test": "run the whole test suite",
}


def main(arguments: list[str]) -> int:
    """Run one command; errors become one sentence and exit code 1."""
    parser = argparse.ArgumentParser(prog="virtdeck", description="Virtual machines behind the KubeVirt API.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary.capitalize() + ".")
        if name != "test":
            command.add_argument(
                "--state", type=Path, default=DEFAULT_STATE, metavar="DIR", help="the state folder"
            )
        _module(name).add_arguments(command)
    options = parser.parse_args(arguments)
    try:
        return int(_module(options.command).run(options))
    except VirtdeckError as fault:
        sys.stderr.write(f"virtdeck {options.command}: {fault}\n")
        return 1
    except BrokenPipeError:
        # Whoever read, as head, has seen enough. What Python would still write at its end goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return 130


def _module(name: str):  # type: ignore[no-untyped-def]  # modules have no type of their own
    return importlib.import_module(f"virtdeck.standalone.cli.{name}")
