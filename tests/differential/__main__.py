"""``python -m tests.differential {record,compare,play} [AREA ...]``: the comparison by hand."""

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from e2e.cluster.kubectls import require_kubectls
from tests.differential.compare import differences, read_accepted, read_open, unaccepted
from tests.differential.matches import Match, matches, play_all
from tests.differential.record import read_record, write_record
from tests.differential.servers import ours, real
from tests.differential.steps import read_areas


def main() -> None:
    """The real one's answers are recorded, or ours are compared with the record, or ours are printed."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential")
    parser.add_argument("command", choices=("record", "compare", "play"))
    parser.add_argument("--open", action="store_true", help="also what is known to differ still")
    parser.add_argument("areas", nargs="*", help="names of files in script/; all without")
    arguments = parser.parse_args()
    areas = [area for area in read_areas() if not arguments.areas or area.name in arguments.areas]
    found = list(matches(areas, require_kubectls()))
    with tempfile.TemporaryDirectory(prefix="differential-") as name:
        if arguments.command == "compare":
            _compare(found, Path(name), arguments.open)
        else:
            {"record": _record, "play": _play}[arguments.command](found, Path(name))


def _record(found: Sequence[Match], folder: Path) -> None:
    with real(folder) as server:
        for name, answers in play_all(server, found).items():
            write_record(name, answers)


def _play(found: Sequence[Match], folder: Path) -> None:
    with ours(folder) as server:
        print(json.dumps(play_all(server, found), indent=1))


def _compare(found: Sequence[Match], folder: Path, everything: bool = False) -> None:
    accepted, known = read_accepted(), {} if everything else read_open()
    with ours(folder) as server:
        played = play_all(server, found)
    steps = left = 0
    for name, answers in played.items():
        record = read_record(name)
        for step, answer in answers.items():
            if step in known.get(name, ()):
                continue
            steps += 1
            left_here = unaccepted(differences(f"{name}/{step}", record.get(step), answer), accepted)
            left += bool(left_here)
            for one in left_here:
                print(one)
    print(f"{steps} steps, {left} of them differ")


main()
