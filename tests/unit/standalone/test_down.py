"""What ``down --vms`` waits for before it stops the services that would take it away."""

from pathlib import Path
from typing import Any

import pytest

from virtdeck.standalone.cli.down import is_taken_away, on_host
from virtdeck.standalone.state import StateFolder


@pytest.mark.parametrize(
    ("metadata", "taken_away"),
    [
        ({}, False),
        ({"deletionTimestamp": "t", "deletionGracePeriodSeconds": 30}, False),
        ({"deletionTimestamp": "t"}, False),
        ({"deletionTimestamp": "t", "deletionGracePeriodSeconds": 0}, True),
    ],
)
def test_a_pod_counts_until_its_grace_is_over(metadata: dict[str, Any], taken_away: bool) -> None:
    assert is_taken_away(metadata) is taken_away


def test_a_pod_that_the_api_has_forgotten_counts_while_its_mounts_or_containers_are_there(
    tmp_path: Path,
) -> None:
    state = StateFolder(tmp_path)
    assert on_host(state) == set()
    for place in ("kubelet/pods/a", "runner/pods/a", "runner/pods/b"):
        (tmp_path / place).mkdir(parents=True)
    assert on_host(state) == {"a", "b"}
