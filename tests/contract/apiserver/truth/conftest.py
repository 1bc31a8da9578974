"""Servers with something switched, killed at the test's end."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.contract.apiserver.running import Running

SWITCHED = Path(__file__).with_name("switched.py")
Starter = Callable[..., Running]


def switch(server: Running, *switches: str) -> None:
    """The next start has these switches set; none: the product as it is."""
    plain = ["-m", "virtdeck.standalone.apiserver"]
    server.program = [str(SWITCHED), ",".join(switches)] if switches else plain


@pytest.fixture
def starter(tmp_path: Path) -> Iterator[Starter]:
    """Makes servers: ``starter("off:durable", watch_window_events=10)``."""
    servers: list[Running] = []

    def start(*switches: str, **settings: object) -> Running:
        server = Running(tmp_path / f"state{len(servers)}", **settings)
        switch(server, *switches)
        servers.append(server)
        server.start()
        return server

    yield start
    for server in servers:
        server.kill()
