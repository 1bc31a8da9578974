"""``python -m e2e.cluster {build,up,down}``: a real Kubernetes by hand."""

import argparse
from pathlib import Path

from e2e.cluster.control_plane import ControlPlane
from e2e.cluster.programs import require_programs


def main() -> None:
    """The command is done; what it made is printed."""
    parser = argparse.ArgumentParser(prog="python -m e2e.cluster")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("build", help="the programs are in the cache; prints where")
    for name, told in (("up", "starts it; prints its kubeconfig"), ("down", "stops it, removes the folder")):
        commands.add_parser(name, help=told).add_argument("folder", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "build":
        print(require_programs().folder)
    elif arguments.command == "up":
        plane = ControlPlane(arguments.folder)
        plane.up()
        print(plane.kubeconfig)
    else:
        ControlPlane(arguments.folder).down()


main()
