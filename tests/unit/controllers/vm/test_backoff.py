"""Starts that fail are tried again ever later."""

from datetime import timedelta

import pytest
from tests.unit.controllers.builders import NOW, at, ran, vmi
from tests.unit.there import there

from virtdeck.controllers.vm.backoff import retry_seconds, seconds_left, start_failure
from virtdeck.crds.kubevirt.vm_status import VirtualMachineStartFailure as Failure


@pytest.mark.parametrize(
    ("failures", "chance", "seconds"),
    [(1, 0.0, 10), (1, 1.0, 15), (2, 0.0, 40), (3, 0.5, 112.5), (5, 0.0, 250), (6, 0.0, 300), (50, 1.0, 300)],
)
def test_the_wait_grows_with_the_square_of_the_failures_up_to_five_minutes(
    failures: int, chance: float, seconds: float
) -> None:
    assert retry_seconds(failures, chance) == seconds


@pytest.mark.parametrize("phase", ["Failed", "Succeeded"])
def test_a_guest_that_ended_before_it_ran_is_counted_once(phase: str) -> None:
    first = start_failure(None, vmi(phase), "Always", NOW, 0.0)
    assert first == Failure(
        consecutive_fail_count=1, last_failed_vmi_uid="vmi-1", retry_after_timestamp=at(10)
    )
    assert start_failure(first, vmi(phase), "Always", NOW + timedelta(seconds=5), 0.9) == first


def test_each_further_guest_that_fails_is_counted() -> None:
    known = Failure(consecutive_fail_count=2, last_failed_vmi_uid="former", retry_after_timestamp=at(-5))
    assert there(start_failure(known, vmi("Failed"), "Always", NOW, 0.0)).consecutive_fail_count == 3


@pytest.mark.parametrize("phase", ["Running", "Failed", "Succeeded"])
def test_a_guest_that_ran_clears_the_count(phase: str) -> None:
    known = Failure(consecutive_fail_count=2, last_failed_vmi_uid="former")
    assert start_failure(known, ran(phase), "Always", NOW, 0.0) is None


@pytest.mark.parametrize("strategy", ["Manual", "Halted"])
def test_a_strategy_that_starts_nothing_by_itself_has_no_back_off(strategy: str) -> None:
    assert start_failure(Failure(consecutive_fail_count=2), None, strategy, NOW, 0.0) is None


def test_the_count_outlives_the_guest() -> None:
    known = Failure(consecutive_fail_count=2, last_failed_vmi_uid="former")
    assert start_failure(known, None, "Always", NOW, 0.0) == known


@pytest.mark.parametrize(("moved", "left"), [(0, 10), (4, 6), (10, 0), (60, 0)])
def test_the_wait_runs_out_as_the_clock_moves(moved: float, left: float) -> None:
    known = Failure(retry_after_timestamp=at(10))
    assert seconds_left(known, NOW + timedelta(seconds=moved)) == left
