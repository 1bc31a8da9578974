"""F-13: somebody else has the database open; the server waits, says so, and goes on when it is free."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest
from tests.contract.apiserver.running import Running

CONFIGMAPS = "/api/v1/namespaces/default/configmaps"
WAIT_SECONDS = 5.0
_HOLD = """
import sys, time, apsw
connection = apsw.Connection(sys.argv[1])
connection.execute("BEGIN IMMEDIATE" if sys.argv[2] == "write" else "BEGIN")
connection.execute("SELECT count(*) FROM log").fetchall()
print("held", flush=True)
time.sleep(float(sys.argv[3]))
"""


@contextmanager
def held(store: Path, how: str, seconds: float) -> Iterator[None]:
    """Another process reads or writes the closed store for so long."""
    command = [sys.executable, "-c", _HOLD, str(store), how, str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield
        process.kill()


@pytest.fixture
def stopped(own_server: Running) -> Running:
    own_server.api().made(CONFIGMAPS, {"metadata": {"name": "kept"}})
    assert own_server.stop() == 0
    return own_server


def store_of(server: Running) -> Path:
    return server.state.path("apiserver", "store.sqlite")


@pytest.mark.parametrize("how", ["read", "write"])
def test_server_waits_for_a_foreigner_who_lets_go(stopped: Running, how: str) -> None:
    """F-13."""
    with held(store_of(stopped), how, 1.5):
        begun = time.monotonic()
        stopped.start()
        assert time.monotonic() - begun > 1.0
    assert stopped.api().get(f"{CONFIGMAPS}/kept").code == 200


def test_server_says_who_is_in_the_way_and_starts_when_it_is_free(stopped: Running) -> None:
    """F-13: after five seconds it gives up with a sentence; its supervisor starts it again."""
    with held(store_of(stopped), "write", 30):
        begun = time.monotonic()
        ended = stopped.run_to_end()
        assert time.monotonic() - begun < WAIT_SECONDS + 4
    assert ended.returncode == 1
    assert "cannot be opened: database is locked" in ended.stderr
    assert "Traceback" not in ended.stderr
    stopped.start()
    assert stopped.api().get(f"{CONFIGMAPS}/kept").code == 200


def test_foreigner_cannot_stand_in_the_way_of_a_running_server(own_server: Running) -> None:
    """F-13: no reader can starve checkpoints, no writer can lock: the file is the server's alone."""
    foreign = apsw.Connection(str(store_of(own_server)))
    for statement in ("SELECT count(*) FROM log", "BEGIN IMMEDIATE", "PRAGMA wal_checkpoint"):
        with pytest.raises((apsw.BusyError, apsw.LockedError)):
            foreign.execute(statement).fetchall()
    begun = time.monotonic()
    own_server.api().made(CONFIGMAPS, {"metadata": {"name": "a"}})
    assert time.monotonic() - begun < 1.0
    foreign.close()
