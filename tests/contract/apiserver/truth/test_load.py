"""Load: I-01 and I-02 for every client and watcher."""

import pytest
from tests.contract.apiserver.running import Running
from tests.contract.apiserver.truth.traffic import begin, recorded

pytestmark = pytest.mark.anyio


async def test_undisturbed_run_is_linearizable_and_told_in_full(own_server: Running) -> None:
    """I-01, I-02."""
    run = begin(own_server)
    assert await recorded(run, writers=6, seconds=1.5) == []
    assert run.notes.acknowledged > 100
