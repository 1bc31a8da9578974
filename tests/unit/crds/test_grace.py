"""Every component reads the same grace period."""

from typing import Any

import pytest

from virtdeck.crds.codec import decode
from virtdeck.crds.kubevirt.grace import LONGEST_GRACE_SECONDS, grace_seconds
from virtdeck.crds.kubevirt.vmi import VirtualMachineInstance


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ({}, 30),
        ({"terminationGracePeriodSeconds": 0}, 0),
        ({"terminationGracePeriodSeconds": 7}, 7),
        ({"terminationGracePeriodSeconds": -5}, 0),
        ({"terminationGracePeriodSeconds": 2**62}, LONGEST_GRACE_SECONDS),
    ],
)
def test_a_grace_period_is_within_what_a_clock_can_tell(given: dict[str, Any], seconds: int) -> None:
    plain = {"metadata": {"name": "v"}, "spec": {"domain": {"devices": {}}, **given}}
    assert grace_seconds(decode(plain, VirtualMachineInstance)) == seconds
