"""The supervisor with real small programs."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from virtdeck.basis.errors import Absent
from virtdeck.standalone.supervisor import control
from virtdeck.standalone.supervisor.component import start_time

WAITS = """
import socket, os, time
socket.socket(1, 2).sendto(b"READY=1", "\\0" + os.environ["NOTIFY_SOCKET"][1:])
time.sleep(600)
"""
ONCE = "print('done')"

DRIVER = """
import sys
from pathlib import Path
from virtdeck.standalone.supervisor.component import Program
from virtdeck.standalone.supervisor.loop import Supervisor
folder = Path(sys.argv[1])
def program(name, source, **more):
    return Program(name, (sys.executable, "-c", source), folder / f"{name}.log", **more)
Supervisor(
    (program("first", sys.argv[2]), program("once", sys.argv[3], needs=("first",), once=True),
     program("last", sys.argv[2], needs=("once",)), program("again", sys.argv[3], repeat_seconds=0.3)),
    folder, folder / "s.sock",
).run()
"""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []

    def run() -> subprocess.Popen[bytes]:
        process = subprocess.Popen([sys.executable, "-c", DRIVER, str(tmp_path), WAITS, ONCE])
        started.append(process)
        return process

    yield run
    for process in started:
        if process.poll() is None:
            process.terminate()
        process.wait(15)


def status(folder: Path) -> dict[str, dict[str, Any]]:
    return {c["name"]: c for c in control.ask(folder / "s.sock", "status")["components"]}


def until(folder: Path, true: Callable[[dict[str, dict[str, Any]]], bool]) -> dict[str, dict[str, Any]]:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            found = status(folder)
        except Absent:
            found = {}
        if found and true(found):
            return found
        time.sleep(0.02)
    raise AssertionError(f"not reached: {found}")


def all_ready(found: dict[str, dict[str, Any]]) -> bool:
    return all(component["ready"] for component in found.values())


def test_programs_start_in_the_order_of_their_needs(
    tmp_path: Path, start: Callable[[], subprocess.Popen[bytes]]
) -> None:
    start()
    found = until(tmp_path, all_ready)
    assert found["once"]["pid"] is None
    assert (tmp_path / "once.log").read_text() == "done\n"
    assert float(start_time(found["first"]["pid"])) <= float(start_time(found["last"]["pid"]))


def test_repeated_program_comes_again_and_nobody_waits_for_it(
    tmp_path: Path, start: Callable[[], subprocess.Popen[bytes]]
) -> None:
    start()
    until(tmp_path, lambda _: (tmp_path / "again.log").exists() and _lines(tmp_path / "again.log") >= 2)
    found = status(tmp_path)["again"]
    assert (found["ready"], found["once"], found["restarts"]) == (True, True, 0)


def _lines(path: Path) -> int:
    return len(path.read_text().splitlines())


def test_killed_program_is_started_again(
    tmp_path: Path, start: Callable[[], subprocess.Popen[bytes]]
) -> None:
    start()
    pid = until(tmp_path, all_ready)["first"]["pid"]
    os.kill(pid, signal.SIGKILL)
    found = until(tmp_path, lambda c: c["first"]["ready"] and c["first"]["pid"] not in (None, pid))
    assert found["first"]["lastExit"] == "killed by SIGKILL"
    assert found["first"]["restarts"] == 1


def test_stop_ends_every_program(tmp_path: Path, start: Callable[[], subprocess.Popen[bytes]]) -> None:
    supervisor = start()
    found = until(tmp_path, all_ready)
    control.ask(tmp_path / "s.sock", "stop")
    assert supervisor.wait(15) == 0
    assert [start_time(found[name]["pid"]) for name in ("first", "last")] == ["", ""]
    with pytest.raises(Absent):
        control.ask(tmp_path / "s.sock", "status")


def test_new_supervisor_replaces_what_a_killed_one_left(
    tmp_path: Path, start: Callable[[], subprocess.Popen[bytes]]
) -> None:
    killed = start()
    before = until(tmp_path, all_ready)
    killed.kill()
    killed.wait()
    start()
    after = until(tmp_path, lambda c: all_ready(c) and c["first"]["pid"] != before["first"]["pid"])
    assert start_time(before["first"]["pid"]) == ""
    assert after["first"]["restarts"] == 0


def test_held_program_stays_stopped(tmp_path: Path, start: Callable[[], subprocess.Popen[bytes]]) -> None:
    start()
    until(tmp_path, all_ready)
    control.ask(tmp_path / "s.sock", "hold last")
    until(tmp_path, lambda c: c["last"]["pid"] is None)
    time.sleep(0.5)
    assert status(tmp_path)["last"]["pid"] is None


def test_nonsense_on_the_socket_does_not_stop_the_supervisor(
    tmp_path: Path, start: Callable[[], subprocess.Popen[bytes]]
) -> None:
    start()
    until(tmp_path, all_ready)
    with pytest.raises(Absent):
        control.ask(tmp_path / "s.sock", "x" * (1 << 17))
    assert control.ask(tmp_path / "s.sock", "dance") == {"error": "unknown command 'dance'"}
    assert all_ready(status(tmp_path))
